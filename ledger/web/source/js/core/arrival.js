/**
 * Coming to a view: the browser's tab says what is shown, reading begins at the top, and keyboard and screen readers are
 * led to the view's heading.
 */
import { useEffect, useRef } from "./html.js";

/** @param {string} view @param {string | null} session an id @param {string | null | undefined} name what the session is called; undefined until that is known */
export function useArrival(view, session, name) {
  const first = useRef(true);
  const ready = view !== "" && (session === null || name !== undefined);
  useEffect(() => {
    if (!ready) return;
    scrollTo(0, 0);
    const begin = /** @type {HTMLElement | null} */ (document.querySelector("main h1") ?? document.querySelector("main"));
    if (first.current || !begin) first.current = false;
    else {
      begin.tabIndex = -1;
      begin.focus({ preventScroll: true });
    }
  }, [view, session, ready]);
  useEffect(() => {
    const heading = view === "table" ? null : document.querySelector("main h1")?.textContent;
    document.title = [...new Set([heading, name, "Fuda Ledger"])].filter(Boolean).join(" · ");
  });
}
