/**
 * What an event should have been, by the description that the API gives of it.
 */
import { html } from "../core/html.js";
import { isCorrection } from "./say.js";
import { kindOf } from "../core/names.js";
import { say, t } from "../core/words.js";
import { Field } from "../parts/field.js";

/** What a field is called elsewhere on the page, where it is the same thing. @type {Record<string, string>} */
const HOOKS = { "bid_placed.amount": "bid-amount" };
const NOT_ASKED = ["note", "overrule"];
const NEVER = ["player_erased", "odds_switched"];

/** @param {{at: any, draft: import("./drafts.js").Draft, set: (event: import("../core/types.js").Event) => void, folded: boolean, only?: string}} its `only` names the one field that is asked */
export function DraftForm({ at, draft, set, folded, only }) {
  const event = draft.event ?? { type: "" };
  const kind = kindOf(at.game, event.type);
  const here = { ...at, editing: true, unfolded: !folded };
  const fields = kind?.fields.filter((each) => !NOT_ASKED.includes(each.name) && (!only || each.name === only)) ?? [];
  const kinds = html`<${Kinds} game=${at.game} type=${event.type} folded=${draft.act === "amend"} set=${(/** @type {string} */ type) => set(type === draft.was.type && draft.act === "amend" ? draft.was : { type })} />`;
  return html`<div class="event-form">
    ${draft.act === "insert" && kinds}
    ${fields.map((field) => html`<${Field} key=${`${event.type}.${field.name}`} field=${field} at=${here} value=${event[field.name]} hook=${HOOKS[`${event.type}.${field.name}`]}
      set=${(/** @type {any} */ value) => set(without({ ...event, [field.name]: value }))} />`)}
    ${draft.act !== "insert" && !only && kinds}
    ${kind && fields.length === 0 && html`<p class="soft">${say(kind.about)}</p>`}
  </div>`;
}

/** What kind of event it was; of one that is corrected that is seldom the mistake. @param {{game: any, type: string, folded: boolean, set: (type: string) => void}} its */
function Kinds({ game, type, folded, set }) {
  const kinds = game.events.filter((/** @type {any} */ each) => !isCorrection(each) && !NEVER.includes(each.type));
  const select = html`<label class="field"><span>${t("What was it?")}</span><select data-test="kind" value=${type} onChange=${(/** @type {any} */ chosen) => set(chosen.target.value)}>
    ${!type && html`<option value="">–</option>`}${kinds.map((/** @type {any} */ each) => html`<option key=${each.type} value=${each.type}>${say(each.label)}</option>`)}</select></label>`;
  return folded ? html`<details class="other-kind"><summary>${t("It was something else altogether")}</summary>${select}</details>` : select;
}

/** @param {any} event */
const without = (event) => /** @type {import("../core/types.js").Event} */ (Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)));
