/**
 * Between rounds: how the last one ended, and the next one a tap away.
 */
import { html } from "../core/html.js";
import { shortNameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { Result } from "./result.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, session: import("../core/types.js").Session}} at */
export function Between(at) {
  const { sitting, session, game } = at;
  const ended = sitting.ended.value;
  const opening = sitting.waiting.value.some((report) => report.events.some((each) => each.type === "round_opened"));
  const may = sitting.mayRecord.value && session.status === "open";
  const pad = padOf(session.game);
  const deals = { name: shortNameOf(session, session.dealer, game) };
  return html`<section class="between">
    ${ended ? html`<${Result} ...${at} round=${ended} />` : html`<p class="before soft">${t("Everyone sits where they are listed, counter-clockwise. {name} deals first.", deals)}</p>`}
    ${may && pad?.Between && html`<${pad.Between} ...${at} />`}
    ${may && html`<div class="pad next">
      <button type="button" class="main wide" data-test=${ended ? "next-round" : "open-round"} disabled=${opening} onClick=${() => sitting.report({ type: "round_opened" })}>
        ${ended ? t("Next round · {name} deals", deals) : t("Open the round · {name} deals", deals)}</button>
      ${ended && html`<a class="quiet to-board" data-test="to-board" href=${address(sitting.id, "board")}>${t("Scores")}</a>`}
    </div>`}
  </section>`;
}
