/**
 * What stands in the way: no connection, a refusal, a key that is kept nowhere else.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { KeyNote } from "./key_note.js";
import { ProblemAtHand } from "./problem.js";

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function Notes({ sitting }) {
  return html`<div class="notes">
    ${!sitting.online.value && html`<p class="offline" role="status" data-test="offline">${t("No connection. What you record is kept on this phone.")}</p>`}
    <${ProblemAtHand} sitting=${sitting} />
    <${KeyNote} sitting=${sitting} />
  </div>`;
}
