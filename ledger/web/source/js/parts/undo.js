/**
 * What an undo would take back, before it does: where reports are on their way, another phone recorded the last event, or
 * that is a correction or a closing, it is not what everybody has in mind.
 */
import { html, useEffect, useState } from "../core/html.js";
import { isAboutAnother } from "../core/undoing.js";
import { t } from "../core/words.js";
import { finder, sayEvent } from "../log/say.js";
import { problemOf } from "./doing.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/outbox.js").Report} Report */
/** @typedef {{event: import("../core/types.js").Event, take: () => void}} Found what would go, and how */

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any}} at */
export function UndoSheet(at) {
  const { sitting } = at;
  const { found, problem } = useWhatGoes(sitting);
  const isOthers = found?.event.recorded_by && found.event.recorded_by !== sitting.link.value?.id;
  const close = () => void (sitting.undoing.value = false);
  const take = () => {
    found?.take();
    close();
  };
  return html`<${Sheet} title=${t("Take this back?")} close=${close} hook="undo-sheet">
    <p class="quoted" aria-live="polite">${found ? html`<span dir="auto" data-test="undone">${sayEvent({ ...at, session: sitting.session.value }, found.event, finder([]))}</span>`
      : problem ? html`<span data-test="problem">${problem}</span>` : "…"}</p>
    ${isOthers && html`<p data-test="others">${t("Another phone recorded it.")}</p>`}
    <footer class="sheet-foot"><button type="button" class="main wide" data-test="confirm" data-once="undo" disabled=${!found} onClick=${take}>${t("Take it back")}</button></footer>
  <//>`;
}

/** The last report, where that is on its way; else what the service says, once nothing waits. @param {import("../core/sitting.js").Sitting} sitting */
function useWhatGoes(sitting) {
  const [mine] = useState(() => reportOnItsWay(sitting));
  const [found, setFound] = useState(/** @type {Found | null} */ (mine));
  const [problem, setProblem] = useState("");
  const [seq, waits] = [sitting.seq.value, sitting.waiting.value.length > 0];
  useEffect(() => {
    if (found || waits) return;
    const look = async () => {
      const answer = await sitting.wouldBe({ type: "event_taken_back" });
      const target = answer.events[0]?.target;
      const { events } = await sitting.read(`/events?after=${target - 1}&limit=1`);
      setFound({ event: events[0], take: () => sitting.takeBack(target, answer.events[0].seq - 1) });
    };
    look().catch((failed) => setProblem(problemOf(failed).detail));
  }, [seq, waits]);
  return { found, problem: waits && !sitting.online.value ? t("Without a connection this cannot be shown.") : problem };
}

/** @param {import("../core/sitting.js").Sitting} sitting @returns {Found | null} */
function reportOnItsWay(sitting) {
  const report = sitting.waiting.value.at(-1);
  const event = report?.events.at(-1);
  return report && event && !isAboutAnother(event) ? { event, take: () => sitting.takeReportBack(report) } : null;
}
