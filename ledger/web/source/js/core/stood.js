/**
 * Where a session stood when this phone saw it last.
 */
import { stored } from "./storage.js";

/** @param {string} id @returns {import("./types.js").Session | null} */
export function stoodOf(id) {
  try {
    return JSON.parse(stored(`fuda.stood.${id}`) ?? "null");
  } catch {
    return null;
  }
}

/** How many of its rounds have ended. @param {import("./types.js").Session | null} session */
export const roundsEnded = (session) => (session ? session.rounds - (session.round ? 1 : 0) : 0);
