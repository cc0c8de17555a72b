/**
 * A card before somebody's seat, so small that only its suit is shown; several lie in a row of class `tokens`.
 */
import { html } from "../core/html.js";
import { Mark, said } from "./mark.js";
import { lookOf } from "./reading.js";

/** @param {{deck: import("../core/types.js").Deck, code: string, rides?: boolean, quiet?: boolean}} its `rides` is dashed: a card of another's */
export function Token({ deck, code, rides = false, quiet = false }) {
  const { mark, tone } = lookOf(deck, code, false);
  return html`<span class=${`token ${rides ? "rides" : ""}`} ...${said(deck, code, { quiet, rides })}><${Mark} name=${mark} tone=${tone} /></span>`;
}
