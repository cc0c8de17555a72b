/**
 * The head of a page about a session, with the way back to the table.
 */
import { html } from "../core/html.js";
import { address } from "../core/router.js";
import { t } from "../core/words.js";
import { MenuButton } from "./menu_button.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, title: string}} its */
export function PageHead({ sitting, title }) {
  return html`<header class="page-head"><h1>${title}</h1><a class="quiet button no-print" data-test="to-table" href=${address(sitting.id)}>${t("To the table")}</a><${MenuButton} sitting=${sitting} /></header>`;
}
