/**
 * What stands in the way: no connection, a refusal; between rounds, and at a sample, what else the table is told.
 */
import { html } from "../core/html.js";
import { keyOf } from "../core/keys.js";
import { t } from "../core/words.js";
import { fromLeaves } from "./from_leaves.js";
import { ProblemAtHand } from "./problem.js";

const Notices = fromLeaves("Notices");

/** @param {{sitting: import("../core/sitting.js").Sitting, deck: import("../core/types.js").Deck}} at */
export function Notes(at) {
  const { sitting } = at;
  return html`<div class="notes">
    ${!sitting.online.value && html`<p class="offline" role="status" data-test="offline">${t("No connection. What you record is kept on this phone.")}</p>`}
    <${ProblemAtHand} sitting=${sitting} />
    ${(!sitting.session.value?.round || keyOf(sitting.id)?.sample) && html`<${Notices} ...${at} />`}
  </div>`;
}
