/**
 * Balances of earlier evenings: of everyone who ever sat here, and by name of people who are not here.
 */
import { html } from "../core/html.js";
import { keptForm } from "../core/drafts.js";
import { nameOf } from "../core/names.js";
import { numberIn } from "../core/typed.js";
import { signed, t } from "../core/words.js";
import { NumberInput, UnreadRow } from "../parts/number_input.js";
import { Task, typed } from "../parts/task.js";

/** @param {string | undefined} text @returns {number} */
const chips = (text) => numberIn(text ?? "").value ?? 0;

/** @param {import("../parts/task.js").Doing} its */
export function Balances(its) {
  const { session } = its;
  const draft = keptForm(its.sitting.id, "balances_brought", { here: /** @type {Record<string, string>} */ ({}), absent: [{ name: "", balance: "" }] });
  const { here, absent } = draft.form;
  const named = absent.filter((each) => each.name.trim());
  const texts = [...session.players.map((each) => here[each.id] ?? ""), ...absent.map((each) => each.balance)];
  const unread = texts.some((text) => numberIn(text).wrong);
  const off = texts.reduce((sum, text) => sum + chips(text), 0);
  const nameless = (/** @type {{name: string, balance: string}} */ each) => !each.name.trim() && each.balance.trim() !== "";
  const unready = unread || absent.some(nameless);
  const ready = off === 0 && (named.length > 0 || texts.some(chips));
  const event = () => ({
    balances: [
      ...session.players.flatMap((each) => (chips(here[each.id]) ? [{ player: each.id, balance: chips(here[each.id]) }] : [])),
      ...named.map((each) => ({ name: each.name.trim(), balance: chips(each.balance) })),
    ],
  });
  const put = (/** @type {number} */ place, /** @type {{}} */ part) => draft.change({ absent: absent.map((each, index) => (index === place ? { ...each, ...part } : each)) });
  return html`<${Task} ...${its} type="balances_brought" draft=${draft} ready=${unready || ready} event=${event}>
    <table class="totals two"><thead><tr><th>${t("Name")}</th><th class="figure">${t("Balance")}</th></tr></thead>
      <tbody>${session.players.map((each) => html`<tr key=${each.id}><th scope="row" dir="auto">${nameOf(session, each.id)}</th>
        <td><${Chips} hook=${`brought-${each.id}`} label=${nameOf(session, each.id)} text=${here[each.id]} change=${(/** @type {string} */ text) => draft.change({ here: { ...here, [each.id]: text } })} /></td></tr>
        <${UnreadRow} id=${`brought-${each.id}`} wrong=${numberIn(here[each.id] ?? "").wrong} columns=${2} />`)}
      ${absent.map((each, place) => html`<tr key=${`a${place}`}><th scope="row"><input data-test=${`absent-${place}`} aria-label=${t("A person who is not here")} placeholder=${t("A person who is not here")} maxlength="100" autocomplete="off" dir="auto" value=${each.name} aria-invalid=${nameless(each)} data-marked=${nameless(each) ? "" : undefined} onInput=${(/** @type {Event} */ event) => put(place, { name: typed(event) })} /></th>
        <td><${Chips} hook=${`absent-brought-${place}`} label=${each.name || t("A person who is not here")} text=${each.balance} change=${(/** @type {string} */ balance) => put(place, { balance })} /></td></tr>
        <${UnreadRow} id=${`absent-brought-${place}`} wrong=${numberIn(each.balance).wrong ?? (nameless(each) ? t("Who is it? Write the name.") : undefined)} columns=${2} />`)}</tbody></table>
    <button type="button" class="quiet" data-test="absent-more" onClick=${() => draft.change({ absent: [...absent, { name: "", balance: "" }] })}>${t("One more")}</button>
    <p class=${`sum ${off === 0 && !unread ? "" : "wrong"}`} role="status" data-test="sum">${unread ? t("What is marked cannot be read, so it is not known yet whether it matches.") : off === 0 ? t("They add up to 0, as they should.") : t("They add up to {off}, and should add up to 0.", { off: signed(off) })}</p>
  <//>`;
}

/** @param {{hook: string, label: string, text: string | undefined, change: (text: string) => void}} its */
function Chips({ hook, label, text = "", change }) {
  return html`<${NumberInput} id=${hook} hook=${hook} class="figure" aria-label=${label} text=${text} change=${change} wrong=${numberIn(text).wrong} inputmode="text" placeholder="0" />`;
}
