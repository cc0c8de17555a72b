/**
 * One field of a form, drawn from the API's description of it: of an event, or a house rule.
 *
 *     html`<${Field} field=${field} value=${value} set=${set} at=${at} />`
 *
 * `set` is told the new value, or undefined where nothing is given any more. Nothing here knows a rule: kinds, bounds, words
 * and labels are the description's. A field's hook is `field-{name}` unless another is given; what lies in a field adds its
 * name after a dot (`rule-payments.king`).
 */
import { html, useId, useState } from "../core/html.js";
import { kindOf, worded } from "../core/names.js";
import { numberIn } from "../core/typed.js";
import { say, t } from "../core/words.js";
import { CardField, People } from "./choices.js";
import { ListField } from "./list_field.js";
import { NumberInput, Unread } from "./number_input.js";

/** @typedef {import("../core/types.js").Field} Described */
/** @typedef {{session: import("../core/types.js").Session | null, game: import("../core/types.js").Game,
 *   deck: import("../core/types.js").Deck | null, round?: import("../core/types.js").Round | null, editing?: boolean, unfolded?: boolean}} At where it is asked;
 *   `editing` something that was recorded, and whether its cards lie open at once (`unfolded`) */
/** @typedef {{path: string[], detail: string}} Fault what is wrong, and where in the value */
/** @typedef {Described & {among?: string[], codes?: string[], largest?: number}} Asked with who or which cards can be meant now, and the largest number that is possible now */
/**
 * @typedef {{field: Asked, value: any, set: (value: any) => void, at: At, hook?: string, faults?: Fault[], disabled?: boolean,
 *   bare?: boolean}} FieldProps `bare` leaves the label to what stands around it
 */

/** @param {FieldProps} its */
export function Field(its) {
  const { field, faults = [], bare = false } = its;
  const id = useId();
  const hook = its.hook ?? `field-${field.name}`;
  const here = faults.filter((each) => each.path.length === 0);
  const Kind = KINDS[field.kind] ?? TextField;
  const grouped = GROUPED.has(field.kind) || (field.kind === "player" && field.name === "player");
  const label = bare ? null : say(field.label);
  const told = html`${field.help && html`<p class="field-help soft" id=${`${id}h`}>${say(field.help)}</p>`}
    ${here.map((each) => html`<p class="fault" role="alert" id=${`${id}f`} data-test=${`fault-${field.name}`}>${each.detail}</p>`)}`;
  const describedby = [field.help && `${id}h`, here.length && `${id}f`].filter(Boolean).join(" ") || undefined;
  const asked = html`<${Kind} ...${its} hook=${hook} id=${id} label=${say(field.label)} describedby=${describedby} wrong=${here.length > 0} />`;
  if (grouped) return html`<fieldset class="field" aria-describedby=${describedby}>${label && html`<legend>${label}</legend>`}${asked}${told}</fieldset>`;
  return html`<div class="field">${label && html`<label for=${id}>${label}${!field.required && field.default === undefined && html` <span class="soft">${t("(if wanted)")}</span>`}</label>`}${asked}${told}</div>`;
}

/** @typedef {FieldProps & {hook: string, id: string, label: string, describedby?: string, wrong: boolean}} KindProps */

/** @param {Event} event */
const typed = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** @param {KindProps} its */
function TextField({ field, value, set, hook, id, label, bare, describedby, wrong, disabled }) {
  const shared = {
    id, "data-test": hook, value: value ?? "", maxlength: field.at_most_characters, disabled, dir: "auto", "aria-describedby": describedby,
    "aria-invalid": wrong, "aria-label": bare ? label : undefined, onInput: (/** @type {Event} */ event) => set(typed(event) || undefined),
  };
  const long = (field.at_most_characters ?? 0) > 200;
  return long ? html`<textarea rows="2" ...${shared}></textarea>` : html`<input ...${shared} pattern=${field.pattern} />`;
}

/** A day of the calendar. @param {KindProps} its */
const DayField = ({ value, set, hook, id, label, bare, describedby, wrong, disabled }) =>
  html`<input type="date" id=${id} data-test=${hook} value=${value ?? ""} disabled=${disabled} aria-describedby=${describedby} aria-invalid=${wrong}
    aria-label=${bare ? label : undefined} onInput=${(/** @type {Event} */ event) => set(typed(event) || undefined)} />`;

/** What a text gives: nothing, a number, or itself where it cannot be read. @param {string} text */
const givenBy = (text) => (text.trim() === "" ? undefined : (numberIn(text).value ?? text));

/** A whole number, to type or to step. @param {KindProps} its */
function WholeField({ field, value, set, hook, id, label, bare, describedby, wrong, disabled }) {
  const { at_least: least, at_most: most } = field;
  const [written, write] = useState(/** @type {string | null} */ (null));
  const text = written !== null && givenBy(written) === value ? written : String(value ?? field.default ?? "");
  const { value: shown, wrong: unread } = numberIn(text);
  /** @param {number} by */
  const step = (by) => set(shown === undefined ? (least ?? 1) : Math.min(Math.max(shown + by, least ?? -Infinity), most ?? Infinity));
  const change = (/** @type {string} */ now) => {
    write(now);
    set(givenBy(now));
  };
  return html`<div class="steps">
    <button type="button" class="quiet" aria-label=${t("One less")} disabled=${disabled || shown <= (least ?? -Infinity)} onClick=${() => step(-1)}>−</button>
    <${NumberInput} id=${id} hook=${hook} class="figure" text=${text} change=${change} wrong=${unread} disabled=${disabled} describedby=${describedby} aria-invalid=${wrong}
      aria-label=${bare ? label : undefined} placeholder=${least === undefined ? undefined : t("from {least}", { least })} onBlur=${() => text.trim() === "" && write(null)} />
    <button type="button" class="quiet" aria-label=${t("One more")} disabled=${disabled || shown >= (most ?? Infinity)} onClick=${() => step(1)}>+</button>
  </div>${field.largest !== undefined && html`<p class="field-help soft" data-test=${`${hook}-at-most`}>${t("At most {count}", { count: field.largest })}</p>`}<${Unread} id=${id} wrong=${unread} />`;
}

/** One of some words. @param {KindProps} its */
function WordField({ field, value, set, hook, id, label, bare, describedby, wrong, disabled }) {
  const open = field.default === undefined;
  const values = field.values ?? field.or ?? [];
  const read = (/** @type {Event} */ event) => set(values.find((each) => String(each) === typed(event)));
  return html`<select id=${id} data-test=${hook} value=${value ?? field.default ?? ""} disabled=${disabled} aria-describedby=${describedby} aria-invalid=${wrong}
      aria-label=${bare ? label : undefined} onChange=${read}>
    ${open && html`<option value="">–</option>`}
    ${values.map((each) => html`<option key=${each} value=${each}>${say(field.value_labels?.[each]) || each}</option>`)}
  </select>`;
}

/** Yes or no, by the words that stand for them. @param {KindProps} its */
const FlagField = (its) => html`<${WordField} ...${its} field=${{ ...its.field, values: [true, false] }} />`;

/** A player: the one that an event is about by buttons, any other from a list. @param {KindProps} its */
function PlayerField(its) {
  const { field, value, set, at } = its;
  const among = amongWhom(its);
  if (field.name === "player") return html`<${People} among=${among} chosen=${value ? [value] : []} tap=${set} at=${at} hook=${its.hook === "field-player" ? "for" : its.hook} />`;
  return html`<${AccountField} ...${its} />`;
}

/** A player, or somebody else who has chips. @param {KindProps} its */
function AccountField(its) {
  const { field, value, set, at, hook, id, label, bare, describedby, wrong, disabled } = its;
  const people = amongWhom(its);
  return html`<select id=${id} data-test=${hook} value=${value ?? ""} disabled=${disabled} aria-describedby=${describedby} aria-invalid=${wrong} aria-label=${bare ? label : undefined}
      onChange=${(/** @type {Event} */ event) => set(typed(event) || undefined)}>
    <option value="">–</option>
    ${people.map((each) => html`<option key=${each} value=${each}>${worded(at, field, each)}</option>`)}
    ${(field.or ?? []).map((each) => html`<option key=${each} value=${each}>${worded(at, field, each)}</option>`)}
  </select>`;
}

/** Who can be meant: whoever is expected, or sits at the table; in a correction anybody who ever did. @param {{field: Asked, at: At}} its */
export const amongWhom = ({ field, at }) =>
  field.among ?? (at.session?.players ?? []).filter((each) => each.active || at.editing).sort((one, other) => (one.seat ?? 99) - (other.seat ?? 99)).map((each) => each.id);

/** What several fields make together. @param {KindProps & {fields?: Described[]}} its */
function GroupField({ field, fields = field.fields ?? [], value, set, at, hook, faults = [], disabled }) {
  const whole = value ?? field.default ?? {};
  return html`<div class="group">${fields.map((/** @type {Described} */ each) => html`<${Field} key=${each.name} field=${each} at=${at} hook=${`${hook}.${each.name}`} disabled=${disabled}
    value=${whole[each.name]} faults=${below(faults, each.name)} set=${(/** @type {any} */ given) => set(given === undefined ? without(whole, each.name) : { ...whole, [each.name]: given })} />`)}</div>`;
}

/** House rules: those that are named, the rest stay as they are. @param {KindProps} its */
function SwitchesField({ value = {}, set, at, faults = [] }) {
  const fields = at.game.rules.filter((each) => !each.only_with || each.only_with === at.session?.deck);
  return html`<div class="group">${fields.map((each) => html`<${Field} key=${each.name} field=${{ ...each, default: at.session?.rules[each.name] ?? each.default }} at=${at} hook=${`rule-${each.name}`}
    value=${value[each.name]} faults=${below(faults, each.name)} set=${(/** @type {any} */ given) => set(given === undefined ? without(value, each.name) : { ...value, [each.name]: given })} />`)}</div>`;
}

/** An event within an event, as in a correction. @param {KindProps} its */
function EventField({ field, value = {}, set, at, hook, faults = [] }) {
  const kinds = at.game.events.filter((each) => !field.values || field.values.includes(each.type));
  const kind = kindOf(at.game, value.type);
  return html`<div class="group"><select data-test=${hook} aria-label=${say(field.label)} value=${value.type ?? ""} onChange=${(/** @type {Event} */ event) => set(typed(event) ? { type: typed(event) } : undefined)}>
      <option value="">–</option>${kinds.map((each) => html`<option key=${each.type} value=${each.type}>${say(each.label)}</option>`)}
    </select>
    ${kind && html`<${GroupField} field=${field} fields=${kind.fields} value=${value} set=${set} at=${at} hook=${hook} faults=${faults} />`}</div>`;
}

/** @type {Record<string, (its: any) => any>} */
const KINDS = {
  text: TextField, day: DayField, whole: WholeField, word: WordField, flag: FlagField, player: PlayerField, account: AccountField, card: CardField, list: ListField,
  group: GroupField, switches: SwitchesField, event: EventField,
};
const GROUPED = new Set(["card", "list", "group", "switches", "event"]);

/** @param {Record<string, any>} whole @param {string} name */
function without(whole, name) {
  const { [name]: _, ...rest } = whole;
  return Object.keys(rest).length ? rest : undefined;
}

/** What is wrong further in. @param {Fault[]} faults @param {string | number} name */
export const below = (faults, name) => faults.filter((each) => each.path[0] === String(name)).map((each) => ({ ...each, path: each.path.slice(1) }));

