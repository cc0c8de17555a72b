/**
 * Closing the evening, or what came of it and the way back.
 */
import { html, useState } from "../core/html.js";
import { say, t } from "../core/words.js";
import { ClosingSheet } from "./closing.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, session: import("../core/types.js").Session}} its */
export function Closed(its) {
  const { sitting, session } = its;
  const [asked, setAsked] = useState(false);
  const may = sitting.mayRecord.value;
  return html`<section class="closing" data-test="closing">
    ${session.status === "closed"
      ? html`<p class="row"><b class="grow">${t("The evening is over.")}</b>${may && html`<button type="button" class="quiet in-menu" data-test="reopen" onClick=${() => sitting.report({ type: "session_reopened" })}>${t("Go on after all")}</button>`}</p>
        ${session.closing && html`<p class=${session.closing.difference ? "difference" : "soft"} role="status" data-test="difference">${say(session.closing.sentence)}</p>`}`
      : html`<p class="row"><span class="grow soft">${session.round ? t("A round is still open: this will change.") : t("The evening goes on: this is how it stands now.")}</span>${may && html`<button type="button" class="quiet in-menu" data-test="close-session" onClick=${() => setAsked(true)}>${t("Close the evening …")}</button>`}</p>`}
    ${asked && html`<${ClosingSheet} ...${its} close=${() => setAsked(false)} />`}
  </section>`;
}
