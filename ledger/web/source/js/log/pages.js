/**
 * The log as a reader has it open: the newest page first, earlier ones when they are asked for, and what is recorded
 * meanwhile.
 */
import { useEffect, useRef, useState } from "../core/html.js";
import { all } from "../core/api.js";
import { isCorrection } from "./say.js";

/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {{round: number | null, events: StoredEvent[]}} Group */
/** @typedef {{events: StoredEvent[], from: number, to: number}} Pages oldest first: what lies after `from`, as far as `to` */

const PAGE = 200;

/** @param {Sitting} sitting @param {number} after @param {number} to @returns {Promise<StoredEvent[]>} */
async function between(sitting, after, to) {
  if (to <= after) return [];
  const limit = Math.min(to - after, 500);
  const path = `${sitting.path}/events?after=${after}&limit=${limit}`;
  if (to - after <= 500) return (await sitting.read(path)).events;
  return all(path, "events", { token: sitting.token() });
}

/** What a log has after more was recorded; a correction also changes what is told of older events. @param {Sitting} sitting @param {Pages | null} pages @param {number} seq @returns {Promise<Pages>} */
async function upTo(sitting, pages, seq) {
  const from = pages ? pages.from : Math.max(0, seq - PAGE);
  const news = await between(sitting, pages ? pages.to : from, seq);
  const events = pages && news.some(isCorrection) ? await between(sitting, from, seq) : [...(pages?.events ?? []), ...news];
  return { events, from, to: Math.max(events.at(-1)?.seq ?? from, pages?.to ?? 0) };
}

/**
 * The log of a session, and how to have more of it.
 * @param {Sitting} sitting @param {number | null} [downTo] an event that is looked for
 * @returns {{pages: Pages | null, earlier: () => Promise<void>}}
 */
export function useLog(sitting, downTo = null) {
  const [pages, setPages] = useState(/** @type {Pages | null} */ (null));
  const latest = useRef(pages);
  const work = useRef(Promise.resolve());
  /** One after another. @param {(pages: Pages | null) => Promise<Pages | null>} step */
  const next = (step) => {
    const done = work.current.then(async () => {
      latest.current = await step(latest.current);
      setPages(latest.current);
    });
    work.current = done.catch(() => undefined);
    return work.current;
  };
  /** @param {number} from */
  const backTo = (from) =>
    next(async (held) => (held && from < held.from ? { ...held, from, events: [...(await between(sitting, from, held.from)), ...held.events] } : held));
  const seq = sitting.seq.value;
  useEffect(() => void next((held) => (held && held.to >= seq ? Promise.resolve(held) : upTo(sitting, held, seq))), [seq]);
  useEffect(() => {
    if (downTo !== null) void backTo(Math.max(0, downTo - PAGE / 2));
  }, [downTo]);
  return { pages, earlier: () => backTo(Math.max(0, (latest.current?.from ?? 0) - PAGE)) };
}

/**
 * Events by rounds, newest first. A correction stands where it was reported, whichever round it is about.
 * @param {StoredEvent[]} events oldest first @returns {Group[]}
 */
export function byRounds(events) {
  /** @type {Group[]} */
  const groups = [];
  for (const event of events) {
    const group = groups.at(-1);
    if (group && (isCorrection(event) || group.round === event.round)) group.events.unshift(event);
    else groups.push({ round: event.round, events: [event] });
  }
  return groups.reverse();
}
