/**
 * A table that is only a sample: that it is one, and how to be rid of it.
 */
import { html } from "../core/html.js";
import { forget } from "../core/keys.js";
import { address, go } from "../core/router.js";
import { t } from "../core/words.js";
import { Refusal, useDoing } from "./doing.js";

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function SampleNote({ sitting }) {
  const away = useDoing(async () => {
    await sitting.ask("DELETE", `?confirm=${encodeURIComponent(sitting.id)}`);
    forget(sitting.id);
    go(address(null));
  });
  return html`<aside class="sample-note" aria-label=${t("A sample")} data-test="sample-note"><div class="row"><p class="grow"><b>${t("A sample")}</b> <span class="soft">${t("to try things out")}</span></p>
    <button type="button" class="text" data-test="sample-away" disabled=${away.busy} onClick=${() => away.run()}>${t("Throw it away")}</button></div><${Refusal} problem=${away.problem} /></aside>`;
}
