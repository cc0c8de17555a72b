/**
 * Any game, plainly: what lies on the table; what may be reported next, as forms made from the API's description; and with
 * "other …" whatever else can be reported.
 */
import { html, useState } from "../core/html.js";
import { kindOf } from "../core/names.js";
import { say, t } from "../core/words.js";
import { EventForm } from "../parts/event_form.js";
import { Sheet } from "../parts/sheet.js";
import { Phase } from "../views/table.js";
import { TableOf } from "./plain_table.js";

/** @typedef {import("./pads.js").Play} Play */

/** @param {Play} play */
export const Asked = (play) => html`<${TableOf} ...${play} /><${Phase} ...${play} />`;

/** @param {Play} play */
export function Pad(play) {
  const { sitting, game, guessed } = play;
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  const [other, setOther] = useState(false);
  const types = [...new Set(guessed.next.map((each) => each.type))];
  const refused = sitting.refusal.value;
  const met = refused?.report.events[refused.problem.index ?? 0];
  const type = chosen && types.includes(chosen) ? chosen : met && types.includes(met.type) ? met.type : types[0];
  const kind = type ? kindOf(game, type) : null;
  return html`<section class="pad plain"><div class="plain-inside">
    ${types.length > 1 && html`<div class="kinds">${types.map((each) => html`<button type="button" key=${each} class="quiet" data-test=${`report-${each}`} aria-pressed=${each === type} onClick=${() => setChosen(each)}>${say(kindOf(game, each)?.label)}</button>`)}</div>`}
    ${kind && !other && html`<${Report} key=${standing(play, kind.type)} ...${play} kind=${kind} />`}
    <button type="button" class="quiet" data-test="other" onClick=${() => setOther(true)}>${t("other …")}</button>
    ${other && html`<${Other} ...${play} close=${() => setOther(false)} />`}
  </div></section>`;
}

/** Forms begin anew whenever the table has moved on. @param {Play} play @param {string} type */
const standing = ({ sitting }, type) => [type, sitting.tapped.value, sitting.refusal.value?.report.key].join("/");

/** The form of one event; what was refused stands in it again. @param {Play & {kind: import("../core/types.js").EventKind, done?: () => void}} its */
function Report({ sitting, game, deck, session, round, guessed, kind, done }) {
  const refused = sitting.refusal.value;
  const index = refused?.problem.index ?? 0;
  const met = refused?.report.events[index];
  const mine = met?.type === kind.type;
  const { type: _, ...value } = mine ? met : { type: "" };
  const submit = (/** @type {import("../core/types.js").Event} */ event) => {
    if (mine) sitting.dropRefused();
    sitting.report(event);
    done?.();
  };
  return html`<${EventForm} kind=${kind} expected=${guessed.next.find((each) => each.type === kind.type)} value=${value} at=${{ session, game, deck, round }}
    problem=${mine ? refused?.problem : null} under=${`/events/${index}`} submit=${submit} />`;
}

/** Everything that can be reported at all. @param {Play & {close: () => void}} its */
export function Other(its) {
  const { game, close } = its;
  const [type, setType] = useState("");
  const kind = kindOf(game, type);
  return html`<${Sheet} title=${t("Record something else")} close=${close} hook="other-sheet">
    <select data-test="other-kind" aria-label=${t("What was it?")} value=${type} onChange=${(/** @type {any} */ event) => setType(event.target.value)}>
      <option value="">${t("What was it?")}</option>
      ${game.events.map((each) => html`<option key=${each.type} value=${each.type}>${say(each.label)}</option>`)}
    </select>
    ${kind && html`<p class="soft">${say(kind.about)}</p><${Report} key=${type} ...${its} kind=${kind} done=${close} />`}
  <//>`;
}
