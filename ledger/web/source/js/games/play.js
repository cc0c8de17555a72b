/**
 * An open round as the pads are given it.
 */
import { guess } from "../core/guess.js";

/** @typedef {import("./pads.js").Play} Play */

const UNCHOSEN = { chosen: null, choose: () => undefined };

/**
 * @param {Pick<Play, "sitting" | "game" | "deck">} at @param {import("./pads.js").Pad | null} pad
 * @param {Pick<Play, "session" | "round"> & Partial<Pick<Play, "records" | "chosen" | "choose">>} standing @returns {Play} for looking on, unless it `records`
 */
export function playing(at, pad, standing) {
  const guessed = guess(standing.round, at.sitting.waiting.value);
  const asked = pad?.turn ? pad.turn(guessed, at) : guessed.next.find((each) => each.player)?.player;
  return { ...at, records: false, ...UNCHOSEN, ...standing, guessed, turn: standing.chosen ?? asked ?? null };
}
