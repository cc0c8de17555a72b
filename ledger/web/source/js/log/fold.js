/**
 * A round of the log: how it stands or ended in a line, and what was recorded in it, once it is unfolded.
 */
import { html, useEffect, useState } from "../core/html.js";
import { all } from "../core/api.js";
import { cardName, nameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { listed, number as written, say, t } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { stepsOf } from "../parts/round_net.js";
import { Lines } from "./lines.js";

/** @typedef {import("../core/types.js").Round} Round */
/** @typedef {import("../core/types.js").Entry} Entry */

/** The rounds of a session by their numbers. @param {import("../core/sitting.js").Sitting} sitting @returns {Map<number, Round>} */
export function useRounds(sitting) {
  const [rounds, setRounds] = useState(/** @type {Map<number, Round>} */ (new Map()));
  useEffect(() => {
    all(`${sitting.path}/rounds?limit=500`, "rounds", { token: sitting.token() }).then((found) => setRounds(new Map(found.map((/** @type {Round} */ each) => [each.number, each]))), () => undefined);
  }, [sitting.seq.value]);
  return rounds;
}

/** @param {import("./lines.js").Its & {number: number, round: Round | undefined, open: boolean, toggle: () => void}} its */
export function Fold({ number, round, open, toggle, ...lines }) {
  const { sitting } = lines.at;
  const moved = useMoved(sitting, number, open);
  return html`<section class="log-round">
    <h2><button type="button" class="round-fold" data-test=${`fold-${number}`} aria-expanded=${open} onClick=${toggle}><span class="hidden">${t("Round {number}", { number })}</span><span class="round-number" aria-hidden="true">${number}</span>
      <span class="round-said" dir="auto">${round && headline(lines.at, round)}</span><b class="figure">${round && written(chipsOf(round))}</b><${Icon} name=${open ? "down" : "right"} /></button></h2>
    ${open && html`<${Lines} ...${lines} moved=${moved} />
      <p class="log-more"><a class="link" data-test=${`round-${number}`} href=${address(sitting.id, "round", number)}>${t("Step by step")}</a></p>`}
  </section>`;
}

/** The chips that each event of a round moved. @param {import("../core/sitting.js").Sitting} sitting @param {number} number @param {boolean} wanted @returns {Map<number, Entry[]>} */
function useMoved(sitting, number, wanted) {
  const [moved, setMoved] = useState(/** @type {Map<number, Entry[]>} */ (new Map()));
  useEffect(() => {
    if (wanted) stepsOf(sitting, number).then((steps) => setMoved(new Map(steps.map((step) => [step.seq, step.moved]))), () => undefined);
  }, [wanted, sitting.seq.value]);
  return moved;
}

/** Who won with which card, or why there was no winner; of the round that is open, who deals. @param {import("./lines.js").Here} here @param {Round} round */
function headline({ session, game, deck }, { outcome, dealer }) {
  const name = (/** @type {string} */ player) => nameOf(session, player, game);
  if (!outcome) return html`<b>${t("Now")}</b> · ${t("{name} deals", { name: name(dealer) })}`;
  if (!outcome.winner) return [say(game.results[outcome.result]), ...(outcome.reasons ?? []).map((each) => say(game.forfeits[each]))].join(t(", "));
  const winners = [outcome.winner, outcome.back_rider].flatMap((each) => each ?? []).map(name);
  return html`<b>${listed(winners)}</b>${outcome.card && `${t(", ")}${cardName(deck, outcome.card)}`}${outcome.guri && `${t(", ")}${t("guri!")}`}`;
}

/** What was won, or what lies in the pot. @param {Round} round */
const chipsOf = ({ outcome, pot }) => (outcome?.winner ? outcome.payouts.reduce((sum, each) => sum + Math.max(0, each.amount), 0) : pot);
