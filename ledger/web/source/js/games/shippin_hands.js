/**
 * How each column fared against the dealer: the cards as they lay, totals, who won.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { valueOf } from "./number_pad.js";
import { Head, Place } from "./shippin_columns.js";
import { DEALER, PLACES } from "./shippin_table.js";
import { Total } from "./shippin_total.js";

/** @typedef {{column: number, cards: string[], total: number, karami: boolean, player: string | null, verdict: "player" | "dealer" | "tie"}} Hand */

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck, round: import("../core/types.js").Round}} its */
export function Hands({ sitting, deck, round }) {
  const { hands = [], dealer_hand: dealer } = round.outcome ?? {};
  if (!dealer) return null;
  const session = sitting.session.value;
  const verdicts = { player: t("wins"), dealer: t("loses"), tie: t("ties") };
  const column = (/** @type {number} */ place) => {
    const hand = /** @type {Hand | undefined} */ (place === DEALER ? { ...dealer, player: round.dealer } : hands.find((each) => each.column === place + 1));
    const verdict = hand && place !== DEALER ? hand.verdict : null;
    const [first = null, second = null] = hand?.cards ?? [];
    return html`<li key=${place} class=${`column ${verdict ?? ""} ${hand?.player ? "" : "nobody"}`}><${Head} session=${session} place=${place} who=${hand?.player ?? null} />
      <${Place} deck=${deck} type="first_cards_revealed" card=${first} /><${Place} deck=${deck} type="second_cards_dealt" card=${second} />
      <${Total} cards=${[first, second]} value=${(/** @type {string} */ code) => valueOf(deck, code)} isDealer=${place === DEALER} />
      <span class="verdict">${verdict && verdicts[verdict]}</span></li>`;
  };
  return html`<ol class="columns hands" aria-label=${t("The hands")}>${PLACES.map(column)}</ol>`;
}
