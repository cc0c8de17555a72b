/**
 * Games and decks, as the API describes them: all that the page knows of the rules.
 */
import { signal } from "@preact/signals";
import { call } from "./api.js";
import { store, stored } from "./storage.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Deck} Deck */

/** The game and the deck of the session that is shown. @type {import("@preact/signals").Signal<{game: Game, deck: Deck} | null>} */
export const shownHere = signal(null);

/** @type {Map<string, Promise<any>>} */
const asked = new Map();

/** @param {string} path */
function once(path) {
  let answer = asked.get(path);
  if (!answer) {
    answer = kept(path);
    asked.set(path, answer);
    answer.catch(() => asked.delete(path));
  }
  return answer;
}

/** What the service says, or where nobody answers what it said last. @param {string} path */
async function kept(path) {
  const name = `fuda.library${path}`;
  try {
    const said = await call("GET", path);
    store(name, JSON.stringify(said));
    return said;
  } catch (failed) {
    const before = stored(name);
    if (before) return JSON.parse(before);
    throw failed;
  }
}

/** @returns {Promise<Game[]>} */
export const games = async () => (await once("/v1/games")).games;
/** @param {string} name @returns {Promise<Game>} */
export const gameOf = (name) => once(`/v1/games/${encodeURIComponent(name)}`);
/** @param {string} name @returns {Promise<Deck>} */
export const deckOf = (name) => once(`/v1/decks/${encodeURIComponent(name)}`);
