/**
 * A refusal, where the finger is: what was reported, why it is not possible, and up to three ways on.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { shownHere } from "../core/library.js";
import { nameOf } from "../core/names.js";
import { t, tn } from "../core/words.js";
import { finder, sayEvent } from "../log/say.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {{sitting: Sitting, refused: import("../core/sitting.js").Refusal}} Its */

/** @param {{sitting: Sitting}} its */
export function ProblemAtHand({ sitting }) {
  const refused = sitting.refusal.value;
  return refused && html`<${Refusal} key=${refused.report.key} sitting=${sitting} refused=${refused} />`;
}

/** @param {Its} its */
function Refusal({ sitting, refused }) {
  const [explains, setExplains] = useState(false);
  const other = useAccepted(sitting, refused, refused.problem.status === 409 ? whoseTurn(sitting, refused) : null);
  const givesWay = useAccepted(sitting, refused, refused.problem.status === 409 ? OVERRULED : null);
  return html`<section class="problem">
    <${Told} sitting=${sitting} refused=${refused} />
    <div class="problem-ways">
      <button type="button" class="quiet" data-test="drop" data-once="refused" onClick=${sitting.dropRefused}>${t("Don't record it")}</button>
      ${other && !explains && html`<button type="button" class="quiet" data-test="record-for" data-once="refused" onClick=${() => sitting.again(other)}><bdi>${t("Record it for {name}", { name: nameOf(sitting.session.value, other.player) })}</bdi></button>`}
      ${givesWay && html`<button type="button" class="quiet" data-test="overrule" aria-expanded=${explains} onClick=${() => setExplains(!explains)}>${t("We played it so")}</button>`}
    </div>
    ${explains && html`<${Reason} give=${(/** @type {string} */ reason) => sitting.again({ overrule: reason })} />`}
  </section>`;
}

/** What was reported, in words, and why it was not recorded. @param {Its} its */
function Told({ sitting, refused: { report, problem } }) {
  const here = shownHere.value;
  const session = sitting.session.value;
  const behind = sitting.waiting.value.filter((each) => each.order !== report.order).length;
  return html`<div class="problem-said" role="alert" data-test="problem">
    ${here && html`<p class="quoted" data-test="refused"><span dir="auto">${report.events.map((event) => sayEvent({ ...here, session }, event, finder([]))).join(" · ")}</span></p>`}
    ${problem.errors?.length ? html`<ul>${problem.errors.map((each) => html`<li>${each.detail}</li>`)}</ul>` : html`<p>${problem.detail}</p>`}
    ${behind > 0 && html`<p class="soft">${tn("{count} report waits behind it.", "{count} reports wait behind it.", behind)}</p>`}
  </div>`;
}

/** Why the table played it so. @param {{give: (reason: string) => void}} its */
function Reason({ give }) {
  const [reason, setReason] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.focus(), []);
  const submit = (/** @type {SubmitEvent} */ sent) => {
    sent.preventDefault();
    if (reason.trim()) give(reason.trim());
  };
  return html`<form class="row" onSubmit=${submit}>
    <label class="grow"><span class="hidden">${t("Why the table played it so")}</span>
      <input ref=${field} data-test="reason" value=${reason} maxlength="500" placeholder=${t("Why the table played it so")} required
        onInput=${(/** @type {any} */ typed) => setReason(typed.target.value)} /></label>
    <button class="main" data-test="confirm" data-once="refused">${t("Record")}</button>
  </form>`;
}

const OVERRULED = { overrule: "?" };

/** Whom it would be about, if it was for the one whose turn it is. @param {Sitting} sitting @param {import("../core/sitting.js").Refusal} refused */
function whoseTurn(sitting, { report, problem }) {
  const event = report.events[problem.index ?? 0];
  const player = sitting.session.value?.round?.next.find((each) => each.type === event?.type)?.player;
  return event?.player && player && player !== event.player ? { player } : null;
}

/**
 * What the refused event would be accepted with, by the service's answer to a dry run; else null. Without an answer a reason may do.
 * @template {Partial<Event>} T @param {Sitting} sitting @param {import("../core/sitting.js").Refusal} refused @param {T | null} instead @returns {T | null}
 */
function useAccepted(sitting, { report, problem }, instead) {
  const [accepted, setAccepted] = useState(/** @type {T | null} */ (null));
  const index = problem.index ?? 0;
  useEffect(() => {
    let isLate = false;
    setAccepted(null);
    const answer = (/** @type {boolean} */ isSo) => void (!isLate && isSo && setAccepted(instead));
    const events = report.events.map((each, place) => (place === index ? { ...each, ...instead } : each));
    if (instead) sitting.wouldBe(...events).then(() => answer(true), (failed) => answer(failed instanceof Refused ? (failed.problem.index ?? 0) !== index : Boolean(instead.overrule)));
    return () => void (isLate = true);
  }, [report.key, JSON.stringify(instead), sitting.seq.value]);
  return accepted;
}
