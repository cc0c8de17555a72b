/**
 * What a chip is worth, so that a settlement speaks of money.
 */
import { html, useId } from "../core/html.js";
import { numberIn } from "../core/typed.js";
import { t } from "../core/words.js";
import { NumberInput, Unread } from "./number_input.js";

/** @param {string} currency as it was typed */
const codeOf = (currency) => currency.normalize("NFKC").trim().toUpperCase();

/** As the API takes it; null where nothing was said. @param {{currency: string, perChip: string}} typed */
export function chipValue({ currency, perChip }) {
  const code = codeOf(currency);
  const value = { currency: code, per_chip: numberIn(perChip, { currency: code }).value ?? perChip.trim() };
  return value.currency || value.per_chip ? value : null;
}

/** @param {Event} event */
const typed = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** @param {{currency: string, perChip: string, change: (part: {currency?: string, perChip?: string}) => void, wrong: (pointer: string) => string | undefined}} its */
export function ChipValue({ currency, perChip, change, wrong }) {
  const id = useId();
  const unread = numberIn(perChip, { currency: codeOf(currency) }).wrong;
  const wrongs = [wrong("/chip_value/per_chip"), wrong("/chip_value/currency")].filter(Boolean);
  return html`<fieldset class="field"><legend class="field-label">${t("What a chip is worth")} <span class="soft">${t("(if wanted)")}</span></legend>
    <div class="row"><${NumberInput} id=${id} hook="per-chip" class="figure grow" inputmode="decimal" aria-label=${t("Amount")} text=${perChip} placeholder="10" change=${(/** @type {string} */ text) => change({ perChip: text })} wrong=${unread} />
      <input class="currency" data-test="currency" aria-label=${t("Currency, in three letters")} value=${currency} placeholder="JPY" maxlength="3" autocapitalize="characters" autocomplete="off" onInput=${(/** @type {Event} */ event) => change({ currency: typed(event) })} /></div><${Unread} id=${id} wrong=${unread} />
    ${wrongs.map((each) => html`<span class="wrong" role="alert">${each}</span>`)}</fieldset>`;
}
