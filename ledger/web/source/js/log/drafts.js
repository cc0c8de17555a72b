/**
 * Corrections as they are being written: one, or several that only make sense together.
 */
import { kindOf } from "../core/names.js";
import { aboutOf, inEffect } from "./say.js";

/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {"amend" | "insert" | "take-back"} Act */
/** @typedef {{act: Act, about: StoredEvent, part?: number, was: Event, event: Event | null}} Draft `was` counts so far, `event` is to */

/** @param {Act} act @param {StoredEvent} about @param {StoredEvent[]} events @param {number} [part] @returns {Draft} */
export function draftOf(act, about, events, part) {
  const was = inEffect(about, events, part);
  const event = act === "amend" ? was : act === "insert" ? { type: "" } : null;
  return { act, about, was, event, ...(part ? { part } : {}) };
}

/** Whether a draft can be looked at: everything needed is there, and something is different. @param {Draft} draft @param {Game} game */
export function isComplete(draft, game) {
  if (draft.act === "take-back") return true;
  const { event } = draft;
  const kind = event && kindOf(game, event.type);
  if (!event || !kind) return false;
  const missing = kind.fields.some((field) => field.required && (event[field.name] === undefined || event[field.name] === ""));
  return !missing && (draft.act === "insert" || JSON.stringify(event) !== JSON.stringify(draft.was));
}

/** What is reported for drafts. @param {Draft[]} drafts @param {string} note @returns {Event} */
export function correctionOf(drafts, note = "") {
  const parts = drafts.map(partOf);
  const [first] = parts;
  const noted = note.trim() ? { note: note.trim() } : {};
  return parts.length === 1 && first ? { ...first, ...noted } : { type: "corrections_made", corrections: parts, ...noted };
}

/** @param {Draft} draft @returns {Event} */
function partOf({ act, about, part, event }) {
  const which = part ? { part } : {};
  const said = event && Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
  if (act === "amend") return { type: "event_amended", seq: about.seq, ...which, event: said };
  if (act === "insert") return { type: "event_inserted", after: about.seq, ...which, event: said };
  return { type: "event_taken_back", seq: about.seq, ...which };
}

/**
 * What another event should have been if two were swapped: what this one took from it, it gets from this one. Nothing,
 * where they have not been.
 * @param {Draft} draft @param {Event} other @returns {Event | null}
 */
export function swapped(draft, other) {
  if (draft.act !== "amend" || !draft.event) return null;
  /** @type {any} */
  let mended = other;
  for (const [name, now] of Object.entries(draft.event)) {
    const before = draft.was[name];
    if (JSON.stringify(before) === JSON.stringify(now)) continue;
    if (typeof now === "string" && typeof before === "string") mended = exchanged(mended, now, before);
    else if (typeof now === "number" && mended[name] === now) mended = { ...mended, [name]: before };
  }
  return JSON.stringify(mended) === JSON.stringify(other) ? null : mended;
}

/** @param {any} whole @param {string} old @param {string} fresh @returns {any} */
function exchanged(whole, old, fresh) {
  if (whole === old) return fresh;
  if (Array.isArray(whole)) return whole.map((each) => exchanged(each, old, fresh));
  if (whole && typeof whole === "object") return Object.fromEntries(Object.entries(whole).map(([name, each]) => [name, exchanged(each, old, fresh)]));
  return whole;
}

/** The events that stand in the way of a correction, each with why. @param {import("../core/types.js").Problem} problem @returns {{seq: number, part?: number, detail?: string}[]} */
export function inTheWay(problem) {
  if (Array.isArray(problem.conflicts)) return problem.conflicts;
  return problem.first_seen_seq ? [{ seq: problem.first_seen_seq }] : [];
}
