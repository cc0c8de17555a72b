/**
 * The card that decided a round, the back-rider's behind it, the seal on its corner.
 */
import { html } from "../core/html.js";
import { Tile } from "../cards/tile.js";
import { Icon } from "./icon.js";
import { Seal } from "./seal.js";

/** @param {{deck: import("../core/types.js").Deck, card: string | null, rides?: boolean, sealed?: boolean}} its */
export function Hero({ deck, card, rides = false, sealed = false }) {
  if (!card && !sealed) return null;
  return html`<div class=${`hero ${card ? "" : "bare"} ${sealed ? "sealed" : ""}`}>
    ${rides && html`<span class="hero-behind"><${Icon} name="rider" /></span>`}
    ${card && html`<${Tile} deck=${deck} code=${card} size="hero" />`}
    ${sealed && html`<${Seal} />`}</div>`;
}
