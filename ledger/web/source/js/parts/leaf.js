/**
 * A leaf beside the table: its title, the way back, and what stands on it.
 */
import { html } from "../core/html.js";
import { address } from "../core/router.js";
import { t } from "../core/words.js";
import { MenuButton } from "./menu_button.js";
import { ProblemAtHand } from "./problem.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, title: string, hook: string, also?: any, children?: any}} its `also` stands beside the title */
export function Leaf({ sitting, title, hook, also, children }) {
  const name = sitting.session.value?.name;
  return html`<main class="leaf" data-test=${hook}>
    <header class="leaf-head">
      <a class="leaf-back" data-test="back" href=${address(sitting.id)} aria-label=${t("Back to the table")}><span aria-hidden="true">‹</span></a>
      <div class="grow"><h1>${title}</h1>${name && html`<p class="soft leaf-name" dir="auto">${name}</p>`}</div>
      ${also}
      <${MenuButton} sitting=${sitting} />
    </header>
    <${ProblemAtHand} sitting=${sitting} />
    ${sitting.conflict.value && html`<p class="problem" role="alert"><a href=${address(sitting.id)}>${t("Another phone recorded meanwhile")}</a></p>`}
    ${children}
  </main>`;
}
