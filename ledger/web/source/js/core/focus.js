/**
 * Where the keyboard and screen readers go on when a sheet is closed: at what opened it, though the page was drawn anew
 * meanwhile; where that is gone, at the heading of what is shown. Never at the beginning of everything.
 */

/** What was tapped last: not every browser gives the focus to a button that is tapped. @type {Element | null} */
let tapped = null;
addEventListener("click", (tap) => void (tapped = /** @type {Element} */ (tap.target).closest?.("a, button, summary, [tabindex]") ?? tapped), { capture: true });

const isNowhere = () => document.activeElement === document.body || document.activeElement === null;

/** @param {Element | null | undefined} element */
function takes(element) {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  return element !== null && document.activeElement === element;
}

/** @param {ParentNode} part of the page */
function leadToHeading(part) {
  const heading = /** @type {HTMLElement | null} */ (part.querySelector("h1, h2"));
  if (heading) heading.tabIndex = -1;
  return takes(heading);
}

/** Keep in mind what has the focus now. @returns {() => void} to lead back there */
export function focusKept() {
  const opener = isNowhere() ? tapped : document.activeElement;
  const hook = opener?.closest("[data-test]")?.getAttribute("data-test");
  const view = location.hash;
  const lead = () => {
    if (location.hash !== view) return; // whatever leads to another view leads to its heading
    const again = hook ? document.querySelector(`[data-test="${CSS.escape(hook)}"]`) : null;
    const shown = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector("main") ?? document;
    void (takes(opener) || takes(again) || leadToHeading(shown) || takes(document.querySelector("[data-test=undo]")));
  };
  return () => {
    lead();
    whileDrawn(lead);
  };
}

/** Lead there once more if what has the focus is drawn no more before somebody goes on. @param {() => void} lead */
function whileDrawn(lead) {
  const held = document.activeElement;
  const over = new AbortController();
  const drawn = new MutationObserver(() => {
    if (held?.isConnected || !isNowhere()) return;
    over.abort();
    lead();
  });
  over.signal.addEventListener("abort", () => drawn.disconnect());
  addEventListener("pointerdown", () => over.abort(), { signal: over.signal });
  addEventListener("focusin", () => document.activeElement !== held && over.abort(), { signal: over.signal });
  drawn.observe(document.body, { childList: true, subtree: true });
}
