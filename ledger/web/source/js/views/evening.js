/**
 * What is done about the whole evening or round: a round that does not count, and what the evening is called.
 */
import { html, useState } from "../core/html.js";
import { kindOf } from "../core/names.js";
import { t } from "../core/words.js";
import { ChipValue, chipValue } from "../parts/chip_value.js";
import { PlayedOn } from "../parts/day.js";
import { Field } from "../parts/field.js";
import { Line, Task } from "../parts/task.js";

/** @typedef {import("../parts/task.js").Doing} Doing */

/** @param {Doing} its */
export function Void(its) {
  const [reason, setReason] = useState("");
  return html`<${Task} ...${its} type="round_voided" danger ready=${reason.trim() !== ""} event=${() => ({ reason: reason.trim() })}>
    <${Line} label=${t("Why it does not count")} hook="reason" most=${500} value=${reason} change=${setReason} />
  <//>`;
}

/** A card that fell open. @param {Doing} its */
export function Exposed(its) {
  const { session, game, deck } = its;
  const [event, setEvent] = useState(/** @type {Record<string, any>} */ ({}));
  const fields = kindOf(game, "card_exposed")?.fields.filter((each) => !["note", "overrule"].includes(each.name)) ?? [];
  return html`<${Task} ...${its} type="card_exposed" ready=${event.card !== undefined} event=${() => event}>
    ${fields.map((field) => html`<${Field} key=${field.name} field=${field} value=${event[field.name]} at=${{ session, game, deck, round: session.round }}
      set=${(/** @type {any} */ value) => setEvent((before) => ({ ...before, [field.name]: value }))} />`)}
  <//>`;
}

/** @param {Doing} its */
export function Describe(its) {
  const { session } = its;
  const before = { name: session.name ?? "", currency: session.chip_value?.currency ?? "", perChip: session.chip_value?.per_chip ?? "", playedOn: session.played_on ?? "" };
  const [form, setForm] = useState(before);
  const named = form.name.trim() && form.name.trim() !== before.name ? { name: form.name.trim() } : {};
  const worth = chipValue(form);
  const changed = worth && (worth.currency !== before.currency || worth.per_chip !== before.perChip) ? { chip_value: worth } : {};
  const day = form.playedOn && form.playedOn !== before.playedOn ? { played_on: form.playedOn } : {};
  const event = { ...named, ...changed, ...day };
  return html`<${Task} ...${its} type="session_described" ready=${Object.keys(event).length > 0} event=${() => event}>
    <${Line} label=${t("What the evening is called")} hook="evening" value=${form.name} change=${(/** @type {string} */ name) => setForm({ ...form, name })} />
    <${ChipValue} currency=${form.currency} perChip=${form.perChip} wrong=${() => undefined} change=${(/** @type {{}} */ part) => setForm({ ...form, ...part })} />
    <${PlayedOn} value=${form.playedOn} change=${(/** @type {string} */ playedOn) => setForm({ ...form, playedOn })} />
  <//>`;
}
