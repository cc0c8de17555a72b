/**
 * How a game is recorded on the page. A game without a pad of its own is recorded with forms (`plain.js`).
 *
 * @typedef {import("../core/types.js").Game} Game
 * @typedef {{sitting: import("../core/sitting.js").Sitting, game: Game, deck: import("../core/types.js").Deck,
 *   session: import("../core/types.js").Session, round: import("../core/types.js").Round,
 *   guessed: import("../core/guess.js").Guess, records: boolean, turn: string | null, chosen: string | null,
 *   choose: (player: string | null) => void}} Play
 *   where a round stands, whether this phone `records`, and who is asked about: `turn`, unless the scorekeeper has `chosen` another
 * @typedef {{Pad: (play: Play) => any, Asked?: (play: Play) => any, seat?: (play: Play, player: string) => import("../parts/seats.js").SeatLook,
 *   draft?: (at: any) => {about: string, event: import("../core/types.js").Event | null} | null,
 *   turn?: (guessed: import("../core/guess.js").Guess, at: any) => string | null, Between?: (at: any) => any, Shown?: (at: any) => any,
 *   Hands?: (at: any) => any, goesBack?: boolean}} Pad
 *   `Pad` is what is tapped, below; `Asked` the question and what lies on the table, above it; `seat` how a seat looks and what a tap
 *   on it does; `Between` what may be done between rounds; `Hands` what a
 *   result shows of the cards; `Shown` the table to look at, where `Asked` does not show it; `draft` what a draft may be about now, and what
 *   it would report; `goesBack` where the pad itself works out what an undo leads to, before the service has said so
 */
import { signal } from "../core/html.js";
import { fetchedBeside } from "../core/modules.js";

/** @type {import("@preact/signals").Signal<Record<string, Pad>>} */
const loaded = signal({});

/** The pad of a game, or null until it is here. @param {string} game */
export const padOf = (game) => loaded.value[game] ?? null;

/** @param {string} game */
export async function fetchPad(game) {
  if (loaded.value[game]) return;
  const { PADS } = await import("../session.js");
  const pad = PADS[game] ?? (await fetchedBeside(() => import("../leaves.js"))).PLAIN;
  loaded.value = { ...loaded.value, [game]: pad };
}
