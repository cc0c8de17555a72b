/**
 * The rank on a card, or what a card without one counts; a word is set smaller than a number.
 */
import { html } from "../core/html.js";

/** @param {{rank?: string | number, ghost?: boolean}} its `ghost` is seen and not read, as a card that is gone */
export function Rank({ rank = "", ghost = false }) {
  const shown = String(rank);
  if (!shown) return null;
  const word = shown.length > 1 && Number.isNaN(Number(shown));
  return html`<b class=${`rank ${word ? "word" : ""}`} data-rank=${ghost ? shown : undefined}>${ghost ? "" : shown}</b>`;
}
