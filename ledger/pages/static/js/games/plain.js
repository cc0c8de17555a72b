/**
 * Any game, plainly: what may be reported next, as forms made from the API's description.
 */
import { html } from "../core/html.js";
import { kindOf } from "../core/names.js";
import { say } from "../core/words.js";

/** @param {import("./pads.js").Play} play */
export function Pad({ sitting, game, guessed }) {
  return html`<section class="pad">${guessed.next.map((expected) => html`<button type="button" key=${expected.type} class="quiet" data-test=${`report-${expected.type}`}
    onClick=${() => sitting.report({ type: expected.type, ...(expected.player ? { player: expected.player } : {}) })}>${say(kindOf(game, expected.type)?.label)}</button>`)}</section>`;
}
