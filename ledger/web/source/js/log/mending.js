/**
 * What was recorded of a card of this round is found in the log and mended.
 */
import { html, useEffect, useState } from "../core/html.js";
import { cardName } from "../core/names.js";
import { t } from "../core/words.js";
import { mending } from "../parts/mending.js";
import { Sheet } from "../parts/sheet.js";
import { CorrectSheet } from "./correct.js";
import { inEffect, isCorrection } from "./say.js";

/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any}} At */

/** So many events are looked through at a time. */
const PAGE = 200;

/** @param {At} at */
export function Mending(at) {
  const { sitting, deck } = at;
  const card = mending.value?.card ?? "";
  const [found, setFound] = useState(/** @type {{event: StoredEvent, events: StoredEvent[]} | null} */ (null));
  const [why, setWhy] = useState("");
  useEffect(() => {
    find(sitting, card).then(
      (event) => (event ? setFound(event) : setWhy(t("It is not in the books yet. Undo takes it back."))),
      () => setWhy(t("Without a connection this cannot be shown.")),
    );
  }, []);
  const close = () => void (mending.value = null);
  if (found) return html`<${CorrectSheet} at=${{ ...at, session: sitting.session.value }} wanted=${{ act: "correct", event: found.event }} events=${found.events} looksUp close=${close} />`;
  return why && html`<${Sheet} title=${cardName(deck, card)} close=${close} hook="correction"><p role="alert" data-test="problem">${why}</p><//>`;
}

/** The newest event of this round that names the card. @param {At["sitting"]} sitting @param {string} card */
async function find(sitting, card) {
  const round = sitting.session.value?.round?.number;
  for (let before = sitting.seq.value; before > 0; before -= PAGE) {
    const after = Math.max(0, before - PAGE);
    const { events } = await sitting.read(`/events?after=${after}&limit=${before - after}`);
    const tells = (/** @type {StoredEvent} */ each) => each.type === "event_inserted" || !isCorrection(each);
    const names = (/** @type {StoredEvent} */ each) => JSON.stringify(inEffect(each, events)).includes(`"${card}"`);
    const event = events.findLast((/** @type {StoredEvent} */ each) => each.round === round && each.status !== "taken_back" && tells(each) && names(each));
    if (event) return { event, events };
  }
  return null;
}
