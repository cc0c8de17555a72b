/**
 * Who won most: each one's place, the steps of a podium, and whose evening it was.
 */
import { shortNameOf } from "./names.js";
import { listed, t } from "./words.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Player & {place: number, change: number}} Placed those who won the same share a place; `change` is by how many it rose */

const STEPS = 3;

/** @param {number[]} all @param {number} won */
const placeOf = (all, won) => 1 + all.filter((each) => each > won).length;

/** Everyone, the most won first, those who left too. @param {Session} session @param {Record<string, number>} [before] what each had won then @returns {Placed[]} */
export function placed({ players }, before) {
  const now = players.map((each) => each.won);
  const then = players.map((each) => before?.[each.id] ?? 0);
  const bySeat = [...players].sort((one, other) => (one.seat ?? players.length + 1) - (other.seat ?? players.length + 1));
  const places = bySeat.map((each) => ({ ...each, place: placeOf(now, each.won) }));
  return places.map((each) => ({ ...each, change: before ? placeOf(then, before[each.id] ?? 0) - each.place : 0 })).sort((one, other) => one.place - other.place);
}

/** What each had won before the last round, and after which that was; null before there was one. @param {Session} session @param {any} statistics */
export function wonBefore({ rounds, players }, statistics) {
  const after = rounds - 1;
  const wonOf = (/** @type {string} */ id) => statistics?.players[id]?.after_rounds[after - 1];
  if (after < 1 || !players.some((each) => wonOf(each.id) !== undefined)) return null;
  return { after, won: Object.fromEntries(players.map((each) => [each.id, wonOf(each.id) ?? 0])) };
}

/** Those on each step, the highest first; none where all have won nothing. @param {Placed[]} order @returns {Placed[][]} */
export function stepsOf(order) {
  if (order.every((each) => each.won === 0)) return [];
  const steps = Array.from({ length: STEPS }, (_, at) => order.filter((each) => each.place === at + 1));
  return steps.filter((each) => each.length > 0);
}

/** Whose evening it was; null where none or too many won most. @param {Session} session @param {Placed[]} order */
export function whoseEvening(session, order) {
  const first = stepsOf(order)[0] ?? [];
  const isClear = first.length > 0 && first.length < STEPS;
  return isClear ? t("{name}'s evening", { name: listed(first.map((each) => shortNameOf(session, each.id, null, first.length > 1 ? 10 : 18))) }) : null;
}
