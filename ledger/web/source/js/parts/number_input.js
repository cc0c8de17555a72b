/**
 * A field for a number, in which everything stays as it was typed. What cannot be read is marked, and nothing is recorded
 * while a field is.
 */
import { html, useRef } from "../core/html.js";

/**
 * What an input method is composing is left alone until it ends.
 * @param {{id: string, hook: string, text: string, change: (text: string) => void, wrong?: string, describedby?: string, [more: string]: any}} its
 *   `wrong` is why the text cannot be read; it stands in `Unread` with the same `id`
 */
export function NumberInput({ id, hook, text, change, wrong, describedby, ...more }) {
  const composing = useRef(false);
  const ends = (/** @type {any} */ event) => {
    composing.current = false;
    change(event.target.value);
  };
  return html`<input type="text" inputmode="numeric" autocomplete="off" ...${more} id=${id} data-test=${hook} value=${composing.current ? undefined : text}
    aria-invalid=${Boolean(wrong) || Boolean(more["aria-invalid"])} aria-describedby=${[describedby, wrong && `${id}u`].filter(Boolean).join(" ") || undefined} data-marked=${wrong ? "" : undefined}
    onCompositionStart=${() => { composing.current = true; }} onCompositionEnd=${ends} onInput=${(/** @type {any} */ event) => composing.current || change(event.target.value)} />`;
}

/** Why a number cannot be read. @param {{id: string, wrong?: string}} its */
export const Unread = ({ id, wrong }) => wrong && html`<span class="fault" id=${`${id}u`} data-test="unread">${wrong}</span>`;

/** The same in a table, below a row. @param {{id: string, wrong?: string, columns: number}} its */
export const UnreadRow = ({ id, wrong, columns }) => wrong && html`<tr><td colspan=${columns}><${Unread} id=${id} wrong=${wrong} /></td></tr>`;

/** Lead to the first field of a form that is marked, if one is: nothing is recorded then. @param {ParentNode | null | undefined} form */
export function leadsToMarked(form) {
  const field = /** @type {HTMLElement | null | undefined} */ (form?.querySelector("[data-marked]"));
  field?.focus();
  field?.scrollIntoView({ block: "center" });
  return Boolean(field);
}
