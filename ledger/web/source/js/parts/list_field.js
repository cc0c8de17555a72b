/**
 * Fields that hold several: people in an order, cards in an order, or a number for each of some people.
 */
import { html, useState } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { t } from "../core/words.js";
import { Chosen, codesFor, People } from "./choices.js";
import { CardPad } from "./card_pad.js";
import { Field, amongWhom, below } from "./field.js";

/** @typedef {import("./field.js").KindProps} KindProps */

/** @param {KindProps} its */
export function ListField(its) {
  const of = its.field.of ?? {};
  if (of.kind === "card") return html`<${CardsField} ...${its} />`;
  if (of.kind === "player") return html`<${OrderField} ...${its} />`;
  const [first, second, ...more] = of.fields ?? [];
  if (first?.kind === "player" && second && !more.length) return html`<${ForEach} ...${its} who=${first} what=${second} />`;
  return html`<${Rows} ...${its} />`;
}

/** Cards in the order in which they are tapped; where there is room for so many and no more, places that are filled one by one. @param {KindProps} its */
function CardsField({ field, value = [], set, at, hook }) {
  const most = field.at_most ?? Infinity;
  const asked = { field: { ...field, codes: field.codes, or: field.of.or ?? [] }, at };
  const add = (/** @type {string | null} */ code) => value.length < most && set([...value, code]);
  const back = (/** @type {number} */ place) => set(orNothing(value.filter((/** @type {any} */ _, /** @type {number} */ index) => index !== place)));
  return html`<${Chosen} cards=${value} at=${at} back=${back} hook=${`${hook}-chosen`} />
    ${value.length < most && html`<div class="card-choice"><${CardPad} deck=${at.deck} codes=${codesFor(asked)} left=${at.editing ? undefined : at.round?.cards?.left} gone=${counted(value)} tap=${add} />
      ${field.of.nullable && html`<button type="button" class="quiet" data-test="card-none" onClick=${() => add(null)}>${t("not looked at")}</button>`}</div>`}`;
}

/** Everyone once, in the order in which they are tapped. @param {KindProps} its */
function OrderField({ field, value = [], set, at }) {
  const among = amongWhom({ field, at });
  const left = among.filter((each) => !value.includes(each));
  return html`<ol class="chosen">${value.map((/** @type {string} */ each, /** @type {number} */ place) => html`<li key=${each}><button type="button" class="quiet" data-test=${`chosen-${place}`} onClick=${() => set(orNothing(value.filter((/** @type {string} */ other) => other !== each)))}>${nameOf(at.session, each, at.game)}<span aria-hidden="true"> ×</span><span class="hidden">${t("Take back")}</span></button></li>`)}</ol>
    <${People} among=${left} chosen=${[]} tap=${(/** @type {string} */ each) => set([...value, each])} at=${at} />`;
}

/** A value for each person; who has none is left out. @param {KindProps & {who: any, what: any}} its */
function ForEach({ value = [], set, at, hook, faults = [], who, what, field }) {
  const among = amongWhom({ field: { ...field, among: field.among }, at });
  /** @param {string} player */
  const rowOf = (player) => value.findIndex((/** @type {any} */ each) => each[who.name] === player);
  /** @param {string} player @param {any} given */
  const put = (player, given) => {
    const others = value.filter((/** @type {any} */ each) => each[who.name] !== player);
    const rows = given === undefined ? others : [...others, { [who.name]: player, [what.name]: given }];
    set(orNothing(among.flatMap((each) => rows.filter((/** @type {any} */ row) => row[who.name] === each))));
  };
  const labelled = (/** @type {string} */ player) => ({ ...what, required: true, label: { en: nameOf(at.session, player, at.game), ja: nameOf(at.session, player, at.game) } });
  return html`<div class="group for-each">${among.map((player) => html`<${Field} key=${player} field=${labelled(player)} at=${at} hook=${`${hook}-${player}`}
    value=${value[rowOf(player)]?.[what.name]} faults=${below(below(faults, rowOf(player)), what.name)} set=${(/** @type {any} */ given) => put(player, given)} />`)}</div>`;
}

/** Anything else, row by row. @param {KindProps} its */
function Rows({ field, value = [], set, at, hook, faults = [] }) {
  const [more, setMore] = useState(0);
  const rows = [...value, ...Array(Math.max(more, value.length ? 0 : 1)).fill(undefined)];
  const put = (/** @type {number} */ place, /** @type {any} */ given) => {
    const next = [...value];
    if (given === undefined) next.splice(place, 1);
    else next[place] = given;
    setMore(0);
    set(orNothing(next));
  };
  return html`<div class="group">${rows.map((each, place) => html`<${Field} key=${place} bare=${true} field=${{ ...field.of, name: field.name, label: field.label }} at=${at} hook=${`${hook}.${place}`}
      value=${each} faults=${below(faults, place)} set=${(/** @type {any} */ given) => put(place, given)} />`)}
    <button type="button" class="quiet" data-test=${`${hook}-more`} onClick=${() => setMore(more + 1)}>${t("One more")}</button></div>`;
}

/** @param {any[]} list */
const orNothing = (list) => (list.length ? list : undefined);

/** How often each was named. @param {(string | null)[]} codes */
export function counted(codes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const each of codes) if (each) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}
