/**
 * Between rounds: how the last one ended, and the next one a tap away.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { Result } from "./result.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, session: import("../core/types.js").Session}} at */
export function Between(at) {
  const { sitting, session } = at;
  const ended = sitting.ended.value;
  const open = () => sitting.report({ type: "round_opened" });
  const may = sitting.mayRecord.value && session.status === "open";
  const hook = ended ? "next-round" : "open-round";
  const pad = padOf(session.game);
  return html`<section class="between">
    ${ended && html`<${Result} ...${at} round=${ended} />`}
    ${may && pad?.Between && html`<${pad.Between} ...${at} />`}
    ${may && html`<div class="pad"><button type="button" class="main wide" data-test=${hook} onClick=${open}>${ended ? t("Next round") : t("Open the round")}</button></div>`}
  </section>`;
}
