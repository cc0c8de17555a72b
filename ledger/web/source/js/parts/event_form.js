/**
 * What was seen, as a form: any event of any game, by its description.
 *
 *     html`<${EventForm} kind=${kind} expected=${expected} at=${at} submit=${(event) => …} />`
 *
 * `expected` is what `round.next` says of it, `value` what stands there at first (an event that is to be mended), `problem` the
 * refusal that it met: what is wrong with a field is said at the field.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { say, t } from "../core/words.js";
import { Field, below } from "./field.js";
import { leadsToMarked } from "./number_input.js";

/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").Expected} Expected */
/** @typedef {import("../core/types.js").EventKind} EventKind */
/** @typedef {import("../core/types.js").Problem} Problem */
/** @typedef {import("./field.js").At} At */
/** @typedef {import("./field.js").Fault} Fault */

/** Fields that stand in every event, and are only shown where somebody wants them. */
const SELDOM = ["note", "overrule"];

/**
 * @param {{kind: EventKind, expected?: Expected | null, value?: Record<string, any>, at: At, submit: (event: Event) => void, label?: string,
 *   problem?: Problem | null, under?: string, leave?: string[], busy?: boolean}} its
 *   `under` is where the event stands in what was sent (`/events/0`), `leave` names fields that are not to be asked
 */
export function EventForm({ kind, expected = null, value, at, submit, label, problem, under = "/events/0", leave = [], busy = false }) {
  const fields = kind.fields.filter((each) => !leave.includes(each.name)).map((each) => bounded(each, expected, at));
  const usual = fields.filter((each) => !SELDOM.includes(each.name));
  const seldom = fields.filter((each) => SELDOM.includes(each.name));
  const [given, setGiven] = useState(() => ({ ...atFirst(fields, expected), ...value }));
  const [asked, setAsked] = useState(0);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useEffect(() => form.current?.querySelector(".fault")?.closest(".field")?.scrollIntoView({ block: "nearest" }), [asked]);
  const missing = usual.filter((each) => each.required && given[each.name] === undefined);
  const faults = [...faultsOf(problem, under), ...(asked ? missing.map((each) => ({ path: [each.name], detail: t("This is needed.") })) : [])];
  const send = (/** @type {any} */ event) => {
    event.preventDefault();
    setAsked(asked + 1);
    if (!leadsToMarked(form.current) && missing.length === 0) submit(eventOf(kind, given));
  };
  const draw = (/** @type {any} */ each) => html`<${Field} key=${each.name} field=${each} value=${given[each.name]} at=${at} faults=${below(faults, each.name)}
    set=${(/** @type {any} */ next) => setGiven((before) => ({ ...before, [each.name]: next }))} />`;
  return html`<form ref=${form} class="event-form" data-test=${`form-${kind.type}`} onSubmit=${send} novalidate>
    ${usual.map(draw)}
    ${seldom.length > 0 && html`<details class="seldom" open=${seldom.some((each) => given[each.name] !== undefined)}><summary data-test="more-fields">${t("Note …")}</summary>${seldom.map(draw)}</details>`}
    <button class="main wide" data-test="record" disabled=${busy}>${label ?? say(kind.label)}</button>
  </form>`;
}

/** What is given, without what is not. @param {EventKind} kind @param {Record<string, any>} given @returns {Event} */
const eventOf = (kind, given) => ({ type: kind.type, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) });

/** What of an event is known beforehand. @param {import("./field.js").Asked[]} fields @param {Expected | null} expected */
function atFirst(fields, expected) {
  /** @type {Record<string, any>} */
  const known = {};
  for (const field of fields) {
    if (field.kind === "player" && field.required && expected?.player && field.name === "player") known[field.name] = expected.player;
    else if (field.kind === "player" && field.among?.length === 1) known[field.name] = field.among[0];
  }
  return known;
}

/**
 * A field with the bounds that the moment gives it.
 * @param {import("../core/types.js").Field} field @param {Expected | null} expected @param {At} at @returns {import("./field.js").Asked}
 */
function bounded(field, expected, at) {
  const known = at.editing ? null : expected;
  if (field.kind === "player" && field.name === "player" && known) {
    const seats = at.round?.players ?? [];
    const among = known.players ?? seats.filter((each) => !known.not_players?.includes(each));
    return among.length ? { ...field, among } : field;
  }
  const codes = at.editing ? undefined : at.round?.cards?.next[expected?.type ?? ""];
  if (field.kind === "card" || field.of?.kind === "card") return { ...field, codes, ...(field.kind === "list" && known?.at_most !== undefined ? { at_most: known.at_most } : {}) };
  if (field.kind !== "whole" || !known) return field;
  if (known.columns && field.name === "column") return { ...field, kind: "word", values: /** @type {any} */ (known.columns) };
  const least = field.required ? (known.amount_at_least ?? field.at_least) : field.at_least;
  const largest = known.amount_at_most ?? known.at_most;
  return { ...field, at_least: least, at_most: largest ?? field.at_most, largest };
}

/** What a refusal says of fields, by where they are in the event. @param {Problem | null | undefined} problem @param {string} under @returns {Fault[]} */
export function faultsOf(problem, under) {
  return (problem?.errors ?? [])
    .filter((each) => each.pointer?.startsWith(under))
    .map((each) => ({ path: /** @type {string} */ (each.pointer).slice(under.length).split("/").filter(Boolean), detail: each.detail }));
}
