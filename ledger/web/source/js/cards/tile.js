/**
 * A card as it lies on the table, 2:3 with a dark rim: its suit above, its rank below.
 */
import { html } from "../core/html.js";
import { Mark, said } from "./mark.js";
import { Rank } from "./rank.js";
import { lookOf } from "./reading.js";

/**
 * @param {{deck: import("../core/types.js").Deck, code?: string, size?: "small" | "pad" | "hero", turned?: boolean, struck?: boolean, quiet?: boolean, down?: boolean,
 *   rides?: boolean, drafted?: boolean, count?: string | number}} its
 *   `turned` a little, as if thrown there, `struck` of the suit that cannot win, `quiet` where the name stands beside it,
 *   `down` with its back up, `rides` on another's card, `drafted` while it is not recorded yet, `count` a number that the
 *   game reads a card without a rank as
 */
export function Tile({ deck, code = "", size = "small", turned, struck, quiet = false, down, rides, drafted, count }) {
  const how = Object.entries({ turned, down, rides, drafted }).map(([name, is]) => (is ? name : ""));
  const look = ["card-tile", `tile-${size}`, `face-${deck.deck}`, ...how].join(" ");
  if (down || !code) return html`<span class=${look} aria-hidden="true"></span>`;
  const { mark, tone, rank, second } = lookOf(deck, code);
  return html`<span class=${look} ...${said(deck, code, { quiet, rides })}>
    <${Mark} name=${mark} tone=${tone} struck=${struck} />
    ${second && html`<${Mark} name=${second} tone="second" />`}
    <${Rank} rank=${rank || count} />
  </span>`;
}
