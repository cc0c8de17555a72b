/**
 * What is asked of the service and waited for: while it is under way nothing is asked twice, and a refusal stands where
 * it was asked.
 */
import { html, useRef, useState } from "../core/html.js";
import { Refused, Unreachable } from "../core/api.js";
import { once } from "../core/once.js";
import { t } from "../core/words.js";

/** @typedef {import("../core/types.js").Problem} Problem */
/** @typedef {import("../core/types.js").Event} Event */

/** @param {unknown} failed @returns {Problem} */
export function problemOf(failed) {
  if (failed instanceof Refused) return failed.problem;
  if (failed instanceof Unreachable) return { status: 0, code: "unreachable", title: "", detail: t("No answer. Is there a network? Tap again to try once more; nothing counts twice.") };
  throw failed;
}

/**
 * @template {unknown[]} Said
 * @param {(...said: Said) => Promise<unknown>} work
 */
export function useDoing(work) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  /** @param {Said} said */
  const run = async (...said) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await work(...said);
    } catch (failed) {
      setProblem(problemOf(failed));
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, run, clear: () => setProblem(null) };
}

/**
 * Record between the taps of a round, where the answer is waited for. What waits already goes first; without network this
 * waits behind it.
 * @param {import("../core/sitting.js").Sitting} sitting @param {() => void} done
 * @param {import("../core/drafts.js").Kept} [draft] the form that is recorded: it has the key, so that neither counts twice after a reload
 */
export function useRecording(sitting, done, draft) {
  const asked = useRef(once(draft?.form.sent, (sent) => draft?.change({ sent })));
  return useDoing(async (/** @type {Event[]} */ ...events) => {
    if (sitting.waiting.value.length || !sitting.online.value) sitting.report(...events);
    else {
      await sitting.ask("POST", "/events", { events }, asked.current.headers(events));
      asked.current.answered();
      await sitting.refresh();
    }
    done();
  });
}

/** Why something was refused: in one sentence, and field by field. @param {{problem: Problem | null, but?: (pointer: string) => boolean}} its `but` are fields that say it themselves */
export function Refusal({ problem, but = () => false }) {
  if (!problem) return null;
  const errors = problem.errors?.filter((each) => !but(each.pointer ?? ""));
  if (problem.errors && !errors?.length) return html`<p class="refusal" role="alert" data-test="problem">${t("Please look at what is marked above.")}</p>`;
  return html`<div class="refusal" role="alert" data-test="problem">${errors ? errors.map((each) => html`<p key=${each.pointer}>${each.detail}</p>`) : html`<p>${problem.detail}</p>`}</div>`;
}
