/**
 * The seal 札: the page's sign, stamped on what is settled.
 */
import { html } from "../core/html.js";

/** The strokes of 札, in a square of 64. */
export const SIGN = "M14.5 25.5 33 23.5M24 14.5V49M23.5 26C21.5 32.5 18.5 37 14 41M25.5 29.5C28.5 31 30.5 33 32.5 36M38.5 15V41.5C38.5 46.5 40.5 48 45 48S50.5 46.5 50.5 39";

export const Seal = () => html`<svg class="seal" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
  <rect class="seal-ground" x="3" y="3" width="58" height="58" rx="13" />
  <rect class="seal-line" x="7.5" y="7.5" width="49" height="49" rx="9" />
  <path class="seal-sign" d=${SIGN} /></svg>`;
