/**
 * A little stack of chips: as many as there are, seven at most.
 */
import { html } from "../core/html.js";

const MOST = 7;
/** How much higher each lies than the one below, and how high one is. */
const [STEP, HIGH] = [5, 12];

/** @param {{chips: number}} its */
export function ChipStack({ chips }) {
  const count = Math.min(chips, MOST);
  const high = HIGH + (count - 1) * STEP;
  if (count < 1) return null;
  return html`<svg class="stack" viewBox=${`0 0 26 ${high}`} style=${{ "--high": high / 16 }} aria-hidden="true" focusable="false">
    ${Array.from({ length: count }, (_, at) => html`<ellipse key=${at} class="chip-drawn" style=${{ "--at": at }} cx="13" cy=${high - HIGH / 2 - at * STEP} rx="11.5" ry="4.75" />`)}</svg>`;
}
