/**
 * A card in a line: its suit drawn, its rank beside it, and its name for who cannot see it.
 */
import { html } from "../core/html.js";
import { cardName } from "../core/names.js";
import { Mark, said } from "./mark.js";
import { Rank } from "./rank.js";
import { lookOf } from "./reading.js";

export { Mark, SuitMark } from "./mark.js";

/**
 * @param {{deck: import("../core/types.js").Deck, code: string, small?: boolean, quiet?: boolean, ghost?: boolean, struck?: boolean, count?: string | number}} its
 *   `small` where there is room for a number only, `quiet` where the name stands beside it in words already, `ghost`
 *   where a card was and is no more, `struck` of the suit that cannot win, `count` a number that the game reads a card
 *   without a rank as
 */
export function CardFace({ deck, code, small = false, quiet = false, ghost = false, struck = false, count }) {
  const size = small ? "small" : "";
  if (!deck.cards.some((each) => each.code === code)) return html`<span class=${`face ${size}`}>${cardName(deck, code)}</span>`;
  const { mark, tone, rank, second } = small ? lookOf(deck, code, false) : lookOf(deck, code);
  return html`<span class=${`face ${size} face-${deck.deck} ${struck ? "struck" : ""}`} ...${said(deck, code, { quiet: quiet || ghost })}>
    <${Mark} name=${mark} tone=${tone} struck=${struck} />
    ${second && html`<${Mark} name=${second} tone="second" />`}
    <${Rank} rank=${rank || count} ghost=${ghost} />
  </span>`;
}
