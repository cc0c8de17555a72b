/**
 * A line of the log: what was reported, when and by which phone, what became of it, and how to correct it.
 */
import { html, useEffect, useState } from "../core/html.js";
import { number, t, time } from "../core/words.js";
import { Changes } from "../parts/changes.js";
import { isCorrection, sayEvent } from "./say.js";

/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("./say.js").Here} Here */
/** @typedef {{act: "correct" | "take-back", event: StoredEvent, part?: number, lies?: boolean}} Wanted what somebody is about to do; it `lies` where it was tapped on the table */

/**
 * @param {{at: {sitting: import("../core/sitting.js").Sitting} & Here, event: StoredEvent, find: import("./say.js").Find, want: ((wanted: Wanted) => void) | null,
 *   shown: boolean, show: () => void, lookUp: (seq: number) => void}} its `want` is null for those who only read
 */
export function Row({ at, event, find, want, shown, show, lookUp }) {
  const struck = event.status === "taken_back";
  const looks = ["log-row", struck && "struck", event.status === "amended" && "amended", isCorrection(event) && "about", shown && "shown"].filter(Boolean).join(" ");
  const said = sayEvent(at, event, find);
  const fate = event.correction && fateOf(event.status, event.correction.seq);
  const may = want && !struck && !["player_erased", "odds_switched"].includes(event.type);
  return html`<li class=${looks} id=${`event-${event.seq}`} data-test=${`event-${event.seq}`} data-status=${event.status}>
    <div class="log-line">
      <button type="button" class="log-said" aria-expanded=${shown} onClick=${show}>
        <span class="log-seq figure" aria-label=${t("Event {seq}", { seq: event.seq })}>${number(event.seq)}</span>
        <span class="log-words">
          ${struck ? html`<s dir="auto">${said}</s>` : html`<span dir="auto" class=${event.status === "amended" ? "was" : ""}>${said}</span>`}
          <small class="soft">${[time(event.recorded_at), event.recorded_by_label, event.note].filter(Boolean).join(" · ")}${fate && html` · <span class="fate">${fate}</span>`}</small>
        </span>
      </button>
      ${may && html`<span class="log-deeds">
        ${(!isCorrection(event) || event.type === "event_inserted") && html`<button type="button" class="deed" data-test=${`correct-${event.seq}`} aria-label=${t("Correct: {what}", { what: said })} title=${t("Correct")} onClick=${() => want({ act: "correct", event })}><${Pencil} /></button>`}
        <button type="button" class="deed" data-test=${`take-back-${event.seq}`} aria-label=${t("Take back: {what}", { what: said })} title=${t("Take back")} onClick=${() => want({ act: "take-back", event })}><${Back} /></button>
      </span>`}
    </div>
    ${event.overrule && html`<p class="log-fate">${t("Played so: {reason}", { reason: event.overrule })}</p>`}
    ${shown && html`<${More} ...${{ at, event, find, want, lookUp }} />`}
  </li>`;
}

/** What became of an event. @param {string} status @param {number} seq the correction's */
const fateOf = (status, seq) => (status === "amended" ? t("Corrected by event {seq}", { seq }) : t("Taken back by event {seq}", { seq }));

/** What a line has in it: the parts of corrections made together, what it changed then. @param {any} its */
function More({ at, event, find, want, lookUp }) {
  const [changes, setChanges] = useState(/** @type {any} */ (null));
  useEffect(() => {
    void at.sitting.read(`/events/${event.seq}/changes`).then(setChanges, () => setChanges(undefined));
  }, [event.seq]);
  const other = event.correction?.seq ?? event.target ?? 0;
  return html`<div class="log-more" data-test=${`changes-${event.seq}`} aria-live="polite">
    ${event.type === "corrections_made" && html`<${Parts} ...${{ at, event, find, want }} />`}
    ${other > 0 && html`<p><button type="button" class="link" data-test=${`look-up-${other}`} onClick=${() => lookUp(other)}>${event.correction ? fateOf(event.status, other) : t("It is about event {seq}", { seq: other })}</button></p>`}
    <h3>${t("What it changed")}</h3>
    ${changes === undefined ? html`<p class="soft">${t("That cannot be told now.")}</p>` : changes ? html`<${Changes} session=${at.session} game=${at.game} changes=${changes} />` : html`<p class="soft">…</p>`}
  </div>`;
}

/** Corrections that were made together, each with what became of it. @param {any} its */
function Parts({ at, event, find, want }) {
  return html`<ol class="log-parts">${event.corrections.map((/** @type {Event} */ each, /** @type {number} */ index) => {
    const part = index + 1;
    const fate = event.parts?.find((/** @type {any} */ one) => one.part === part);
    const said = sayEvent(at, { ...each, target: each.target ?? each.seq ?? each.after }, find);
    const may = want && each.type === "event_inserted" && event.status === "standing" && fate?.status !== "taken_back";
    return html`<li key=${part} data-test=${`part-${event.seq}-${part}`}>${fate?.status === "taken_back" ? html`<s>${said}</s>` : said}
      ${fate && html` <span class="fate">${fateOf(fate.status, fate.correction)}</span>`}
      ${may && html`<span class="log-deeds"><button type="button" class="deed" data-test=${`correct-${event.seq}-${part}`} aria-label=${t("Correct: {what}", { what: said })} onClick=${() => want({ act: "correct", event, part })}><${Pencil} /></button>
        <button type="button" class="deed" data-test=${`take-back-${event.seq}-${part}`} aria-label=${t("Take back: {what}", { what: said })} onClick=${() => want({ act: "take-back", event, part })}><${Back} /></button></span>`}
    </li>`;
  })}</ol>`;
}

const Pencil = () => html`<svg viewBox="0 0 24 24" class="glyph" aria-hidden="true"><path d="M4 20l1-4.5L16.2 4.3a1.5 1.5 0 0 1 2.1 0l1.4 1.4a1.5 1.5 0 0 1 0 2.1L8.5 19z M14 6.5l3.5 3.5" /></svg>`;
const Back = () => html`<svg viewBox="0 0 24 24" class="glyph" aria-hidden="true"><path d="M8 5L4 9l4 4 M4 9h10a5.5 5.5 0 0 1 0 11H8" /></svg>`;
