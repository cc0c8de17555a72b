/**
 * A part that nobody needs at once: it comes with the leaves when it is first shown.
 */
import { html, signal, useEffect } from "../core/html.js";
import { fetchedBeside } from "../core/modules.js";

/** @type {import("@preact/signals").Signal<typeof import("../leaves.js") | null>} */
const loaded = signal(null);

/** @param {"AtHand" | "Ending" | "Mending" | "Menu" | "Notices" | "Result" | "SeatDraw" | "WentBack" | "Why"} name @returns {(its: any) => any} */
export const fromLeaves = (name) => (its) => {
  useEffect(() => void fetchedBeside(() => import("../leaves.js")).then((leaves) => (loaded.value = leaves)), []);
  return loaded.value && html`<${loaded.value[name]} ...${its} />`;
};
