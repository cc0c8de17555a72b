/**
 * The best of an evening: the ride that brought most beyond its price, or without a ride the best single round.
 */
import { useEffect, useState } from "./html.js";
import { all } from "./api.js";
import { t } from "./words.js";

/** @typedef {{rider: string, owner: string, paid: number, won: number}} Ride */
/** @typedef {{ride?: Ride, round?: {player: string, number: number, won: number}}} Best */

/** @param {import("./sitting.js").Sitting} sitting @param {import("./types.js").Game} game @returns {Best} */
export function useBest(sitting, game) {
  const [best, setBest] = useState(/** @type {Best} */ ({}));
  const won = sitting.session.value?.players.map((each) => each.won).join();
  useEffect(() => void look(sitting, game).then(setBest, () => undefined), [won]);
  return best;
}

/** @param {import("./sitting.js").Sitting} sitting @param {import("./types.js").Game} game @returns {Promise<Best>} */
async function look(sitting, game) {
  const rounds = game.tallies.back_rides ? await all(`${sitting.path}/rounds?limit=500`, "rounds", { token: sitting.token() }) : [];
  const rides = rounds.flatMap(rideOf).filter((each) => each.won > each.paid);
  const [ride] = rides.sort((one, other) => other.won - other.paid - (one.won - one.paid));
  if (ride) return { ride };
  const { players } = await sitting.read("/statistics");
  const bests = Object.entries(players).flatMap(([player, { best }]) => (best?.net > 0 ? [{ player, number: best.round, won: best.net }] : []));
  return { round: bests.sort((one, other) => other.won - one.won)[0] };
}

/** The ride that won, if any. @param {import("./types.js").Round} round @returns {Ride[]} */
function rideOf({ outcome, table }) {
  if (!outcome?.winner || !outcome.back_rider) return [];
  const bids = table.dealt.find((/** @type {{card: string}} */ each) => each.card === outcome.card)?.bids ?? [];
  const won = outcome.payouts.filter((each) => each.player === outcome.back_rider).reduce((sum, each) => sum + each.amount, 0);
  return [{ rider: outcome.back_rider, owner: outcome.winner, paid: Math.max(0, ...bids.map((/** @type {{amount: number}} */ bid) => bid.amount)), won }];
}

/** What it is called, and what it was; nothing where there is none. @param {Best} best @param {(player: string) => string} name @returns {[string, string] | null} */
export function saidBest({ ride, round }, name) {
  if (ride) return [t("Best ride:"), t("{rider} on {owner}, {paid} paid, {chips} won", { rider: name(ride.rider), owner: name(ride.owner), paid: ride.paid, chips: ride.won })];
  return round ? [t("Best round:"), t("{name} in round {number}, {chips} won", { name: name(round.player), number: round.number, chips: round.won })] : null;
}
