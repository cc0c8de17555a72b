/**
 * The sessions that this phone knows, each with the strongest token it was given. They lie in the phone's storage.
 *
 * A token comes in the address's fragment, which no server sees, and is taken out of it at once.
 */
import { signal } from "@preact/signals";
import { discardAll } from "./drafts.js";
import { store, stored } from "./storage.js";

/**
 * @typedef {{id: string, token: string, role: Role, name: string | null, game: string, people: string[],
 *   status: string, seen: string, played?: string | null, sample?: boolean}} Known a session: `seen` is when this phone had it open
 *   last, `played` the day, where it was recorded afterwards, `sample` whether it is only to try things out
 */
/** @typedef {"owner" | "scorer" | "viewer"} Role */

const KEPT = "fuda.sessions";
const MOST = 200;
const STRENGTH = { viewer: 0, scorer: 1, owner: 2 };

/** Latest first. @type {import("@preact/signals").Signal<Known[]>} */
export const known = signal(read());

/** @returns {Known[]} */
function read() {
  try {
    return JSON.parse(stored(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {Known[]} sessions */
function write(sessions) {
  known.value = sessions;
  store(KEPT, JSON.stringify(sessions));
}

addEventListener("storage", (changed) => {
  if (changed.key === KEPT) known.value = read();
});

/** @param {string} id */
export const keyOf = (id) => known.peek().find((each) => each.id === id);

/** Keep a session; a weaker link never takes the place of a stronger one. @param {Partial<Known> & {id: string, token: string, role: Role}} session */
export function keep(session) {
  const others = known.peek().filter((each) => each.id !== session.id);
  const before = keyOf(session.id);
  const stronger = before && STRENGTH[before.role] > STRENGTH[session.role] ? { token: before.token, role: before.role } : {};
  const blank = { name: null, game: "", people: [], status: "open", seen: "" };
  write([{ ...blank, ...before, ...session, ...stronger, seen: new Date().toISOString() }, ...others].slice(0, MOST));
}

/** A link that ended opens nothing any more: one that comes takes its place, whatever it may do. @param {string} id */
export const dropKey = (id) => write(known.peek().filter((each) => each.id !== id));

/** Forget a session on this phone; in the books it stays. @param {string} id */
export function forget(id) {
  dropKey(id);
  for (const kept of ["stood", "me", "wall"]) store(`fuda.${kept}.${id}`, null);
  discardAll(id);
}
