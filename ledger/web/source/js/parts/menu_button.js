/**
 * The way to the menu, from every view of a session.
 */
import { html, useState } from "../core/html.js";
import { shownHere } from "../core/library.js";
import { t } from "../core/words.js";
import { fromLeaves } from "./from_leaves.js";
import { Icon } from "./icon.js";

const Menu = fromLeaves("Menu");

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function MenuButton({ sitting }) {
  const [open, setOpen] = useState(false);
  const here = shownHere.value;
  if (!here) return null;
  return html`<button type="button" class="icon no-print" data-test="menu" aria-label=${t("Menu")} onClick=${() => setOpen(true)}><${Icon} name="menu" /></button>
    ${open && html`<${Menu} sitting=${sitting} ...${here} close=${() => setOpen(false)} />`}`;
}
