/**
 * What a chip is worth, so that a settlement speaks of money.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";

/** As the API takes it; null where nothing was said. @param {{currency: string, perChip: string}} typed */
export function chipValue({ currency, perChip }) {
  const value = { currency: currency.trim().toUpperCase(), per_chip: perChip.trim().replace(",", ".") };
  return value.currency || value.per_chip ? value : null;
}

/** @param {Event} event */
const typed = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** @param {{currency: string, perChip: string, change: (part: {currency?: string, perChip?: string}) => void, wrong: (pointer: string) => string | undefined}} its */
export function ChipValue({ currency, perChip, change, wrong }) {
  const wrongs = [wrong("/chip_value/per_chip"), wrong("/chip_value/currency")].filter(Boolean);
  return html`<fieldset class="field"><legend class="field-label">${t("What a chip is worth")} <span class="soft">${t("(if wanted)")}</span></legend>
    <div class="row"><input class="figure grow" inputmode="decimal" data-test="per-chip" aria-label=${t("Amount")} value=${perChip} placeholder="10" autocomplete="off" onInput=${(/** @type {Event} */ event) => change({ perChip: typed(event) })} />
      <input class="currency" data-test="currency" aria-label=${t("Currency, in three letters")} value=${currency} placeholder="JPY" maxlength="3" autocapitalize="characters" autocomplete="off" onInput=${(/** @type {Event} */ event) => change({ currency: typed(event).toUpperCase() })} /></div>
    ${wrongs.map((each) => html`<span class="wrong" role="alert">${each}</span>`)}</fieldset>`;
}
