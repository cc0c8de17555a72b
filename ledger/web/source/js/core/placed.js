/**
 * Who won most: everybody's place, the steps of a podium, and whose evening it was.
 */
import { shortNameOf } from "./names.js";
import { listed, t } from "./words.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Player & {place: number}} Placed */

const STEPS = 3;

/** Everybody, who won most first; those who won the same share a place. @param {Session} session @returns {Placed[]} */
export function placed({ players }) {
  const places = players.map((each) => ({ ...each, place: 1 + players.filter((other) => other.won > each.won).length }));
  return places.sort((one, other) => one.place - other.place);
}

/** Those on each step, the highest first; none where nobody has won anything. @param {Placed[]} order @returns {Placed[][]} */
export function stepsOf(order) {
  if (order.every((each) => each.won === 0)) return [];
  const steps = Array.from({ length: STEPS }, (_, at) => order.filter((each) => each.place === at + 1));
  return steps.filter((each) => each.length > 0);
}

/** Whose evening it was; nobody's where nobody or too many won most. @param {Session} session @param {Placed[]} order */
export function whoseEvening(session, order) {
  const first = stepsOf(order)[0] ?? [];
  const isClear = first.length > 0 && first.length < STEPS;
  return isClear ? t("{name}'s evening", { name: listed(first.map((each) => shortNameOf(session, each.id, null, first.length > 1 ? 10 : 18))) }) : null;
}
