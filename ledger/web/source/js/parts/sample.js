/**
 * A sample round of a game, worked out by the service and kept nowhere: what an evening's result looks like.
 */
import { html, useEffect, useState } from "../core/html.js";
import { call } from "../core/api.js";
import { language, say, signed, t } from "../core/words.js";
import { problemOf, Refusal } from "./doing.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {{round: import("../core/types.js").Round, balances: Record<string, number>}} Calculated */

const NAMES = {
  en: ["Aki", "Ben", "Chie", "Daisuke", "Emi", "Fumio", "Goro", "Haruka", "Ichiro", "Junko", "Kenji", "Masako"],
  ja: ["明", "勉", "千恵", "大輔", "恵美", "文雄", "五郎", "春香", "一郎", "寿子", "健二", "雅子"],
};

/** Rounds as a scorekeeper writes them (the round notation), by game. @type {Record<string, {people: number, round: string}>} */
const SAMPLES = {
  shirinma: {
    people: 12,
    round: `dealer p12
round
field swords-1
deal p12=cups-7 cups-6 swords-8 coins-4 swords-2 cups-10 (p2=1 p3=2) swords-3 cups-11 (p2=1 p4=2 p2=4) clubs-9 plain plain plain
deal plain plain plain plain plain plain coins-12 (p1=10) plain plain plain plain plain
trump cups-12`,
  },
  shippin: {
    people: 5,
    round: `rules bet=10
dealer p3
round
bet p4=2 p5=4 p1=1 p2=3
second 7 3 5 10 / 9
first 2 2 2 10 / 8`,
  },
  kakkuri: {
    people: 7,
    round: `round
pairs p3
starter cups-5
p1 cups-6 cups-7
p2 -
p3 swords-8 coins-8
p4 x6`,
  },
};

/** @param {Game} game */
export const hasSample = (game) => game.name in SAMPLES;

/** @param {{game: Game, close: () => void}} its */
export function Sample({ game, close }) {
  const [found, setFound] = useState(/** @type {Calculated | null} */ (null));
  const [problem, setProblem] = useState(/** @type {import("../core/types.js").Problem | null} */ (null));
  const { people, round } = /** @type {{people: number, round: string}} */ (SAMPLES[game.name]);
  const names = NAMES[language.value].slice(0, people);
  useEffect(() => {
    const body = `game ${game.name}\nplayers ${names.join(" ")}\n${round}\n`;
    void call("POST", `/v1/calculate/${game.name}`, { body, headers: { "Content-Type": "text/plain" } }).then(setFound, (failed) => setProblem(problemOf(failed)));
  }, [game.name, language.value]);
  const name = (/** @type {string} */ player) => names[Number(player.slice(1)) - 1] ?? player;
  const outcome = found?.round.outcome;
  const gains = Object.entries(found?.balances ?? {}).sort(([, one], [, other]) => other - one);
  const most = Math.max(1, ...gains.map(([, chips]) => Math.abs(chips)));
  return html`<${Sheet} title=${say(game.title)} close=${close} hook="sample">
    <p class="stamp">${t("A sample. Nothing of it is kept.")}</p>
    <${Refusal} problem=${problem} />
    ${outcome && html`<div aria-live="polite">
      <p class="sample-outcome">${outcome.winner && html`<b>${name(outcome.winner)}</b>`}<span class="soft">${say(game.results[outcome.result])}</span></p>
      <ul class="reasons">${outcome.explanation[language.value].map((line) => html`<li>${line}</li>`)}</ul>
      <table class="entries bars" data-test="sample-chips"><thead class="hidden"><tr><th>${t("Name")}</th><td></td><th>${t("Chips")}</th></tr></thead><tbody>${gains.map(([player, chips]) => html`<tr key=${player}><th scope="row">${name(player)}</th>
        <td class="bar-cell" aria-hidden="true"><meter class=${chips < 0 ? "loss" : "gain"} min="0" max=${most} value=${Math.abs(chips)}></meter></td>
        <td class=${`figure ${chips > 0 ? "gain" : ""}`}>${signed(chips)}</td></tr>`)}</tbody></table>
      <p class="soft small">${t("At the table you tap what you see; the chips are worked out for you, and every number says where it comes from.")}</p></div>`}
  <//>`;
}
