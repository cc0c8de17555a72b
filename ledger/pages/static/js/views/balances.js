/**
 * Balances of earlier evenings: of everyone who ever sat here, and by name of people who are not here.
 */
import { html, useState } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { signed, t } from "../core/words.js";
import { Task, typed } from "../parts/task.js";

/** A balance as it is typed: nothing is 0, and what is no number is null. @param {string | undefined} text */
const chips = (text) => {
  const said = (text ?? "").trim().replace("−", "-");
  return said === "" ? 0 : /^[+-]?\d+$/.test(said) ? Number(said) : null;
};

/** @param {import("../parts/task.js").Doing} its */
export function Balances(its) {
  const { session } = its;
  const [here, setHere] = useState(/** @type {Record<string, string>} */ ({}));
  const [absent, setAbsent] = useState([{ name: "", balance: "" }]);
  const named = absent.filter((each) => each.name.trim());
  const all = [...session.players.map((each) => chips(here[each.id])), ...named.map((each) => chips(each.balance))];
  const off = all.reduce((sum, each) => Number(sum) + Number(each), 0);
  const nameless = absent.some((each) => !each.name.trim() && each.balance.trim());
  const ready = off === 0 && !all.includes(null) && !nameless && (named.length > 0 || all.some(Boolean));
  const event = () => ({
    balances: [
      ...session.players.flatMap((each) => (chips(here[each.id]) ? [{ player: each.id, balance: chips(here[each.id]) }] : [])),
      ...named.map((each) => ({ name: each.name.trim(), balance: chips(each.balance) })),
    ],
  });
  const put = (/** @type {number} */ place, /** @type {{}} */ part) => setAbsent(absent.map((each, index) => (index === place ? { ...each, ...part } : each)));
  return html`<${Task} ...${its} type="balances_brought" ready=${ready} event=${event}>
    <table class="totals"><thead><tr><th>${t("Name")}</th><th class="figure">${t("Balance")}</th></tr></thead>
      <tbody>${session.players.map((each) => html`<tr key=${each.id}><th scope="row" dir="auto">${nameOf(session, each.id)}</th>
        <td><${Chips} hook=${`brought-${each.id}`} label=${nameOf(session, each.id)} value=${here[each.id]} change=${(/** @type {string} */ text) => setHere({ ...here, [each.id]: text })} /></td></tr>`)}
      ${absent.map((each, place) => html`<tr key=${`a${place}`}><th scope="row"><input data-test=${`absent-${place}`} aria-label=${t("Somebody who is not here")} placeholder=${t("Somebody who is not here")} maxlength="100" autocomplete="off" dir="auto" value=${each.name} onInput=${(/** @type {Event} */ event) => put(place, { name: typed(event) })} /></th>
        <td><${Chips} hook=${`absent-brought-${place}`} label=${each.name || t("Somebody who is not here")} value=${each.balance} change=${(/** @type {string} */ balance) => put(place, { balance })} /></td></tr>`)}</tbody></table>
    <button type="button" class="quiet" data-test="absent-more" onClick=${() => setAbsent([...absent, { name: "", balance: "" }])}>${t("One more")}</button>
    <p class=${`sum ${off === 0 ? "" : "wrong"}`} role="status" data-test="sum">${off === 0 ? t("Together they come to nothing, as they should.") : t("Together they come to {off}, and should come to nothing.", { off: signed(Number(off)) })}</p>
  <//>`;
}

/** @param {{hook: string, label: string, value: string | undefined, change: (text: string) => void}} its */
function Chips({ hook, label, value, change }) {
  return html`<input class="figure" data-test=${hook} autocomplete="off" aria-label=${label} aria-invalid=${chips(value) === null} value=${value ?? ""} placeholder="0" onInput=${(/** @type {Event} */ event) => change(typed(event))} />`;
}
