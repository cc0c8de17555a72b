/**
 * What stands in the log, in words: an event as it was told, a correction with what it is about.
 */
import { told } from "../core/names.js";
import { reported } from "../core/same.js";
import { t } from "../core/words.js";

/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {{session: import("../core/types.js").Session | null, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck}} Here */
/** @typedef {(seq: number, part?: number) => Event | null} Find an event of the log as it was reported, if it is at hand */

const CORRECTIONS = ["event_taken_back", "event_amended", "event_inserted", "corrections_made"];
/** Whether an event is about another one. @param {{type: string}} event */
export const isCorrection = (event) => CORRECTIONS.includes(event.type);

/** Where the event lies that a correction is about. @param {Event} event @returns {number} */
export const aboutOf = (event) => event.target ?? event.seq ?? event.after ?? 0;

/** What an event says, or what a correction says of another. @param {Here} here @param {Event} event @param {Find} find @returns {string} */
export function sayEvent(here, event, find) {
  if (event.type === "corrections_made") return event.corrections.map((/** @type {Event} */ each) => sayEvent(here, { ...each, target: each.target ?? each.seq }, find)).join(" · ");
  if (event.type === "event_inserted") return t("Forgotten and added: {what}", { what: told(here, event.event) });
  if (event.type === "event_amended") return t("Corrected: {what}", { what: told(here, event.event) });
  if (event.type !== "event_taken_back") return told(here, event);
  const about = find(aboutOf(event), event.part);
  if (!about) return t("Event {seq} taken back", { seq: aboutOf(event) });
  if (about.type === "event_taken_back") return t("Put back: {what}", { what: restored(here, about, find) });
  return t("Taken back: {what}", { what: sayEvent(here, about, find) });
}

/** @param {Here} here @param {Event} takeBack @param {Find} find */
function restored(here, takeBack, find) {
  const about = find(aboutOf(takeBack), takeBack.part);
  return about ? sayEvent(here, about, find) : t("event {seq}", { seq: aboutOf(takeBack) });
}

/** Whether an event names a player, as it was reported or as it counts. @param {StoredEvent} event @param {StoredEvent[]} events @param {string} player */
export const concerns = (event, events, player) => JSON.stringify([event, inEffect(event, events), events.find((each) => each.seq === aboutOf(event))]).includes(`"${player}"`);

/**
 * Find events among those at hand; what a correction inserted is found by its part.
 * @param {StoredEvent[]} events @returns {Find}
 */
export function finder(events) {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return (seq, part) => {
    const found = bySeq.get(seq) ?? null;
    return found && part ? (found.corrections?.[part - 1]?.event ?? null) : found;
  };
}

/**
 * What counts in the place of an event: its latest amendment, or itself; of an insertion, what was inserted.
 * @param {StoredEvent} event @param {StoredEvent[]} events those at hand, oldest first @param {number} [part]
 * @returns {Event}
 */
export function inEffect(event, events, part) {
  const parts = events.filter((each) => each.status === "standing").flatMap((each) => (each.type === "corrections_made" ? each.corrections : [each]));
  const amended = [...parts].reverse().find((each) => each.type === "event_amended" && aboutOf(each) === event.seq && (each.part ?? 0) === (part ?? 0));
  const own = part ? event.corrections[part - 1] : event;
  return reported(amended?.event ?? own.event ?? own);
}
