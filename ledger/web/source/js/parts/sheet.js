/**
 * A sheet that comes up from below: a real dialog, closed by ×, by Escape, by the way back, or by a tap beside it; one that
 * has to be answered, only by its answer. What opened it has the focus again afterwards.
 *
 * `closedby` would close it beside, too, but not in every browser yet.
 */
import { html, useId, useLayoutEffect, useRef } from "../core/html.js";
import { isResting, rest } from "../core/double_tap.js";
import { focusKept } from "../core/focus.js";
import { opened } from "../core/sheets.js";
import { t } from "../core/words.js";
import { Icon } from "./icon.js";

/** @param {{title: string, close: (() => void) | null, children?: any, hook?: string}} its `close` is null where an answer is needed */
export function Sheet({ title, close, children, hook }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const closing = useRef(close);
  closing.current = close;
  const heading = useId();
  useLayoutEffect(() => {
    const leadBack = focusKept();
    const shown = dialog.current;
    shown?.showModal();
    const closed = closing.current && opened(() => closing.current?.());
    rest("sheet");
    return () => {
      shown?.close();
      closed?.();
      leadBack();
      rest("sheet");
    };
  }, []);
  /** @param {MouseEvent} tapped */
  const beside = (tapped) => {
    if (tapped.target === dialog.current && !isResting("sheet")) close?.();
  };
  /** A browser closes a dialog at a second Escape, whatever was said to the first. */
  const isClosed = () => {
    if (!dialog.current?.isConnected) return;
    if (close) close();
    else dialog.current.showModal();
  };
  return html`
    <dialog ref=${dialog} class="sheet" aria-labelledby=${heading} data-test=${hook} onClick=${beside}
      onClose=${isClosed} onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); close?.(); }}>
      <div class="sheet-inside">
        <header class="sheet-head">
          <h2 id=${heading}>${title}</h2>
          ${close && html`<button type="button" class="icon" data-test="close-sheet" aria-label=${t("Close")} onClick=${close}><${Icon} name="close" /></button>`}
        </header>
        ${children}
      </div>
    </dialog>`;
}
