/**
 * What was recorded last, newest first, where a screen has room for it.
 */
import { html, useEffect, useState } from "../core/html.js";
import { finder, sayEvent } from "../log/say.js";

const SHOWN = 4;
const ROOM = matchMedia("(min-width: 820px) and (min-height: 541px)");

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, session: import("../core/types.js").Session}} at */
export function Latest(at) {
  const { sitting } = at;
  const [events, setEvents] = useState(/** @type {import("../core/types.js").StoredEvent[]} */ ([]));
  const seq = sitting.seq.value;
  useEffect(() => {
    if (!ROOM.matches || seq < 2) return;
    void sitting.read(`/events?after=${Math.max(0, seq - 1 - SHOWN)}&limit=${SHOWN + 1}`).then((page) => setEvents(page.events), () => undefined);
  }, [seq]);
  const before = events.filter((each) => each.seq < seq).slice(-SHOWN).reverse();
  return before.length > 0 && html`<ol class="latest">${before.map((each) => html`<li key=${each.seq} dir="auto">${sayEvent(at, each, finder(events))}</li>`)}</ol>`;
}
