/**
 * A sheet that comes up from below: a real dialog, closed by its button, by Escape, or by a tap beside it.
 */
import { html, useEffect, useId, useRef } from "../core/html.js";
import { t } from "../core/words.js";

/** @param {{title: string, close: () => void, children?: any, hook?: string}} its */
export function Sheet({ title, close, children, hook }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  /** @param {MouseEvent} tapped */
  const beside = (tapped) => {
    if (tapped.target === dialog.current) close();
  };
  return html`
    <dialog ref=${dialog} class="sheet" aria-labelledby=${heading} data-test=${hook} onClick=${beside}
      onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); close(); }}>
      <div class="sheet-inside">
        <header class="sheet-head">
          <h2 id=${heading}>${title}</h2>
          <button type="button" class="quiet" data-test="close-sheet" onClick=${close}>${t("Close")}</button>
        </header>
        ${children}
      </div>
    </dialog>`;
}
