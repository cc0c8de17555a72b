/**
 * What the browser stores for this page. Where it stores nothing, or no more, the page works until it is closed.
 */

/** @param {string} name */
export function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The names under which something is stored that begin so. @param {string} begin */
export function storedUnder(begin) {
  try {
    return Object.keys(localStorage).filter((each) => each.startsWith(begin));
  } catch {
    return [];
  }
}

/** Store a text; null removes it. @param {string} name @param {string | null} text */
export function store(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // full, or not allowed
  }
}
