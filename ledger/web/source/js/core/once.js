/**
 * Requests that must not count twice: one that is asked again because nobody answered goes with the key of the first time.
 */
import { newKey } from "./api.js";

/**
 * Keys for one thing that is asked for: the same words keep theirs until they were answered.
 * @param {[string, string]} [sent] what was asked before, and its key, as `keep` was told @param {(sent: [string, string]) => void} [keep]
 */
export function once(sent = ["", ""], keep = () => {}) {
  let [asked, key] = sent;
  return {
    /** @param {unknown} body @returns {Record<string, string>} */
    headers(body) {
      const said = JSON.stringify(body);
      if (said !== asked) keep(([asked, key] = [said, newKey()]));
      return { "Idempotency-Key": key };
    },
    answered() {
      asked = "";
    },
  };
}
