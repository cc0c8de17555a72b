/**
 * Two phones that were cut off may have recorded the same: what waits here and stands in the books already counts once.
 */

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").StoredEvent} StoredEvent */
/** @typedef {import("./outbox.js").Report} Report */

const BY_THE_SERVICE = ["seq", "round", "recorded_at", "recorded_by", "recorded_by_label", "status", "correction", "target", "parts"];
/** What may rightly happen twice: whether it did, somebody looks. */
const MAY_COME_AGAIN = ["chips_moved", "settlement_paid", "round_entered"];

/** An event as it was reported, without what the service adds. @param {Event} event @returns {Event} */
export function reported(event) {
  return /** @type {Event} */ (Object.fromEntries(Object.entries(event).filter(([name]) => !BY_THE_SERVICE.includes(name))));
}

/** Whether somebody recorded what was reported here; which words were noted is no matter. @param {Event} mine @param {StoredEvent} theirs */
function isSame({ note, ...mine }, theirs) {
  if (theirs.status !== "standing" || MAY_COME_AGAIN.includes(theirs.type)) return false;
  const { note: _, ...told } = reported(theirs);
  return inOrder(mine) === inOrder(theirs.target === undefined ? told : { ...told, seq: theirs.target });
}

/** The same text for the same values, in whatever order they stand. @param {unknown} value */
const inOrder = (value) => JSON.stringify(value, (_, part) => (part?.constructor === Object ? Object.fromEntries(Object.entries(part).sort()) : part));

/**
 * How many reports, from the first, were recorded elsewhere as a whole, one after the other and from the first of theirs; and the
 * seq of the last event of each. A report that something here takes back is none of them: here it did not happen.
 * @param {Report[]} mine @param {StoredEvent[]} theirs
 */
export function recordedAlready(mine, theirs) {
  /** @type {number[]} */
  const seqs = [];
  let at = 0;
  for (const report of mine) {
    const { events } = report;
    const isBack = mine.some((each) => each.undoes === report.order);
    if (isBack || report.undoes || !events.every((event, place) => theirs[at + place] && isSame(event, /** @type {StoredEvent} */ (theirs[at + place])))) break;
    at += events.length;
    seqs.push(/** @type {StoredEvent} */ (theirs[at - 1]).seq);
  }
  return seqs;
}
