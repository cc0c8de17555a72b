/**
 * What the scorekeeper wants to report at Kakkuri, where it is not the first thing that may come, and which cards are in sight.
 */
import { signal } from "../core/html.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./kakkuri_standing.js").Standing} Standing */

export const TURN = "turn_played";
export const HOOKS = /** @type {Record<string, string>} */ ({
  player_dropped_out: "dropped-out", hand_exchanged: "exchanged", three_ones_shown: "three-ones", three_pairs_declared: "three-pairs",
  starter_revealed: "starter", box_card_revealed: "box-card",
});

/** Until the next report from this phone; another phone does not end it. */
const mode = signal({ key: "", type: "", all: false });
/** @param {Play} play */
const keyOf = ({ sitting, round }) => [sitting.id, round.number, round.phase, sitting.made.value].join("/");
/** @param {Play} play */
const modeOf = (play) => (mode.value.key === keyOf(play) ? mode.value : { key: keyOf(play), type: "", all: false });

/** Whether all cards are in sight. @param {Play} play */
export const showsAll = (play) => modeOf(play).all;
/** @param {Play} play @param {boolean} all */
export const showAll = (play, all) => void (mode.value = { ...modeOf(play), all });

/** What is asked just now. @param {Play} play @param {Standing} now */
export function askedOf(play, now) {
  const types = now.next.filter((each) => each.players?.length !== 0).map((each) => each.type);
  const { type } = modeOf(play);
  return types.includes(type) ? type : types[0];
}

/** Ask for something else, or once more for what was asked first. @param {Play} play @param {Standing} now @param {string} type */
export function choose(play, now, type) {
  const isBack = askedOf(play, now) === type && now.next.some((each) => each.type === TURN);
  mode.value = { ...modeOf(play), type: isBack ? TURN : type };
}
