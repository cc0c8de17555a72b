/**
 * How many reports wait to be confirmed.
 */
import { html } from "../core/html.js";
import { tn } from "../core/words.js";

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function Pending({ sitting }) {
  const waits = sitting.waiting.value.length;
  return waits > 0 && html`<p class="pending" role="status" data-test="pending">${sitting.mayRecord.value ? tn("{count} not yet confirmed", "{count} not yet confirmed", waits) : tn("{count} report waits here until this phone has a link that may record.", "{count} reports wait here until this phone has a link that may record.", waits)}</p>`;
}
