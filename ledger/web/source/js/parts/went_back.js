/**
 * The books went back, as when a backup was restored: what this phone had seen after that is gone, and that is said.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";

/** @param {{seen: number, now: number}} wentBack */
export const saidOf = ({ seen, now }) => t("This phone had seen event {seen}; the books end with event {now} now. Perhaps a backup was restored. Look at the log, and record again what is missing.", { seen, now });

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function WentBack({ sitting }) {
  const found = sitting.wentBack.value;
  if (!found || sitting.conflict.value) return null;
  return html`<div class="went-back" data-test="went-back"><p role="alert"><b>${t("The books went back")}</b> ${saidOf(found)}</p>
    <button type="button" class="quiet" data-test="went-back-read" onClick=${() => (sitting.wentBack.value = null)}>${t("Close")}</button></div>`;
}
