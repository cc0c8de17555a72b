/**
 * Who pays whom, by who receives; a payment that was made is struck out by a tap, and comes back by another.
 */
import { html } from "../core/html.js";
import { number, t, time, tn } from "../core/words.js";
import { Icon } from "./icon.js";
import { money, worth } from "./money.js";

/** @typedef {import("../core/settled.js").Row} Row */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, session: import("../core/types.js").Session, name: (account: string) => string, isOld: boolean}} Its `isOld` while something was recorded since, perhaps one of these: nobody marks it twice */

/** @param {Its & {rows: Row[]}} its */
export function Payments(its) {
  const { rows } = its;
  const sumOf = (/** @type {Row[]} */ those) => those.reduce((sum, each) => sum + each.amount, 0);
  const receivers = [...new Set(rows.map((each) => each.to))].map((to) => rows.filter((each) => each.to === to).sort((one, other) => other.amount - one.amount));
  receivers.sort((one, other) => sumOf(other) - sumOf(one));
  return receivers.map((those) => html`<section key=${those[0]?.to}><${Receives} name=${its.name(those[0]?.to ?? "")} chips=${sumOf(those)} count=${those.length} />
    <ul class="payments">${those.map((row) => html`<${Payment} key=${`${row.from}-${row.seq ?? (row.isPaid ? "waits" : "")}`} ...${its} row=${row} />`)}</ul></section>`);
}

/** Who receives how much, the name in bold. @param {{name: string, chips: number, count: number}} its */
function Receives({ name, chips, count }) {
  const [before, after] = tn("{name} gets {chips} from {count}", "{name} gets {chips} from {count}", count, { name: "\n", chips }).split("\n");
  return html`<h3 class="receives" dir="auto">${before}<b>${name}</b>${after}</h3>`;
}

/** The pot is not settled with: that is for the round or the closing. @param {Its & {row: Row}} its */
function Payment({ sitting, session, name, isOld, row }) {
  const { from, to, amount, seq, isPaid } = row;
  const may = sitting.mayRecord.value && from !== "pot" && to !== "pot" && !(isPaid && !seq);
  const who = html`<span dir="auto">${name(from)}</span><span class="hidden"> ${t("pays")} ${name(to)}</span>`;
  const chips = html`<b>${number(amount)}</b>${session.chip_value && html` <small class="soft">${row.money ? money(row.money, session.chip_value.currency) : worth(amount, session.chip_value)}</small>`}`;
  const said = html`<span class="tick" aria-hidden="true">${isPaid && html`<${Icon} name="check" />`}</span>
    ${isPaid ? html`<s class="payment-who">${who}</s>` : html`<span class="payment-who">${who}</span>`}<span class="payment-amount">${chips}</span>`;
  const look = `payment ${isPaid ? "paid" : ""} ${isPaid && !seq ? "waits" : ""}`;
  if (!may) return html`<li class=${look} data-test=${isPaid ? `paid-${from}-${to}` : `payment-${from}-${to}`}>${said}${isPaid && html`<span class="hidden">${t("Paid")}</span>`}</li>`;
  return html`<li><button type="button" role="checkbox" aria-checked=${Boolean(isPaid)} class=${look} data-test=${isPaid ? `unpay-${seq}` : `pay-${from}-${to}`} disabled=${!isPaid && isOld} title=${row.at ? time(row.at) : undefined}
    onClick=${() => sitting.report(isPaid ? { type: "event_taken_back", seq } : { type: "settlement_paid", from, to, amount })}>${said}</button></li>`;
}
