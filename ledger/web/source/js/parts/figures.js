/**
 * What play brought a player (won), and beside it, in brackets, what is still to be settled (balance) where that differs.
 */
import { html } from "../core/html.js";
import { signed, t } from "../core/words.js";

/** @typedef {import("../core/types.js").Player} Player */

/** @param {{of: Player}} its */
export function Figures({ of: { id, won, balance } }) {
  if (won === balance) return html`<span data-test=${`won-${id}`}><span data-test=${`balance-${id}`}>${signed(won)}</span></span>`;
  return html`<span data-test=${`won-${id}`}>${signed(won)}</span><small class="owed" title=${t("Balance")}><span class="hidden">${t("Balance")}</span><span data-test=${`balance-${id}`}>${signed(balance)}</span></small>`;
}

/** What the two figures are, where anybody's differ. @param {{people: Player[]}} its */
export const Legend = ({ people }) => people.some((each) => each.won !== each.balance) && html`<p class="soft small figures-legend" data-test="two-figures">${t("Won is what play brought; in brackets the balance, which is still to be settled.")}</p>`;
