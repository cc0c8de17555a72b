/**
 * What the last undo took back is put back by one tap.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";

/** @param {{sitting: import("../core/sitting.js").Sitting}} its `data-once` as for Undo: a double tap on that is no redo */
export function PutBack({ sitting }) {
  if (!sitting.canPutBack.value) return null;
  return html`<button type="button" class="undo" data-test="put-back" data-once="undo" onClick=${sitting.putBack}>${t("Redo")}</button>`;
}
