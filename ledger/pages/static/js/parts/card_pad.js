/**
 * Cards to tap.
 */
import { html } from "../core/html.js";
import { cardName } from "../core/names.js";

/**
 * @param {{deck: import("../core/types.js").Deck | null, codes: string[], left?: Record<string, number>, gone?: Map<string, number>, tap: (code: string) => void}} its
 */
export function CardPad({ deck, codes, left, gone, tap }) {
  return html`<div class="plain-cards">${codes.map((code) => {
    const rest = (left?.[code] ?? 1) - (gone?.get(code) ?? 0);
    return html`<button type="button" key=${code} class="quiet" data-test=${`card-${code}`} disabled=${rest <= 0} aria-label=${cardName(deck, code)} onClick=${() => tap(code)}>${code}</button>`;
  })}</div>`;
}
