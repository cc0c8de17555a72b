/**
 * One thing that is recorded now and then, on a sheet of its own: what it means, what is asked, and why it was refused.
 */
import { html } from "../core/html.js";
import { kindOf } from "../core/names.js";
import { say, t } from "../core/words.js";
import { Refusal, useRecording } from "./doing.js";
import { leadsToMarked } from "./number_input.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {import("../core/types.js").Session} Session */
/**
 * @typedef {{sitting: Sitting, game: Game, deck: Deck, session: Session, about: string | null, close: () => void}} Doing
 *   what each of these is given: `about` is the player whom it is for, if any
 */

/**
 * @param {Doing & {type: string, event: () => Record<string, unknown>, ready?: boolean, danger?: boolean, done?: () => void,
 *   draft?: import("../core/drafts.js").Kept, children?: any}} its
 *   `event` is what to report of the type, `done` what follows besides closing, `draft` what was typed and is kept until then;
 *   a form with a marked field is `ready`: who taps is led there
 */
export function Task({ sitting, game, type, event, ready = true, danger = false, close, done, draft, children }) {
  const kind = kindOf(game, type);
  const recording = useRecording(sitting, () => {
    draft?.discard();
    close();
    done?.();
  }, draft);
  const submit = (/** @type {Event} */ sent) => {
    sent.preventDefault();
    if (!leadsToMarked(/** @type {HTMLElement} */ (sent.currentTarget)) && ready) void recording.run({ type, ...event() });
  };
  return html`<${Sheet} title=${say(kind?.label)} close=${close} hook=${`task-${type}`}>
    <form class="task" onSubmit=${submit} novalidate>
      <p class="soft small">${say(kind?.about)}</p>
      <${DraftNote} draft=${draft} />
      ${children}
      <${Refusal} problem=${recording.problem} />
      <button class=${`main wide ${danger ? "danger" : ""}`} data-test="confirm" data-once="confirm" disabled=${recording.busy || !ready}>${say(kind?.label)}</button>
    </form>
  <//>`;
}

/** That something is kept, and how to begin anew. @param {{draft?: import("../core/drafts.js").Kept}} its */
export const DraftNote = ({ draft }) => draft?.isKept && html`<div class="row draft-note" role="status" data-test="draft"><span class="grow soft small">${t("Not recorded yet; kept on this phone until you record or discard it.")}</span><button type="button" class="quiet" data-test="discard" onClick=${draft.discard}>${t("Discard")}</button></div>`;

/** @param {Event} event */
export const typed = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** A line of text to write. @param {{label: string, hook: string, value: string, change: (value: string) => void, most?: number}} its */
export function Line({ label, hook, value, change, most = 100 }) {
  return html`<label class="field"><span class="field-label">${label}</span>
    <input data-test=${hook} value=${value} maxlength=${most} autocomplete="off" dir="auto" onInput=${(/** @type {Event} */ event) => change(typed(event))} /></label>`;
}

/** A list to choose from. @param {{label: string, hook: string, value: string, change: (value: string) => void, options: [string, string][]}} its */
export function Choice({ label, hook, value, change, options }) {
  return html`<label class="field"><span class="field-label">${label}</span>
    <select data-test=${hook} value=${value} onChange=${(/** @type {Event} */ event) => change(typed(event))}>${options.map(([each, shown]) => html`<option key=${each} value=${each}>${shown}</option>`)}</select></label>`;
}
