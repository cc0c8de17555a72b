/**
 * A card as it is shown everywhere: its suit drawn, its rank beside it, and its name for who cannot see it.
 */
import { html } from "../core/html.js";
import { cardName } from "../core/names.js";
import { lookOf } from "./reading.js";
import { inject } from "./symbols.js";

inject();

/** A mark by itself. @param {{name: string, tone?: string}} its */
export function Mark({ name, tone = "" }) {
  return html`<svg class=${`mark ${tone}`} aria-hidden="true" focusable="false" viewBox="0 0 24 24"><use href=${`#mark-${name}`} /></svg>`;
}

/** The drawing of a suit, by its name in the deck on the table. @param {{deck: import("../core/types.js").Deck, suit: string}} its */
export function SuitMark({ deck, suit }) {
  const name = deck.deck === "western" && suit === "clubs" ? "western-clubs" : suit;
  return html`<${Mark} name=${name} tone=${`tone-${name}`} />`;
}

/**
 * @param {{deck: import("../core/types.js").Deck, code: string, small?: boolean, quiet?: boolean, ghost?: boolean, struck?: boolean, count?: string | number}} its
 *   `small` where there is room for a number only, `quiet` where the name stands beside it in words already, `ghost`
 *   where a card was and is no more, `count` a number that the game reads a card without a rank as
 */
export function CardFace({ deck, code, small = false, quiet = false, ghost = false, struck = false, count }) {
  if (!deck.cards.some((each) => each.code === code)) return html`<span class=${`face ${small ? "small" : ""}`}>${cardName(deck, code)}</span>`;
  const { mark, tone, rank, second } = small ? lookOf(deck, code, false) : lookOf(deck, code);
  const said = quiet || ghost ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(deck, code) };
  const shown = rank || (count === undefined ? "" : String(count));
  return html`<span class=${`face ${small ? "small" : ""} ${struck ? "struck" : ""} face-${deck.deck}`} ...${said}>
    <${Mark} name=${mark} tone=${tone} />
    ${second && html`<${Mark} name=${second} tone="second" />`}
    ${shown && html`<b class=${`rank ${shown.length > 2 ? "word" : ""}`} data-rank=${ghost ? shown : undefined}>${ghost ? "" : shown}</b>`}
  </span>`;
}
