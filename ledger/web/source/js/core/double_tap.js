/**
 * A double tap records once. What records says by `data-once` what a second tap on it, or on what took its place, would
 * record again; within `REST` after a tap such a tap does nothing, and neither does a key that is held down. A sheet that was opened or
 * closed rests as "sheet": then no tap meets anything (`css/sheet.css`).
 *
 *     html`<button data-once=${code} …>`
 *
 * Buttons without it (+1) count each tap. While one rests, the document's root has its key as `data-rests`: whoever drives
 * the page from outside can wait for that to go.
 */

/** No two taps that both are meant come so soon after one another, in milliseconds. */
const REST = 250;

const root = document.documentElement;
let timer = 0;
/** @type {{key: string, at: number}} */
let last = { key: "", at: -REST };

/** @param {string} key @param {number} [at] when it was tapped */
export function rest(key, at = performance.now()) {
  last = { key, at };
  root.dataset.rests = key;
  clearTimeout(timer);
  timer = window.setTimeout(() => delete root.dataset.rests, REST);
}

/** @param {string} key */
export const isResting = (key) => root.dataset.rests === key;

/** @param {Event} event */
const keyOf = (event) => /** @type {Element} */ (event.target).closest?.("[data-once]")?.getAttribute("data-once");

/** @param {Event} event */
function drop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Have it so on the whole page. */
export function recordOnce() {
  const once = (/** @type {MouseEvent} */ tap) => {
    const key = keyOf(tap);
    if (!key) return;
    if (key === last.key && tap.timeStamp - last.at < REST) drop(tap);
    else rest(key, tap.timeStamp);
  };
  addEventListener("click", once, { capture: true });
  /** @type {EventTarget | null} */
  let pressed = null;
  const held = (/** @type {KeyboardEvent} */ key) => {
    if (!key.repeat) pressed = key.target;
    else if (key.key === "Enter" && (keyOf(key) || key.target !== pressed)) drop(key);
  };
  addEventListener("keydown", held, { capture: true });
}
