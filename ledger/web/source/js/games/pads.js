/**
 * How a game is recorded on the page. A game without a pad of its own is recorded with forms (`plain.js`).
 *
 * @typedef {import("../core/types.js").Game} Game
 * @typedef {{sitting: import("../core/sitting.js").Sitting, game: Game, deck: import("../core/types.js").Deck,
 *   session: import("../core/types.js").Session, round: import("../core/types.js").Round,
 *   guessed: import("../core/guess.js").Guess, turn: string | null, chosen: string | null,
 *   choose: (player: string | null) => void}} Play
 *   where a round stands and who is asked about: `turn`, unless the scorekeeper has `chosen` another
 * @typedef {{Pad: (play: Play) => any, Lying?: (play: Play) => any, marks?: (play: Play, player: string) => any,
 *   out?: (play: Play, player: string) => boolean, chooses?: (play: Play) => boolean, choose?: (play: Play, player: string) => void,
 *   draft?: (at: any) => {about: string, event: import("../core/types.js").Event | null} | null, turn?: (guessed: import("../core/guess.js").Guess, at: any) => string | null, Between?: (at: any) => any, Auctioned?: (at: any) => any,
 *   Hands?: (at: any) => any, goesBack?: boolean}} Pad
 *   `Pad` is the lower half, `Lying` what lies on the table, `marks` what stands beside a name, `chooses` whether a tap
 *   on a seat chooses somebody, `choose` what it does where the pad stores that itself, `Between` what may be done between rounds, `Hands` what a result shows of the cards,
 *   `Auctioned` how an auction stands, on the scoreboard,
 *   `draft` is what a draft may be about now, and what it would report,
 *   `goesBack` where the pad itself works out what an undo leads to, before the service has said so
 */
import { signal } from "../core/html.js";

/** @type {import("@preact/signals").Signal<Record<string, Pad>>} */
const loaded = signal({});

/** The pad of a game, or null until it is here. @param {string} game */
export const padOf = (game) => loaded.value[game] ?? null;

/** @param {string} game */
export async function fetchPad(game) {
  if (loaded.value[game]) return;
  const { PADS, PLAIN } = await import("../session.js");
  loaded.value = { ...loaded.value, [game]: PADS[game] ?? PLAIN };
}
