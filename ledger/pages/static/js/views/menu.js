/**
 * Everything that is needed now and then.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { Sheet } from "../parts/sheet.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, close: () => void}} its */
export function Menu({ close }) {
  return html`<${Sheet} title=${t("Menu")} close=${close}><//>`;
}
