/**
 * The end of an evening: what becomes of a pot that nobody has won, and what that brings everybody, before it counts.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { kindOf } from "../core/names.js";
import { address, go } from "../core/router.js";
import { number, say, t } from "../core/words.js";
import { Changes } from "./changes.js";
import { Sheet } from "./sheet.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, close: () => void}} its */
export function ClosingSheet({ sitting, game, close }) {
  const session = sitting.session.value;
  const [choice, setChoice] = useState("");
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const held = session?.pot ?? 0;
  const event = { type: "session_closed", ...(choice ? { pot: choice } : {}) };
  const asks = held > 0 && !session?.round && !choice;
  useEffect(() => {
    setAnswer(null);
    if (asks) return;
    sitting.wouldBe(event).then(setAnswer, (failed) => setAnswer(failed instanceof Refused ? { problem: failed.problem.detail } : { unknown: t("What it changes can only be shown with a connection.") }));
  }, [choice, held, sitting.seq.value]);
  const field = kindOf(game, "session_closed")?.fields.find((each) => each.name === "pot");
  const confirm = () => {
    sitting.report(event);
    close();
    go(address(sitting.id));
  };
  return html`<${Sheet} title=${t("Close the evening")} close=${close} hook="closing-sheet">
    ${held > 0 && !session?.round && html`<fieldset class="choices"><legend>${t("The pot holds {pot}. What happens to it?", { pot: held })}</legend>
      ${(field?.values ?? []).map((each) => html`<label key=${each} class="choice-card"><input type="radio" name="pot" data-test=${`pot-${each}`} value=${each} checked=${choice === each} onChange=${() => setChoice(each)} />
        <span><b>${say(field?.value_labels?.[each])}</b><small class="soft">${EXPLAINED[each]?.(held) ?? ""}</small></span></label>`)}</fieldset>`}
    ${!asks && html`<section class="preview" data-test="preview" aria-live="polite" aria-busy=${!answer}><h3>${t("What this changes")}</h3>
      ${answer?.problem && html`<p data-test="problem">${answer.problem}</p>`}
      ${answer?.unknown && html`<p class="soft">${answer.unknown}</p>`}
      ${answer?.changes && html`<${Changes} session=${session} game=${game} changes=${answer.changes} />`}
      ${answer && !answer.problem && !answer.unknown && !answer.changes && html`<p class="soft">${t("Nothing changes: no balance, no round.")}</p>`}
      ${answer?.session?.closing && html`<p class=${answer.session.closing.difference ? "difference" : "soft"}>${say(answer.session.closing.sentence)}</p>`}</section>`}
    <p class="soft small">${t("A closed evening can be reopened later. Payments can still be struck out.")}</p>
    <footer class="sheet-foot"><button type="button" class="main wide" data-test="confirm" disabled=${!answer || Boolean(answer.problem)} onClick=${confirm}>${t("Close the evening")}</button></footer>
  <//>`;
}

/** What each choice means for a pot. @type {Record<string, (pot: number) => string>} */
const EXPLAINED = {
  split: (pot) => t("The pot of {pot} is split evenly among everyone at the table.", { pot }),
  refund: () => t("Everyone gets back what they put in since the last win."),
  bank: (pot) => t("The pot of {pot} goes to the bank, and the next evening can play for it.", { pot: number(pot) }),
};
