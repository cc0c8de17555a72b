/**
 * What is seldom needed, folded; it opens by itself as soon as something in it is reached by keyboard, given or refused.
 */
import { html, useEffect, useState } from "../core/html.js";

/** @param {{label: string, also?: string, hook: string, wanted: boolean, children?: any}} its `also` stands beside the label in small letters */
export function Fold({ label, also, hook, wanted, children }) {
  const [open, setOpen] = useState(wanted);
  useEffect(() => void (wanted && setOpen(true)), [wanted]);
  return html`<details class="fold" open=${open} onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}>
    <summary data-test=${hook}><b>${label}</b>${also && html`<span class="soft">${also}</span>`}</summary>
    <div class="fold-in" onFocusIn=${(/** @type {any} */ event) => event.target.matches(":focus-visible") && setOpen(true)}>${children}</div></details>`;
}

/** Open whatever a field that is marked lies in. @param {ParentNode | null} form */
export function unfoldMarked(form) {
  for (const fold of form?.querySelectorAll("details:has([aria-invalid='true'])") ?? []) /** @type {HTMLDetailsElement} */ (fold).open = true;
}
