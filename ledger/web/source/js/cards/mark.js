/**
 * A drawn mark by itself: a suit, a plant, a class.
 */
import { html } from "../core/html.js";
import { cardName } from "../core/names.js";
import { t } from "../core/words.js";
import { inject } from "./symbols.js";

/** @typedef {import("../core/types.js").Deck} Deck */

inject();

/** @param {{name: string, tone?: string, struck?: boolean}} its `struck` is a line across it: what cannot win */
export function Mark({ name, tone = "", struck = false }) {
  return html`<svg class=${`mark ${tone}`} aria-hidden="true" focusable="false" viewBox="0 0 24 24"><use href=${`#mark-${name}`} />${struck && html`<path class="m-struck-edge" d="M-.6 22 24.6 2" /><path class="m-struck" d="M-.6 22 24.6 2" />`}</svg>`;
}

/** The drawing of a suit, by its name in the deck on the table. @param {{deck: Deck, suit: string, struck?: boolean}} its */
export function SuitMark({ deck, suit, struck }) {
  const name = deck.deck === "western" && suit === "clubs" ? "western-clubs" : suit;
  return html`<${Mark} name=${name} tone=${`tone-${name}`} struck=${struck} />`;
}

/** How a drawn card is told to who cannot see it; `quiet` where its name stands beside it. @param {Deck} deck @param {string} code @param {{quiet?: boolean, rides?: boolean}} its */
export function said(deck, code, { quiet, rides }) {
  const card = cardName(deck, code);
  return quiet ? { "aria-hidden": "true" } : { role: "img", "aria-label": rides ? t("rides on {card}", { card }) : card };
}
