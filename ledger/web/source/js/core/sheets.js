/**
 * The sheets that are open, and the way back: it closes the one on top, as on any phone.
 *
 * Each has an entry in the browser's history, at the address where it was opened (`history.state.sheets` says how many are
 * open there), which goes with it: by the way back, or by the page's own return once the sheet is closed by hand. Where a
 * sheet leads to another view, that takes its place; so no entry stays that leads nowhere.
 */

/** @type {{close: () => void}[]} */
const open = [];
/** Whether the page itself goes back, and where it goes then. */
let returns = false;
/** @type {string | null} */
let ahead = null;

const entries = () => Number(history.state?.sheets ?? 0);

/** A sheet was opened. @param {() => void} close from above, at once @returns {() => void} to say that it is closed */
export function opened(close) {
  const sheet = { close };
  open.push(sheet);
  queueMicrotask(settle); // a sheet that takes another one's place takes its entry, too
  return () => {
    open.splice(open.indexOf(sheet), 1);
    queueMicrotask(settle);
  };
}

/** Have as many entries as there are sheets. */
function settle() {
  if (returns) return;
  const surplus = entries() - open.length;
  if (surplus > 0) comeBack(surplus);
  for (let many = entries() + 1; many <= open.length; many += 1) history.pushState({ sheets: many }, "");
}

/** @param {number} steps */
function comeBack(steps) {
  returns = true;
  history.go(-steps);
}

const closeAbove = (/** @type {number} */ many) => open.slice(many).reverse().forEach((sheet) => sheet.close());

/** Go to an address; one that a sheet leads to takes the place of that sheet's entry. @param {string} to */
export function leaveFor(to) {
  if (returns || entries() > 1) ahead = to;
  if (returns) return;
  if (entries() > 1) comeBack(entries() - 1);
  else if (entries() === 0) location.hash = to;
  else if (location.hash === to) closeAbove(0);
  else location.replace(to);
}

/** Have the way back close sheets, and links in them leave nothing behind; the entries of sheets before a reload go. */
export function watchTheWayBack() {
  addEventListener("popstate", () => {
    const [to, isOwn] = [ahead, returns];
    [ahead, returns] = [null, false];
    if (to) leaveFor(to);
    else if (isOwn || entries() >= open.length) settle();
    else closeAbove(entries());
  });
  addEventListener("click", (tap) => {
    const link = /** @type {Element} */ (tap.target).closest?.("a[href^='#']");
    const isPlain = !tap.defaultPrevented && tap.button === 0 && !tap.metaKey && !tap.ctrlKey && !tap.shiftKey && !tap.altKey;
    if (!link || !isPlain || (!returns && entries() === 0)) return;
    tap.preventDefault();
    leaveFor(/** @type {string} */ (link.getAttribute("href")));
  });
  settle();
}
