/**
 * Where the reader is: `/#/`, `/#/s/{session}`, `/#/s/{session}/{view}`. A token in the address is handed over once and
 * taken out of it before anything else happens.
 */
import { signal } from "@preact/signals";
import { leaveFor } from "./sheets.js";

/** @typedef {{session: string | null, view: string, about: string | null, token: string | null}} Place */

/** @returns {Place} */
function read() {
  const [path = "", query = ""] = location.hash.replace(/^#/, "").split("?");
  const [, first, session, view, about] = path.split("/");
  const token = new URLSearchParams(query).get("t");
  if (query) history.replaceState(history.state, "", `#${path}`);
  if (first !== "s" || !session) return { session: null, view: first || "start", about: null, token: null };
  return { session, view: view || "table", about: about ? decoded(about) : null, token };
}

/** What stands in an address; one that was mistyped is taken as it is. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @type {import("@preact/signals").Signal<Place>} */
export const place = signal(read());

addEventListener("hashchange", () => {
  place.value = read();
});

/** The address of a view. @param {string | null} session @param {string} [view] @param {string | number} [about] */
export function address(session, view = "", about = "") {
  if (!session) return `#/${view}`;
  return ["#", "s", session, view, about === "" ? "" : encodeURIComponent(about)].filter(Boolean).join("/");
}

/** Go somewhere. @param {string} to as `address` gives it */
export const go = leaveFor;
