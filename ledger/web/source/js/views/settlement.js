/**
 * Who pays whom, so that everybody is even; a payment that was made is struck out with a tap.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { nameOf } from "../core/names.js";
import { number, say, signed, t, time, tn } from "../core/words.js";
import { inEffect } from "../log/say.js";
import { ClosingSheet } from "../parts/closing.js";
import { Leaf } from "../parts/leaf.js";
import { money } from "../parts/money.js";

/** @typedef {{from: string, to: string, amount: number, money?: string, remainder?: string}} Payment */
/** @typedef {{payments: Payment[], exact: boolean, via: string | null, currency: string | null, remainder: string | null}} Settled */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: any}} At */

/** Payments are looked for among so many events, the newest: they come at the end. */
const LOOKED_AT = 500;

/** @param {At} at */
export default function Settlement(at) {
  const { sitting, game } = at;
  const [via, setVia] = useState("");
  const session = sitting.session.value;
  const { settled, paid, upTo, problem } = useSettlement(sitting, via);
  if (!session) return null;
  const name = (/** @type {string} */ account) => nameOf(session, account, game);
  const open = settled?.payments.filter((each) => !isReported(sitting, each)) ?? [];
  return html`<${Leaf} sitting=${sitting} title=${t("Who pays whom")} hook="settlement-view">
    <${Closed} ...${at} session=${session} />
    ${problem && html`<p role="alert" data-test="problem" class="problem">${problem}</p>`}
    ${settled && html`<label class="field via"><span>${t("How it is paid")}</span><select data-test="via" value=${via} onChange=${(/** @type {any} */ chosen) => setVia(chosen.target.value)}>
      <option value="">${t("In as few payments as possible")}</option>
      ${session.players.map((each) => html`<option key=${each.id} value=${each.id}>${t("All through {name}", { name: name(each.id) })}</option>`)}</select></label>`}
    <section aria-live="polite"><h2>${settled && (open.length ? tn("{count} payment to make", "{count} payments to make", open.length) : t("Nobody owes anybody anything."))}</h2>
      <ul class="payments">${open.map((each) => html`<${Owed} key=${`${each.from}-${each.to}`} ...${{ sitting, name, payment: each, old: upTo < sitting.seq.value, currency: settled?.currency ?? null }} />`)}</ul>
      ${settled && !via && open.length > 0 && settled.exact && html`<p class="soft small">${t("There is no way with fewer payments.")}</p>`}
      ${settled?.remainder && Number(settled.remainder) !== 0 && html`<p class="soft small">${t("Left over by rounding down: {money}", { money: money(settled.remainder, settled.currency) })}</p>`}
      ${session.pot > 0 && html`<p class="soft small">${t("{pot} still lie in the pot, and belong to nobody yet.", { pot: session.pot })}</p>`}
    </section>
    <${Paid} ...${{ sitting, name, paid }} />
    <${Result} people=${session.players} name=${name} />
  <//>`;
}

/** What is to be paid, and what was. @param {import("../core/sitting.js").Sitting} sitting @param {string} via */
function useSettlement(sitting, via) {
  const [settled, setSettled] = useState(/** @type {Settled | null} */ (null));
  const [paid, setPaid] = useState(/** @type {{seq: number, payment: Payment, at: string}[]} */ ([]));
  const [upTo, setUpTo] = useState(0);
  const [problem, setProblem] = useState("");
  const seq = sitting.seq.value;
  useEffect(() => {
    let late = false;
    const look = async () => {
      const after = Math.max(0, seq - LOOKED_AT);
      const [found, log] = await Promise.all([sitting.read(`/settlement${via ? `?via=${via}` : ""}`), sitting.read(`/events?after=${after}&limit=${LOOKED_AT}`)]);
      if (late) return;
      const struck = log.events.filter((/** @type {any} */ each) => each.status !== "taken_back" && inEffect(each, log.events).type === "settlement_paid");
      setSettled(found);
      setUpTo(seq);
      setPaid(struck.map((/** @type {any} */ each) => ({ seq: each.seq, payment: inEffect(each, log.events), at: each.recorded_at })));
      setProblem("");
    };
    look().catch((failed) => setProblem(failed instanceof Refused ? failed.problem.detail : settled ? "" : t("Without a connection this cannot be told.")));
    return () => {
      late = true;
    };
  }, [seq, via]);
  return { settled, paid, upTo, problem };
}

/** Whether this phone has reported a payment that the service has not confirmed yet. @param {import("../core/sitting.js").Sitting} sitting @param {Payment} payment */
const isReported = (sitting, { from, to, amount }) =>
  sitting.waiting.value.some((report) => report.events.some((event) => event.type === "settlement_paid" && event.from === from && event.to === to && event.amount === amount));

/** A payment to make; with the pot nobody settles, that is for the round or the closing. While it is `old`, something was recorded since, perhaps this very payment: nobody marks it twice. @param {{old: boolean, sitting: import("../core/sitting.js").Sitting, name: (account: string) => string, payment: Payment, currency: string | null}} its */
function Owed({ old, sitting, name, payment, currency }) {
  const { from, to, amount } = payment;
  const may = sitting.mayRecord.value && from !== "pot" && to !== "pot";
  const said = html`<span class="payment-who"><span dir="auto">${name(from)}</span> <span class="soft">${t("pays")}</span> <span dir="auto">${name(to)}</span></span>
    <span class="payment-amount figure"><b>${number(amount)}</b>${payment.money && html`<small class="soft">${money(payment.money, currency)}</small>`}</span>`;
  if (!may) return html`<li class="payment" data-test=${`payment-${from}-${to}`}>${said}</li>`;
  return html`<li><button type="button" class="payment" data-test=${`pay-${from}-${to}`} disabled=${old} onClick=${() => sitting.report({ type: "settlement_paid", from, to, amount })}>
    <span class="tick" aria-hidden="true"></span>${said}<span class="hidden">${t("Mark as paid")}</span></button></li>`;
}

/** What was paid, struck out; another tap takes it back. @param {any} its */
function Paid({ sitting, name, paid }) {
  const reported = sitting.waiting.value.flatMap((/** @type {any} */ report) => report.events).filter((/** @type {any} */ event) => event.type === "settlement_paid");
  const undone = (/** @type {number} */ seq) => sitting.waiting.value.some((/** @type {any} */ report) => report.events.some((/** @type {any} */ event) => event.type === "event_taken_back" && event.seq === seq));
  const standing = paid.filter((/** @type {any} */ each) => !undone(each.seq));
  if (!standing.length && !reported.length) return null;
  const words = (/** @type {Payment} */ { from, to, amount }) => html`<span class="tick done" aria-hidden="true">✓</span><s class="payment-who"><span dir="auto">${name(from)}</span> ${t("pays")} <span dir="auto">${name(to)}</span></s><s class="payment-amount figure">${number(amount)}</s>`;
  return html`<section><h2>${t("Paid")}</h2><ul class="payments">
    ${reported.map((/** @type {any} */ each, /** @type {number} */ index) => html`<li key=${`w${index}`} class="payment waits">${words(each)}</li>`)}
    ${[...standing].reverse().map((/** @type {any} */ each) => html`<li key=${each.seq}>${sitting.mayRecord.value
      ? html`<button type="button" class="payment" data-test=${`unpay-${each.seq}`} title=${time(each.at)} onClick=${() => sitting.report({ type: "event_taken_back", seq: each.seq })}>${words(each.payment)}<span class="hidden">${t("Not paid after all")}</span></button>`
      : html`<span class="payment">${words(each.payment)}</span>`}</li>`)}</ul></section>`;
}

/** What everybody won, who won most first, and what is still to be settled. @param {{people: import("../core/types.js").Player[], name: (account: string) => string}} its */
function Result({ people, name }) {
  const byWon = [...people].sort((one, other) => other.won - one.won);
  return html`<section><h2>${t("Result")}</h2><div class="numbers" tabindex="0" role="region" aria-label=${t("Result")}><table class="people-numbers" data-test="result"><thead><tr><th scope="col">${t("Name")}</th><th scope="col" class="figure">${t("Won")}</th><th scope="col" class="figure">${t("Balance")}</th></tr></thead>
    <tbody>${byWon.map((each) => html`<tr key=${each.id}><th scope="row" dir="auto">${name(each.id)}</th><td class=${`figure ${each.won > 0 ? "gain" : ""}`} data-test=${`won-${each.id}`}>${signed(each.won)}</td><td class="figure" data-test=${`balance-${each.id}`}>${signed(each.balance)}</td></tr>`)}</tbody></table></div>
    <p class="soft small">${t("Won is what play brought; the balance is what is still to be settled.")}</p></section>`;
}

/** Closing the evening, or what came of it. @param {At & {session: import("../core/types.js").Session}} its */
function Closed(its) {
  const { sitting, session } = its;
  const [asked, setAsked] = useState(false);
  const may = sitting.mayRecord.value;
  const reopen = () => sitting.report({ type: "session_reopened" });
  return html`<section class="closing" data-test="closing">
    ${session.status === "closed"
      ? html`<p class="row"><b class="grow">${t("The evening is over.")}</b>${may && html`<button type="button" class="quiet" data-test="reopen" onClick=${reopen}>${t("Go on after all")}</button>`}</p>
        ${session.closing && html`<p class=${session.closing.difference ? "difference" : "soft"} role="status" data-test="difference">${say(session.closing.sentence)}</p>`}`
      : html`<p class="row"><span class="grow soft">${session.round ? t("A round is still open: this will change.") : t("The evening goes on: this is how it stands now.")}</span>${may && html`<button type="button" class="quiet" data-test="close-session" onClick=${() => setAsked(true)}>${t("Close the evening …")}</button>`}</p>`}
    ${asked && html`<${ClosingSheet} ...${its} close=${() => setAsked(false)} />`}
  </section>`;
}
