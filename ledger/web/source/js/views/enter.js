/**
 * A round that nobody wrote down, by its totals; whether they match is seen while they are typed.
 */
import { html } from "../core/html.js";
import { keptForm } from "../core/drafts.js";
import { nameOf, seated, shortNameOf } from "../core/names.js";
import { numberIn } from "../core/typed.js";
import { number, say, t } from "../core/words.js";
import { PlayedOn } from "../parts/day.js";
import { NumberInput, Unread, UnreadRow } from "../parts/number_input.js";
import { Choice, Task } from "../parts/task.js";

/** @typedef {Record<string, string>} Typed chips by player */

/** @param {string | undefined} text */
const read = (text) => numberIn(text ?? "", { least: 0 });
/** @param {string | undefined} text @returns {number} */
const chips = (text) => read(text).value ?? 0;
/** @param {[string, string | undefined][]} cells */
const sum = (cells) => cells.reduce((before, [, each]) => before + chips(each), 0);
/** @param {[string, string | undefined][]} cells */
const amounts = (cells) => Object.fromEntries(cells.filter(([, each]) => chips(each) > 0).map(([player, each]) => [player, chips(each)]));

/** @param {import("../parts/task.js").Doing} its */
export function Enter(its) {
  const { session, game } = its;
  const people = seated(session);
  const draft = keptForm(its.sitting.id, "round_entered", { put: /** @type {Typed} */ ({}), got: /** @type {Typed} */ ({}), stays: "", next: "", day: "" });
  const { stays, day, ...typed } = draft.form;
  const next = people.some((each) => each.id === typed.next) ? typed.next : "";
  const ofThose = (/** @type {Typed} */ column) => people.map((each) => /** @type {[string, string | undefined]} */ ([each.id, column[each.id]])); // who left meanwhile has no line
  const [put, got] = [ofThose(typed.put), ofThose(typed.got)];
  const unread = [...put, ...got, ["stays", stays]].some(([, text]) => read(text).wrong);
  const off = session.pot + sum(put) - sum(got) - chips(stays);
  const event = () => ({ payments: amounts(put), payouts: amounts(got), ...(chips(stays) ? { pot: chips(stays) } : {}), ...(next ? { next_dealer: next } : {}), ...(day ? { played_on: day } : {}) });
  /** @type {[string, string][]} */
  const dealers = [["", "–"], ...people.map((each) => /** @type {[string, string]} */ ([each.id, nameOf(session, each.id)]))];
  return html`<${Task} ...${its} type="round_entered" draft=${draft} ready=${unread || (off === 0 && sum(put) + sum(got) + chips(stays) > 0)} event=${event}>
    <table class="totals"><thead><tr><th>${t("Name")}</th><th class="figure">${t("Put in")}</th><th class="figure">${t("Took out")}</th></tr></thead>
      <tbody>${people.map((each) => html`<tr key=${each.id}><th scope="row" dir="auto">${shortNameOf(session, each.id, game, 24)}</th>
        <td><${Amount} hook=${`put-in-${each.id}`} label=${t("{name} put in", { name: nameOf(session, each.id) })} text=${typed.put[each.id]} change=${(/** @type {string} */ text) => draft.change({ put: { ...typed.put, [each.id]: text } })} /></td>
        <td><${Amount} hook=${`got-out-${each.id}`} label=${t("{name} took out", { name: nameOf(session, each.id) })} text=${typed.got[each.id]} change=${(/** @type {string} */ text) => draft.change({ got: { ...typed.got, [each.id]: text } })} /></td></tr>
        ${[`put-in-${each.id}`, `got-out-${each.id}`].map((hook, column) => html`<${UnreadRow} key=${hook} id=${hook} wrong=${read((column ? typed.got : typed.put)[each.id]).wrong} columns=${3} />`)}`)}</tbody></table>
    <label class="field"><span class="field-label">${t("Stays in the pot")}</span><${Amount} hook="stays" label=${t("Stays in the pot")} text=${stays} change=${(/** @type {string} */ text) => draft.change({ stays: text })} /><${Unread} id="stays" wrong=${read(stays).wrong} /></label>
    <${Choice} label=${t("Who deals next")} hook="next-dealer" value=${next} change=${(/** @type {string} */ player) => draft.change({ next: player })} options=${dealers} />
    <${PlayedOn} value=${day} change=${(/** @type {string} */ text) => draft.change({ day: text })} />
    <p class=${`sum ${off === 0 && !unread ? "" : "wrong"}`} role="status" data-test="sum">${unread ? t("What is marked cannot be read, so it is not known yet whether it matches.") : said(session.pot, sum(put), sum(got), chips(stays), off, say(game.accounts.pot))}</p>
  <//>`;
}

/** @param {number} carried @param {number} put @param {number} got @param {number} stays @param {number} off @param {string} pot */
function said(carried, put, got, stays, off, pot) {
  const into = [carried ? `${pot} ${number(carried)}` : "", number(put)].filter(Boolean).join(" + ");
  const out = [number(got), stays ? number(stays) : ""].filter(Boolean).join(" + ");
  if (off === 0) return t("{into} in, {out} out: it matches.", { into, out });
  return off > 0 ? t("{into} in, {out} out: {off} still to be taken out.", { into, out, off }) : t("{into} in, {out} out: {off} too many taken out.", { into, out, off: -off });
}

/** @param {{hook: string, label: string, text: string | undefined, change: (text: string) => void}} its */
const Amount = ({ hook, label, text = "", change }) => html`<${NumberInput} id=${hook} hook=${hook} class="figure" aria-label=${label} text=${text} change=${change} wrong=${read(text).wrong} placeholder="0" />`;
