/**
 * Right after opening: a word that the key may be kept elsewhere. It asks once, and stands in nobody's way.
 */
import { html } from "../core/html.js";
import { keyIsKept, unkept } from "../core/opening.js";
import { address, go } from "../core/router.js";
import { t } from "../core/words.js";

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function KeyNote({ sitting }) {
  const session = sitting.session.value;
  if (!session || session.rounds > 0 || !unkept.value.includes(sitting.id)) return null;
  return html`<aside class="key-note" aria-label=${t("Keep the key")}>
    <p>${t("This phone has the only key to the evening. Keep it elsewhere too?")}</p>
    <div class="row"><button type="button" class="quiet grow" data-test="keep-key" onClick=${() => go(address(sitting.id, "key"))}>${t("Keep the key")}</button>
      <button type="button" class="quiet grow" data-test="not-now" onClick=${() => keyIsKept(sitting.id)}>${t("Not now")}</button></div>
  </aside>`;
}
