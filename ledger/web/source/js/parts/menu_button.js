/**
 * The way to the menu, from every view of a session.
 */
import { html, signal, useState } from "../core/html.js";
import { shownHere } from "../core/library.js";
import { fetchedBeside } from "../core/modules.js";
import { t } from "../core/words.js";
import { Icon } from "./icon.js";

/** The menu, once somebody wanted it. @type {import("@preact/signals").Signal<{Menu: (at: any) => any} | null>} */
const loaded = signal(null);

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function MenuButton({ sitting }) {
  const [open, setOpen] = useState(false);
  const here = shownHere.value;
  if (!here) return null;
  const show = async () => {
    loaded.value ??= await fetchedBeside(() => import("../leaves.js"));
    setOpen(true);
  };
  return html`<button type="button" class="icon no-print" data-test="menu" aria-label=${t("Menu")} onClick=${show}><${Icon} name="menu" /></button>
    ${open && loaded.value && html`<${loaded.value.Menu} sitting=${sitting} ...${here} close=${() => setOpen(false)} />`}`;
}
