/**
 * A card that lies on the table, or was seen, is tapped: what was recorded of it can be looked at and mended.
 */
import { signal } from "../core/html.js";
import { fromLeaves } from "./from_leaves.js";

/** The card that is mended just now. @type {import("@preact/signals").Signal<{session: string, card: string} | null>} */
export const mending = signal(null);

/** @param {{sitting: {id: string}}} play @param {string} card */
export const mend = ({ sitting }, card) => void (mending.value = { session: sitting.id, card });

export const Mending = fromLeaves("Mending");
