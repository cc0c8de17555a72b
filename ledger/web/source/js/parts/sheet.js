/**
 * A sheet that comes up from below: a real dialog, closed by its button, by Escape, or by a tap beside it; one that has to
 * be answered, only by its answer.
 */
import { html, useEffect, useId, useRef } from "../core/html.js";
import { t } from "../core/words.js";

/** @param {{title: string, close: (() => void) | null, children?: any, hook?: string}} its `close` is null where an answer is needed */
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
    if (tapped.target === dialog.current) close?.();
  };
  /** A browser closes a dialog at a second Escape, whatever was said to the first. */
  const stay = () => {
    if (dialog.current?.isConnected && !close) dialog.current.showModal();
  };
  return html`
    <dialog ref=${dialog} class="sheet" aria-labelledby=${heading} data-test=${hook} onClick=${beside}
      onClose=${stay} onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); close?.(); }}>
      <div class="sheet-inside">
        <header class="sheet-head">
          <h2 id=${heading}>${title}</h2>
          ${close && html`<button type="button" class="quiet" data-test="close-sheet" onClick=${close}>${t("Close")}</button>`}
        </header>
        ${children}
      </div>
    </dialog>`;
}
