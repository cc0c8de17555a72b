/**
 * A round that nobody wrote down, by its totals; whether they match is seen while they are typed.
 */
import { html, useState } from "../core/html.js";
import { nameOf, shortNameOf } from "../core/names.js";
import { number, say, t } from "../core/words.js";
import { PlayedOn } from "../parts/day.js";
import { Choice, Task, seated, typed } from "../parts/task.js";

/** @typedef {Record<string, string>} Typed chips by player */

/** @param {string | undefined} text */
const chips = (text) => (/^\d+$/.test((text ?? "").trim()) ? Number(text) : 0);
/** @param {Typed} typedIn */
const sum = (typedIn) => Object.values(typedIn).reduce((before, each) => before + chips(each), 0);
/** @param {Typed} typedIn */
const amounts = (typedIn) => Object.fromEntries(Object.entries(typedIn).filter(([, each]) => chips(each) > 0).map(([player, each]) => [player, chips(each)]));

/** @param {import("../parts/task.js").Doing} its */
export function Enter(its) {
  const { session, game } = its;
  const people = seated(session);
  const [put, setPut] = useState(/** @type {Typed} */ ({}));
  const [got, setGot] = useState(/** @type {Typed} */ ({}));
  const [stays, setStays] = useState("");
  const [next, setNext] = useState("");
  const [day, setDay] = useState("");
  const off = session.pot + sum(put) - sum(got) - chips(stays);
  const event = () => ({ payments: amounts(put), payouts: amounts(got), ...(chips(stays) ? { pot: chips(stays) } : {}), ...(next ? { next_dealer: next } : {}), ...(day ? { played_on: day } : {}) });
  /** @type {[string, string][]} */
  const dealers = [["", "–"], ...people.map((each) => /** @type {[string, string]} */ ([each.id, nameOf(session, each.id)]))];
  return html`<${Task} ...${its} type="round_entered" ready=${off === 0 && sum(put) + sum(got) + chips(stays) > 0} event=${event}>
    <table class="totals"><thead><tr><th>${t("Name")}</th><th class="figure">${t("Put in")}</th><th class="figure">${t("Got out")}</th></tr></thead>
      <tbody>${people.map((each) => html`<tr key=${each.id}><th scope="row" dir="auto">${shortNameOf(session, each.id, game, 24)}</th>
        <td><${Amount} hook=${`put-in-${each.id}`} label=${t("{name} put in", { name: nameOf(session, each.id) })} value=${put[each.id]} change=${(/** @type {string} */ text) => setPut({ ...put, [each.id]: text })} /></td>
        <td><${Amount} hook=${`got-out-${each.id}`} label=${t("{name} got out", { name: nameOf(session, each.id) })} value=${got[each.id]} change=${(/** @type {string} */ text) => setGot({ ...got, [each.id]: text })} /></td></tr>`)}</tbody></table>
    <label class="field"><span class="field-label">${t("Stays in the pot")}</span><${Amount} hook="stays" label=${t("Stays in the pot")} value=${stays} change=${setStays} /></label>
    <${Choice} label=${t("Who deals next")} hook="next-dealer" value=${next} change=${setNext} options=${dealers} />
    <${PlayedOn} value=${day} change=${setDay} />
    <p class=${`sum ${off === 0 ? "" : "wrong"}`} role="status" data-test="sum">${said(session.pot, sum(put), sum(got), chips(stays), off, say(game.accounts.pot))}</p>
  <//>`;
}

/** @param {number} carried @param {number} put @param {number} got @param {number} stays @param {number} off @param {string} pot */
function said(carried, put, got, stays, off, pot) {
  const into = [carried ? `${pot} ${number(carried)}` : "", number(put)].filter(Boolean).join(" + ");
  const out = [number(got), stays ? number(stays) : ""].filter(Boolean).join(" + ");
  if (off === 0) return t("{into} in, {out} out: it matches.", { into, out });
  return off > 0 ? t("{into} in, {out} out: {off} still to be got out.", { into, out, off }) : t("{into} in, {out} out: {off} too many got out.", { into, out, off: -off });
}

/** @param {{hook: string, label: string, value: string | undefined, change: (text: string) => void}} its */
function Amount({ hook, label, value, change }) {
  const wrong = Boolean(value?.trim()) && !/^\d+$/.test(value?.trim() ?? "");
  return html`<input class="figure" data-test=${hook} inputmode="numeric" autocomplete="off" aria-label=${label} aria-invalid=${wrong} value=${value ?? ""} placeholder="0" onInput=${(/** @type {Event} */ event) => change(typed(event))} />`;
}
