/**
 * The last event in words, with its undo; what waits stands here at once, and so does a draft, with its discarding.
 */
import { html, useEffect } from "../core/html.js";
import { discardDraft, draftOf } from "../core/drafts.js";
import { nameOf, told } from "../core/names.js";
import { address } from "../core/router.js";
import { number, t } from "../core/words.js";
import { Announced } from "./announced.js";
import { Icon } from "./icon.js";
import { PutBack } from "./put_back.js";
import { isLastOf } from "./round_net.js";

/** @typedef {import("../views/table.js").At} At */
/** @typedef {import("../games/pads.js").Pad} Pad */

/** More payments than these are told in the log. */
const PAYMENTS = 3;

/** A draft is discarded once the table has moved on from what it is about. @param {import("../core/sitting.js").Sitting} sitting @param {() => string} about */
function useSettled(sitting, about) {
  const isSent = () => sitting.waiting.value.length === 0;
  useEffect(() => void sitting.ready.then(() => isSent() && !draftOf(sitting.id, about()) && discardDraft(sitting.id)), [about(), isSent()]);
}

/**
 * @param {At & {pad: Pad | null, ended?: import("../core/types.js").Round | null, tabs?: any}} at
 *   `tabs` stand beside the undo while the round that `ended` is shown; then its own last event is not told once more
 */
export function Last(at) {
  const { sitting, game, pad, ended, tabs } = at;
  const draft = sitting.mayRecord.value ? pad?.draft?.(at) : null;
  useSettled(sitting, () => pad?.draft?.(at)?.about ?? "");
  const waits = sitting.waiting.value.at(-1)?.events.at(-1);
  const last = sitting.last.value;
  const event = draft?.event ?? waits ?? last?.event;
  const session = sitting.session.value;
  const paid = draft?.event || waits || last?.event.type === "settlement_paid" ? [] : (last?.entries ?? []);
  const moved = paid.slice(0, PAYMENTS).map((entry) => t("{from} pays {to} {chips}", { from: nameOf(session, entry.from, game), to: nameOf(session, entry.to, game), chips: number(entry.amount) }));
  const back = draft?.event ? null : sitting.takenBack.value;
  const happened = event ? [told({ ...at, session }, event), ...(paid.length > PAYMENTS ? [] : moved)].join(" · ") : t("Nothing recorded yet");
  const said = back ? t("Taken back: {what}", { what: told({ ...at, session }, back) }) : happened;
  const isShown = !draft?.event && !waits && isLastOf(sitting, ended);
  return html`<div class=${`last ${draft?.event || waits ? "waits" : ""}`}><${Announced} text=${said} />
    ${tabs}
    <a class=${isShown ? "icon" : "last-said"} data-test="log" href=${address(sitting.id, "log")}>${isShown && html`<${Icon} name="log" />`}<span class=${isShown ? "hidden" : ""} dir="auto">${draft?.event && html`<b class="drafted" data-test="draft">${t("Not recorded yet")}</b> `}${said}</span></a>
    ${!draft?.event && html`<${PutBack} sitting=${sitting} />`}
    ${sitting.mayRecord.value && html`<button type="button" class="undo" data-test="undo" data-once="undo" disabled=${!event} onClick=${draft?.event ? () => discardDraft(sitting.id) : sitting.undo}>
      <${Icon} name=${draft?.event ? "erase" : "undo"} /><span>${draft?.event ? t("Discard") : t("Undo")}</span></button>`}
  </div>`;
}
