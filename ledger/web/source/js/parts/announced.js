/**
 * What a screen reader says as soon as it changes, once and politely; nobody sees it. The region is there before the text
 * is, else some say nothing.
 */
import { html, useRef } from "../core/html.js";

/** @param {{text: string}} its the same text twice in a row is said once; nothing is said of an empty one, and the last stays */
export function Announced({ text }) {
  const last = useRef(text);
  if (text) last.current = text;
  return html`<p class="hidden" role="status" data-test="announced">${last.current}</p>`;
}
