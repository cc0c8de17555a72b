/**
 * Who pays whom, so that everybody is even, in as few payments as possible or all through one.
 */
import { html, useState } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { placed } from "../core/placed.js";
import { useSettled } from "../core/settled.js";
import { t, tn } from "../core/words.js";
import { Closed } from "../parts/closed.js";
import { Leaf } from "../parts/leaf.js";
import { money } from "../parts/money.js";
import { Payments } from "../parts/payments.js";
import { Standings } from "../parts/standings.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: any}} at */
export default function Settlement(at) {
  const { sitting, game } = at;
  const [via, setVia] = useState("");
  const session = sitting.session.value;
  const { settled, rows, isOld, problem } = useSettled(sitting, via);
  if (!session) return null;
  const name = (/** @type {string} */ account) => nameOf(session, account, game);
  const open = rows?.filter((each) => !each.isPaid).length ?? 0;
  return html`<${Leaf} sitting=${sitting} title=${t("Who pays whom")} hook="settlement-view">
    <${Closed} ...${at} session=${session} />
    ${problem && html`<p role="alert" data-test="problem" class="problem">${problem}</p>`}
    ${settled && html`<label class="field via"><span>${t("How it is paid")}</span><select data-test="via" value=${via} onChange=${(/** @type {any} */ chosen) => setVia(chosen.target.value)}>
      <option value="">${t("In as few payments as possible")}</option>
      ${session.players.map((each) => html`<option key=${each.id} value=${each.id}>${t("All through {name}", { name: name(each.id) })}</option>`)}</select></label>`}
    <section aria-live="polite"><h2>${rows && (open ? tn("{count} payment to make", "{count} payments to make", open) : t("There is nothing to pay."))}</h2>
      ${rows && html`<${Payments} ...${{ sitting, session, name, rows, isOld }} />`}
      ${settled && !via && open > 0 && settled.exact && html`<p class="soft small">${t("There is no way with fewer payments.")}</p>`}
      ${settled?.remainder && Number(settled.remainder) !== 0 && html`<p class="soft small">${t("Left over by rounding down: {money}", { money: money(settled.remainder, settled.currency) })}</p>`}
      ${session.pot > 0 && html`<p class="soft small">${t("The pot still holds {pot}, not yet won.", { pot: session.pot })}</p>`}
    </section>
    <section><h2>${t("Result")}</h2><${Standings} order=${placed(session)} name=${name} /></section>
  <//>`;
}
