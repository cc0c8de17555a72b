/**
 * Everybody in order: what each has won, and beside it what is still to be paid or got.
 */
import { html } from "../core/html.js";
import { number, signed, t } from "../core/words.js";

/** @param {{order: import("../core/placed.js").Placed[], name: (account: string) => string}} its */
export function Standings({ order, name }) {
  return html`<div class="numbers" tabindex="0" role="region" aria-label=${t("Result")}><table class="people-numbers standings" data-test="result"><thead><tr><th scope="col"><span class="hidden">${t("Place")}</span></th><th scope="col">${t("Name")}</th><th scope="col" class="figure">${t("Won")}</th><th scope="col" class="figure">${t("Still to settle")}</th></tr></thead>
    <tbody>${order.map(({ id, place, won, balance }) => html`<tr key=${id}><td class="figure soft">${number(place)}</td><th scope="row" dir="auto">${name(id)}</th>
      <td class=${`figure ${won > 0 ? "gain" : ""}`} data-test=${`won-${id}`}>${signed(won)}</td>
      <td class="figure"><small class="soft">${balance ? (balance > 0 ? t("to get") : t("to pay")) : ""}</small> <span data-test=${`balance-${id}`}>${signed(balance)}</span></td></tr>`)}</tbody></table></div>`;
}
