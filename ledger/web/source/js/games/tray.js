/**
 * A tray: cards that are seldom named lie above the others, out of sight until they are wanted, and always in the document.
 * A keyboard that gets there opens it.
 */
import { html, useLayoutEffect, useRef } from "../core/html.js";

/** @param {{open: boolean, show: () => void, low: any, children?: any}} its `low` is what lies out of sight */
export function Tray({ open, show, low, children }) {
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => void tray.current?.scrollTo(0, 0));
  return html`<div ref=${tray} class="pad-tray" onFocusIn=${(/** @type {any} */ event) => !open && event.target.matches?.(".seldom-cards :focus-visible") && show()}>${children}<div class="seldom-cards">${low}</div></div>`;
}
