/**
 * How a round ended, in one look: who won, why, who was paid what.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { say, signed, language } from "../core/words.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, round: import("../core/types.js").Round}} its */
export function Result({ sitting, game, round }) {
  const outcome = round.outcome;
  if (!outcome) return null;
  const session = sitting.session.value;
  return html`<section class="result" aria-live="polite">
    <h1 data-test="outcome">${outcome.winner ? nameOf(session, outcome.winner, game) : say(game.results[outcome.result])}</h1>
    ${outcome.payouts.map((each) => html`<p><span data-test=${`payout-${each.player}`}>${nameOf(session, each.player, game)} ${signed(each.amount)}</span></p>`)}
    ${outcome.explanation[language.value].map((line) => html`<p>${line}</p>`)}
  </section>`;
}
