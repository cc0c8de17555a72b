/**
 * Requests that must not count twice: one that is asked again because nobody answered goes with the key of the first time.
 */
import { newKey } from "./api.js";

/** Keys for one thing that is asked for: the same words keep theirs until they were answered. */
export function once() {
  let asked = "";
  let key = "";
  return {
    /** @param {unknown} body @returns {Record<string, string>} */
    headers(body) {
      const said = JSON.stringify(body);
      if (said !== asked) [asked, key] = [said, newKey()];
      return { "Idempotency-Key": key };
    },
    answered() {
      asked = "";
    },
  };
}
