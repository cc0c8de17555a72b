/**
 * The table moved on while this phone was cut off: what waits here and what was recorded there, side by side.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { finder, sayEvent } from "../log/say.js";
import { saidOf } from "./went_back.js";
import { Sheet } from "./sheet.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any}} at */
export function ConflictSheet(at) {
  const found = at.sitting.conflict.value;
  if (!found) return null;
  const here = { ...at, session: at.sitting.session.value };
  const find = finder(found.theirs);
  const wentBack = at.sitting.wentBack.value;
  return html`<${Sheet} title=${wentBack ? t("The books went back") : t("Another phone recorded meanwhile")} close=${null} hook="conflict">
    <p>${wentBack ? saidOf(wentBack) : found.cutOff ? t("This phone was cut off. Look whether both say the same before anything is sent.") : t("Look at it before anything is sent.")}</p>
    ${found.theirs.length > 0 && html`<h3>${t("Recorded meanwhile")}</h3>
    <ul class="told" data-test="conflict-theirs">${found.theirs.map((event) => html`<li key=${event.seq}>${sayEvent(here, event, find)}</li>`)}</ul>`}
    <h3>${t("Waiting on this phone")}</h3>
    <ul class="told" data-test="conflict-mine">${found.mine.flatMap((report) => report.events).map((event, place) => html`<li key=${place}>${sayEvent(here, event, find)}</li>`)}</ul>
    <div class="row">
      <button type="button" class="quiet" data-test="conflict-drop" data-once="conflict" onClick=${() => at.sitting.resolve("drop")}>${t("Leave mine out")}</button>
      <button type="button" class="main" data-test="conflict-send" data-once="conflict" onClick=${() => at.sitting.resolve("send")}>${wentBack ? t("Send mine") : t("Send mine after it")}</button>
    </div>
  <//>`;
}
