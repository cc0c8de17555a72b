/**
 * A line of the log: what was reported, when and by which phone, what became of it, and how to correct it.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Tile } from "../cards/tile.js";
import { number, t, time } from "../core/words.js";
import { Changes } from "../parts/changes.js";
import { Icon } from "../parts/icon.js";
import { inEffect, isCorrection, sayEvent } from "./say.js";

/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").Entry} Entry */
/** @typedef {{act: "correct" | "take-back", event: StoredEvent, part?: number}} Wanted what is about to be done */
/** @typedef {Omit<import("./lines.js").Its, "of" | "moved" | "shown" | "show"> & {event: StoredEvent, moved?: Entry[], shown: boolean, show: () => void}} Its */

/** @param {Its} its */
export function Row(its) {
  const { at, event, events, find, want, moved, shown, show } = its;
  const struck = event.status === "taken_back";
  const looks = ["log-row", struck && "struck", isCorrection(event) && "about", shown && "shown"].filter(Boolean).join(" ");
  const said = sayEvent(at, event, find);
  const now = event.status === "amended" ? sayEvent(at, inEffect(event, events), find) : null;
  const fate = event.correction && fateOf(event, find);
  return html`<li class=${looks} id=${`event-${event.seq}`} data-test=${`event-${event.seq}`} data-status=${event.status}>
    <div class="log-line">
      <button type="button" class="log-said" aria-expanded=${shown} onClick=${show}>
        <${Drawn} at=${at} event=${event} />
        <span class="log-words">
          ${struck || now ? html`<s dir="auto">${said}</s>` : html`<span dir="auto">${said}</span>`}${now && html`<span dir="auto">${now}</span>`}
          <small class="soft">${[time(event.recorded_at), event.recorded_by_label, antes(moved), event.note].filter(Boolean).join(" · ")}${fate && html` · <span class="fate">${fate}</span>`}</small>
        </span>
        ${moved && moved.length > 0 && html`<span class="log-chips figure">${number(moved.reduce((sum, each) => sum + each.amount, 0))}</span>`}
      </button>
      ${want && html`<${Deeds} ...${its} want=${want} said=${said} struck=${struck} />`}
    </div>
    ${event.overrule && html`<p class="log-fate">${t("Played so: {reason}", { reason: event.overrule })}</p>`}
    ${shown && html`<${More} ...${its} />`}
  </li>`;
}

/** The card that it is about, else its number. @param {{at: import("./say.js").Here, event: StoredEvent}} its */
function Drawn({ at: { deck }, event }) {
  const { card, cards } = event.event ?? event;
  const code = card ?? cards?.at?.(-1);
  const known = deck.cards.some((each) => each.code === code);
  return html`<span class="log-mark figure">${known ? html`<${Tile} deck=${deck} code=${code} quiet /><span class="hidden">${t("Event {seq}", { seq: event.seq })}</span>` : html`<span aria-label=${t("Event {seq}", { seq: event.seq })}>${number(event.seq)}</span>`}</span>`;
}

/** What opened a round. @param {Entry[] | undefined} moved */
function antes(moved = []) {
  const [first] = moved;
  return first?.reason === "ante" && moved.every((each) => each.amount === first.amount) ? t("{count} antes of {each}", { count: moved.length, each: first.amount }) : "";
}

/** Correct it, take it back, or put back what was taken back. @param {Its & {want: (wanted: Wanted) => void, said: string, struck: boolean}} its */
function Deeds({ at, event, find, want, said, struck }) {
  if (["player_erased", "odds_switched"].includes(event.type)) return null;
  const taken = event.correction?.seq;
  if (struck) return find(taken)?.type === "event_taken_back" && html`<span class="log-deeds"><button type="button" class="undo" data-test=${`put-back-${event.seq}`} data-once=${`put-back-${event.seq}`} onClick=${() => at.sitting.takeBack(taken)}><${Icon} name="redo" /><span>${t("Put back")}</span></button></span>`;
  return html`<span class="log-deeds">
    ${(!isCorrection(event) || event.type === "event_inserted") && html`<button type="button" class="deed" data-test=${`correct-${event.seq}`} aria-label=${t("Correct: {what}", { what: said })} title=${t("Correct")} onClick=${() => want({ act: "correct", event })}><${Icon} name="pencil" /></button>`}
    <button type="button" class="deed" data-test=${`take-back-${event.seq}`} aria-label=${t("Take back: {what}", { what: said })} title=${t("Take back")} onClick=${() => want({ act: "take-back", event })}><${Icon} name="undo" /></button>
  </span>`;
}

/** What became of an event, when and by which phone. @param {StoredEvent} event @param {import("./say.js").Find} find */
function fateOf({ status, correction }, find) {
  const by = find(correction.seq);
  const when = by ? [time(by.recorded_at), by.recorded_by_label].filter(Boolean).join(" · ") : t("event {seq}", { seq: correction.seq });
  return status === "amended" ? t("corrected: {when}", { when }) : t("taken back: {when}", { when });
}

/** What a line has in it: the parts of corrections made together, what it changed then. @param {Its} its */
function More(its) {
  const { at, event, find, lookUp } = its;
  const [changes, setChanges] = useState(/** @type {any} */ (null));
  useEffect(() => {
    void at.sitting.read(`/events/${event.seq}/changes`).then(setChanges, () => setChanges(undefined));
  }, [event.seq]);
  const other = event.correction?.seq ?? event.target ?? 0;
  return html`<div class="log-more" data-test=${`changes-${event.seq}`} aria-live="polite">
    ${event.type === "corrections_made" && html`<${Parts} ...${its} />`}
    ${other > 0 && html`<p><button type="button" class="link" data-test=${`look-up-${other}`} onClick=${() => lookUp(other)}>${event.correction ? fateOf(event, find) : t("It is about event {seq}", { seq: other })}</button></p>`}
    <h3>${t("What it changed")}</h3>
    ${changes === undefined ? html`<p class="soft">${t("That cannot be shown now.")}</p>` : changes ? html`<${Changes} session=${at.session} game=${at.game} changes=${changes} />` : html`<p class="soft">…</p>`}
  </div>`;
}

/** Corrections that were made together, each with what became of it. @param {Its} its */
function Parts({ at, event, find, want }) {
  return html`<ol class="log-parts">${event.corrections.map((/** @type {Event} */ each, /** @type {number} */ index) => {
    const part = index + 1;
    const fate = event.parts?.find((/** @type {any} */ one) => one.part === part);
    const said = sayEvent(at, { ...each, target: each.target ?? each.seq ?? each.after }, find);
    const may = want && each.type === "event_inserted" && event.status === "standing" && fate?.status !== "taken_back";
    return html`<li key=${part} data-test=${`part-${event.seq}-${part}`}>${fate?.status === "taken_back" ? html`<s>${said}</s>` : said}
      ${fate && html` <span class="fate">${fateOf({ ...event, status: fate.status, correction: { seq: fate.correction } }, find)}</span>`}
      ${may && html`<span class="log-deeds"><button type="button" class="deed" data-test=${`correct-${event.seq}-${part}`} aria-label=${t("Correct: {what}", { what: said })} onClick=${() => want({ act: "correct", event, part })}><${Icon} name="pencil" /></button>
        <button type="button" class="deed" data-test=${`take-back-${event.seq}-${part}`} aria-label=${t("Take back: {what}", { what: said })} onClick=${() => want({ act: "take-back", event, part })}><${Icon} name="undo" /></button></span>`}
    </li>`;
  })}</ol>`;
}
