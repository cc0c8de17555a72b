/**
 * The day on which something was played that is recorded afterwards.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";

/** @param {{value: string, change: (day: string) => void, wrong?: string | undefined}} its */
export function PlayedOn({ value, change, wrong }) {
  return html`<label class="field"><span class="field-label">${t("Played on")} <span class="soft">${t("(if recorded afterwards)")}</span></span>
    <input type="date" data-test="played-on" value=${value} aria-invalid=${Boolean(wrong)} onInput=${(/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).value)} />
    ${wrong && html`<span class="wrong" role="alert">${wrong}</span>`}</label>`;
}
