/**
 * A card that lies on the table, tapped: what was recorded of it is found in the log and can be mended.
 */
import { html, signal } from "../core/html.js";
import { inEffect } from "../log/say.js";
import { fromLeaves } from "../parts/from_leaves.js";

const CorrectSheet = fromLeaves("CorrectSheet");

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */

/** What is mended just now, and the events around it. @type {import("@preact/signals").Signal<{session: string, event: StoredEvent, events: StoredEvent[]} | null>} */
const mending = signal(null);

const DEALT = new Set(["card_dealt", "field_card_revealed"]);
/** So many events are looked through at a time. */
const PAGE = 200;

/** @param {Play} play @param {string} card */
export async function mendCard({ sitting, round }, card) {
  for (let before = sitting.seq.value; before > 0; before -= PAGE) {
    const after = Math.max(0, before - PAGE);
    const { events } = await sitting.read(`/events?after=${after}&limit=${before - after}`);
    const event = events.findLast((/** @type {StoredEvent} */ each) => each.round === round.number && each.status !== "taken_back" && DEALT.has(inEffect(each, events).type) && inEffect(each, events).card === card);
    if (event) return void (mending.value = { session: sitting.id, event, events });
  }
}

/** @param {Play} at */
export function Mending(at) {
  const found = mending.value;
  if (found?.session !== at.sitting.id) return null;
  return html`<${CorrectSheet} at=${at} wanted=${{ act: "correct", event: found.event, lies: found.event.type === "card_dealt" }} events=${found.events} close=${() => (mending.value = null)} />`;
}
