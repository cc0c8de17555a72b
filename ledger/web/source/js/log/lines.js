/**
 * The lines of the log, newest first; plain cards dealt one after another are one line.
 */
import { html, useState } from "../core/html.js";
import { kindOf, nameOf } from "../core/names.js";
import { listed, t, tn } from "../core/words.js";
import { Row } from "./row.js";

/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {import("./say.js").Here & {sitting: import("../core/sitting.js").Sitting}} Here */
/**
 * @typedef {{at: Here, find: import("./say.js").Find, events: StoredEvent[], of: StoredEvent[], moved?: Map<number, import("../core/types.js").Entry[]>,
 *   want: ((wanted: import("./row.js").Wanted) => void) | null, shown: number | null, show: (seq: number | null) => void, lookUp: (seq: number) => void}} Its
 *   `of` are the lines among all `events` at hand, `moved` the chips that each moved, `want` is null for those who only read
 */

/** More names than these are counted. */
const NAMED = 3;

/** @param {Its} its */
export function Lines(its) {
  return html`<ol class="log">${runs(its).map((run) => {
    const [first] = run;
    return run.length > 1 ? html`<${Plain} key=${run.at(-1)?.seq} ...${its} of=${run} />` : first && html`<${Line} key=${first.seq} ...${its} event=${first} />`;
  })}</ol>`;
}

/** @param {Its & {event: StoredEvent}} its */
const Line = ({ event, shown, show, ...its }) => html`<${Row} ...${its} event=${event} moved=${its.moved?.get(event.seq)} shown=${shown === event.seq} show=${() => show(shown === event.seq ? null : event.seq)} />`;

/** @param {Its} its @returns {StoredEvent[][]} */
function runs({ at: { game, deck }, of }) {
  const matters = kindOf(game, "card_dealt")?.fields.find((each) => each.name === "card")?.matters?.[deck.deck];
  const isPlain = (/** @type {StoredEvent | undefined} */ event) => event?.type === "card_dealt" && event.status === "standing" && matters && !matters.includes(event.card) && !event.note && !event.overrule;
  /** @type {StoredEvent[][]} */
  const found = [];
  for (const event of of) {
    if (isPlain(event) && isPlain(found.at(-1)?.at(-1))) found.at(-1)?.push(event);
    else found.push([event]);
  }
  return found;
}

/** Plain cards, folded until a line of them is wanted. @param {Its} its */
function Plain(its) {
  const { at, of, shown } = its;
  const [isOpen, setOpen] = useState(false);
  const open = isOpen || of.some((event) => event.seq === shown);
  const names = [...new Set([...of].reverse().map((event) => nameOf(at.session, event.player, at.game)))];
  return html`<li class="log-row"><button type="button" class="log-said" aria-expanded=${open} data-test=${`plain-${of.at(-1)?.seq}`} onClick=${() => setOpen(!open)}>
      <span class="log-mark figure" aria-hidden="true">${of.length}</span><span class="log-words" dir="auto">${names.length > NAMED ? tn("{count} plain card", "{count} plain cards", of.length) : t("{names}: plain cards", { names: listed(names) })}</span></button>
    ${open && html`<ol class="log plain">${of.map((event) => html`<${Line} key=${event.seq} ...${its} event=${event} />`)}</ol>`}</li>`;
}
