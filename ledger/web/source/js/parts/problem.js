/**
 * A refusal, where the finger is: what is not possible, why, and the way on.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { t, tn } from "../core/words.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */

/** @param {{sitting: Sitting}} its */
export function ProblemAtHand({ sitting }) {
  const refused = sitting.refusal.value;
  if (!refused) return null;
  return html`<${Refusal} key=${refused.report.key} sitting=${sitting} refused=${refused} />`;
}

/** @param {{sitting: Sitting, refused: import("../core/sitting.js").Refusal}} its */
function Refusal({ sitting, refused }) {
  const [reason, setReason] = useState(/** @type {string | null} */ (null));
  const { problem } = refused;
  const givesWay = useGivingWay(sitting, refused);
  const playedSo = () => {
    if (reason?.trim()) sitting.overrule(reason.trim());
    return Boolean(reason?.trim());
  };
  const behind = sitting.waiting.value.filter((each) => each.order !== refused.report.order).length;
  const fields = problem.errors?.map((each) => html`<li>${each.detail}</li>`);
  return html`
    <section class="problem" role="alert" data-test="problem">
      ${fields?.length ? html`<ul>${fields}</ul>` : html`<p>${problem.detail}</p>`}
      ${behind > 0 && html`<p class="soft">${tn("{count} report waits behind it.", "{count} reports wait behind it.", behind)}</p>`}
      <div class="row">
        <button type="button" class="quiet" data-test="drop" onClick=${sitting.dropRefused}>${t("Leave it out")}</button>
        ${givesWay && html`<button type="button" class="quiet" data-test="overrule" aria-expanded=${reason !== null} onClick=${() => playedSo() || setReason("")}>${t("We played it so …")}</button>`}
      </div>
      ${reason !== null && html`<form class="row" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); playedSo(); }}>
            <label class="grow"><span class="hidden">${t("Why the table played it so")}</span>
              <input data-test="reason" value=${reason} maxlength="500" placeholder=${t("Why the table played it so")} required
                onInput=${(/** @type {InputEvent} */ event) => setReason(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
            <button class="main" data-test="confirm">${t("Record")}</button>
          </form>`}
    </section>`;
}

/** Whether a reason makes it possible: what the service answers to a dry run with one. @param {Sitting} sitting @param {import("../core/sitting.js").Refusal} refused */
function useGivingWay(sitting, { problem, report }) {
  const [gives, setGives] = useState(false);
  useEffect(() => {
    if (problem.status !== 409) return;
    const index = problem.index ?? 0;
    const events = report.events.map((each, place) => (place === index ? { ...each, overrule: "?" } : each));
    sitting.wouldBe(...events).then(
      () => setGives(true),
      (failed) => setGives(!(failed instanceof Refused) || (failed.problem.index ?? 0) !== index),
    );
  }, [report.key]);
  return gives;
}
