/**
 * A sample round of a game, worked out by the service and kept nowhere: what a round's result looks like. A round that has
 * begun can be played on, at a table of its own.
 */
import { html, useEffect, useState } from "../core/html.js";
import { call } from "../core/api.js";
import { language, say, heard, signed, t } from "../core/words.js";
import { problemOf, Refusal } from "./doing.js";
import { Unopened, useOpening } from "./opening.js";
import { sampleNames, sampleOf } from "./sample_rounds.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {{round: import("../core/types.js").Round, balances: Record<string, number>}} Calculated */

/** @param {{game: Game, close: () => void}} its */
export function Sample({ game, close }) {
  const [found, setFound] = useState(/** @type {Calculated | null} */ (null));
  const [problem, setProblem] = useState(/** @type {import("../core/types.js").Problem | null} */ (null));
  const names = sampleNames(game);
  const opening = useOpening();
  const play = () => void opening.open({ sample: sampleOf(game, "begun") });
  useEffect(() => {
    void call("POST", `/v1/calculate/${game.name}`, { body: sampleOf(game, "whole"), headers: { "Content-Type": "text/plain" } }).then(setFound, (failed) => setProblem(problemOf(failed)));
  }, [game.name, language.value]);
  const name = (/** @type {string} */ player) => names[Number(player.slice(1)) - 1] ?? player;
  const outcome = found?.round.outcome;
  const gains = Object.entries(found?.balances ?? {}).sort(([, one], [, other]) => other - one);
  const most = Math.max(1, ...gains.map(([, chips]) => Math.abs(chips)));
  return html`<${Sheet} title=${t("Sample: {game}", { game: say(game.title) })} close=${close} hook="sample">
    <p class="stamp">${t("A sample. Nothing of it is kept.")}</p>
    <${Refusal} problem=${problem} />
    ${outcome && html`<div aria-live="polite">
      <p class="sample-outcome">${outcome.winner && html`<b>${name(outcome.winner)}</b>`}<span class="soft">${say(game.results[outcome.result])}</span></p>
      <ul class="reasons">${outcome.explanation[language.value].map((line) => html`<li>${heard(line)}</li>`)}</ul>
      <table class="entries sample-chips" data-test="sample-chips"><thead class="hidden"><tr><th>${t("Name")}</th><td></td><th>${t("Chips")}</th></tr></thead><tbody>${gains.map(([player, chips]) => html`<tr key=${player}><th scope="row">${name(player)}</th>
        <td class="bar-cell" aria-hidden="true"><meter class=${chips < 0 ? "loss" : "gain"} min="0" max=${most} value=${Math.abs(chips)}></meter></td>
        <td class=${`figure ${chips > 0 ? "gain" : ""}`}>${signed(chips)}</td></tr>`)}</tbody></table>
      <p class="soft small">${t("At the table you tap what you see; the chips are worked out for you, and every number says where it comes from.")}</p></div>`}
    <p class="soft small">${t("Or do the recording yourself: a table opens with a round already begun. One tap throws it away again.")}</p>
    <div class="sample-play">${opening.problem ? html`<${Unopened} opening=${opening} again=${play} />` : html`<button type="button" class="main wide" data-test="sample-play" disabled=${opening.busy} onClick=${play}>${t("Play on from here")}</button>`}</div>
  <//>`;
}
