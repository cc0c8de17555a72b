/**
 * The place of a card that was seen already: a tap leads to what was recorded of it.
 */
import { html } from "../core/html.js";
import { cardName } from "../core/names.js";
import { t } from "../core/words.js";

/** @param {{deck: import("../core/types.js").Deck, code: string, look: string, at?: Record<string, number>, mend?: ((card: string) => void) | null, children?: any}} its */
export function Seen({ deck, code, look, at, mend, children }) {
  const inside = html`${children}<span class="hidden">${cardName(deck, code)}, ${t("seen already")}</span>`;
  if (!mend) return html`<span class=${`${look} seen`} style=${at} data-gone=${code}>${inside}</span>`;
  return html`<button type="button" class=${`${look} seen`} style=${at} data-gone=${code} data-test=${`seen-${code}`} onClick=${() => mend(code)}>${inside}</button>`;
}
