/**
 * What the scorekeeper wants to see just now, until the next report: the trump's turn, the cards from 2 to 9, a card of which it is not said yet whose it is.
 */
import { signal } from "../core/html.js";

/** @typedef {{trump: boolean, low: boolean | null, lifted: string | null}} Mode `low` is null where nobody has said, `lifted` is a card */

/** @type {Mode} */
const BLANK = { trump: false, low: null, lifted: null };
const mode = signal({ ...BLANK, key: "" });

/** @param {import("./pads.js").Play} play */
const keyOf = ({ sitting }) => `${sitting.id}/${sitting.tapped.value}`;

/** @param {import("./pads.js").Play} play @returns {Mode} */
export const modeOf = (play) => (mode.value.key === keyOf(play) ? mode.value : BLANK);

/** @param {import("./pads.js").Play} play @param {Partial<Mode>} change */
export const setMode = (play, change) => void (mode.value = { ...modeOf(play), ...change, key: keyOf(play) });
