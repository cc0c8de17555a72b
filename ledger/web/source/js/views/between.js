/**
 * Between rounds: how the last one ended, and the next one a tap away.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { fromLeaves } from "../parts/from_leaves.js";
import { Icon } from "../parts/icon.js";

const Result = fromLeaves("Result");

/**
 * @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, session: import("../core/types.js").Session, ended: import("../core/types.js").Round | null,
 *   moved: import("../core/types.js").Entry[] | null | undefined, ask: (player: string) => void, fresh: boolean}} at
 */
export function Between(at) {
  const { sitting, session, game, ended } = at;
  const opening = sitting.waiting.value.some((report) => report.events.some((each) => each.type === "round_opened"));
  const isFirst = session.rounds === 0;
  const pad = padOf(session.game);
  const deals = { name: nameOf(session, session.dealer, game) };
  return html`
    ${ended && html`<${Result} ...${at} round=${ended} />`}
    ${isFirst && html`<section class="asks"><div class="question"><p class="soft">${t("The seats go in the order of the list, counter-clockwise.")}</p><h2 class="question-what" dir="auto">${t("{name} deals first", deals)}</h2></div></section>`}
    ${sitting.mayRecord.value && html`<footer class="pad next">
      ${pad?.Between && html`<${pad.Between} ...${at} />`}
      <div class="next-row"><button type="button" class="main" data-test=${isFirst ? "open-round" : "next-round"} data-once="round" disabled=${opening} onClick=${() => sitting.report({ type: "round_opened" })}>
          ${isFirst ? t("Open the round") : t("Next round")} <small dir="auto">${t("{name} deals", deals)}</small></button>
        ${!isFirst && html`<a class="quiet to-board" data-test="to-board" href=${address(sitting.id, "board")}><${Icon} name="screen" /><span>${t("Scores")}</span></a>`}</div>
    </footer>`}`;
}
