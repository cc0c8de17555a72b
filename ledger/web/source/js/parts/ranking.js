/**
 * Everybody by what they have won, the best first: who left the table, too.
 */
/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {import("../core/types.js").Player} Player */
/** @typedef {{player: Player, place: number, change: number}} Ranked those who have won the same share a place; `change` is how many places somebody went up */

/** @param {{won: number}[]} all @param {number} won */
const placeOf = (all, won) => 1 + all.filter((each) => each.won > won).length;

/** @param {Session} session @param {Record<string, number> | null} [before] what each had won then @returns {Ranked[]} */
export function ranking(session, before = null) {
  const { players } = session;
  const then = before && players.map((each) => ({ won: before[each.id] ?? 0 }));
  const bySeat = [...players].sort((one, other) => (one.seat ?? players.length + 1) - (other.seat ?? players.length + 1));
  return bySeat.sort((one, other) => other.won - one.won).map((player) => {
    const place = placeOf(players, player.won);
    return { player, place, change: then && before ? placeOf(then, before[player.id] ?? 0) - place : 0 };
  });
}

/** What everybody had won before the last round, and after which that was; null before there was one. @param {Session} session @param {any} statistics */
export function wonBefore({ rounds, players }, statistics) {
  const after = rounds - 1;
  const wonOf = (/** @type {string} */ id) => statistics?.players[id]?.after_rounds[after - 1];
  if (after < 1 || !players.some((each) => wonOf(each.id) !== undefined)) return null;
  return { after, won: Object.fromEntries(players.map((each) => [each.id, wonOf(each.id) ?? 0])) };
}
