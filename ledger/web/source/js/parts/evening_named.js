/**
 * How an evening is called where several stand, and the day that it was.
 */
import { say } from "../core/words.js";

/** @typedef {import("../core/keys.js").Known} Known */
/** @typedef {import("../core/types.js").Game} Game */

/** @param {Game[]} games @param {string} name */
export const titleOf = (games, name) => say(games.find((each) => each.name === name)?.title) || name;

/** @param {Game[]} games @param {Known} evening */
export const nameOfEvening = (games, evening) => evening.name ?? titleOf(games, evening.game);

/** @param {Known} evening @param {import("../core/types.js").Session | null} stood */
export const dayOfEvening = (evening, stood) => new Date(evening.played ? `${evening.played}T12:00` : (stood?.created_at ?? evening.seen));
