/**
 * A card that lies on the table, tapped: what was recorded of it is found in the log and can be mended.
 */
import { html, signal } from "../core/html.js";
import { cardName } from "../core/names.js";
import { t } from "../core/words.js";
import { inEffect } from "../log/say.js";
import { fromLeaves } from "../parts/from_leaves.js";
import { Sheet } from "../parts/sheet.js";

const CorrectSheet = fromLeaves("CorrectSheet");

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */

/** @typedef {{event: StoredEvent, events: StoredEvent[]} | {why: string}} Found what was recorded and the events around it, or why that cannot be mended */

/** What is mended just now. @type {import("@preact/signals").Signal<{session: string, card: string} & Found | null>} */
const mending = signal(null);

const DEALT = new Set(["card_dealt", "field_card_revealed"]);
/** So many events are looked through at a time. */
const PAGE = 200;

/** @param {Play} play @param {string} card */
export async function mendCard(play, card) {
  const found = await find(play, card).catch(() => ({ why: t("Without a connection this cannot be told.") }));
  mending.value = { session: play.sitting.id, card, ...(found ?? { why: t("It is not in the books yet. Undo takes it back.") }) };
}

/** What was recorded of a card in this round, if anything. @param {Play} play @param {string} card @returns {Promise<Found | null>} */
async function find({ sitting, round }, card) {
  for (let before = sitting.seq.value; before > 0; before -= PAGE) {
    const after = Math.max(0, before - PAGE);
    const { events } = await sitting.read(`/events?after=${after}&limit=${before - after}`);
    const event = events.findLast((/** @type {StoredEvent} */ each) => each.round === round.number && each.status !== "taken_back" && DEALT.has(inEffect(each, events).type) && inEffect(each, events).card === card);
    if (event) return { event, events };
  }
  return null;
}

/** @param {Play} at */
export function Mending(at) {
  const found = mending.value;
  if (found?.session !== at.sitting.id) return null;
  const close = () => void (mending.value = null);
  if ("why" in found) return html`<${Sheet} title=${cardName(at.deck, found.card)} close=${close} hook="correction"><p role="alert" data-test="problem">${found.why}</p><//>`;
  return html`<${CorrectSheet} at=${at} wanted=${{ act: "correct", event: found.event, lies: found.event.type === "card_dealt" }} events=${found.events} close=${close} />`;
}
