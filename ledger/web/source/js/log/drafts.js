/**
 * Corrections as they are being written: one, or several that only make sense together.
 */
import { kindOf } from "../core/names.js";
import { aboutOf, inEffect, isCorrection } from "./say.js";

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

const OF_AN_AUCTION = ["bid_placed", "auction_closed"];

/**
 * What was dealt went to another player of the same deal: the two cards change places, and each takes its auction along.
 * Nothing, where that player had no card in that deal yet.
 * @param {Draft[]} drafts @param {StoredEvent[]} events @returns {Draft[] | null}
 */
export function changedPlaces(drafts, events) {
  const [first] = drafts;
  const { was, event, about } = first ?? {};
  if (drafts.length !== 1 || first?.part || !about || !was || !event || event.type !== "card_dealt" || event.player === was.player || event.card !== was.card) return null;
  const standing = events.filter((each) => each.status !== "taken_back" && !isCorrection(each));
  const dealtTo = (/** @type {any} */ player) => standing.filter((each) => each.round === about.round && each.type === "card_dealt" && inEffect(each, events).player === player);
  const other = dealtTo(event.player)[dealtTo(was.player).findIndex((each) => each.seq === about.seq)];
  if (!other) return null;
  const auctionOf = (/** @type {StoredEvent} */ dealt) => {
    const later = standing.filter((each) => each.seq > dealt.seq);
    const end = later.findIndex((each) => !OF_AN_AUCTION.includes(each.type));
    return end < 0 ? later : later.slice(0, end);
  };
  const dealt = (/** @type {StoredEvent} */ one, /** @type {StoredEvent} */ another) => ({ ...draftOf("amend", one, events), event: { ...inEffect(one, events), card: inEffect(another, events).card } });
  const moved = (/** @type {StoredEvent} */ one, /** @type {StoredEvent} */ another) => auctionOf(one).map((each) => ({ ...draftOf("insert", another, events), event: inEffect(each, events) }));
  const gone = [about, other].flatMap(auctionOf).map((each) => draftOf("take-back", each, events));
  return [dealt(about, other), dealt(other, about), ...gone, ...moved(about, other), ...moved(other, about)];
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
