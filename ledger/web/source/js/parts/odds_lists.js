/**
 * Chances in lists: all of a round, and the rides that cost more than they were worth.
 */
import { html } from "../core/html.js";
import { CardFace } from "../cards/face.js";
import { cardName, nameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { t, tn } from "../core/words.js";
import { PlayerName } from "./name.js";
import { CardBar, ColumnBar } from "./odds.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("./odds.js").Told} Told */
/** @typedef {import("./odds.js").DearRide} DearRide */

/**
 * All of them, one below the other.
 * @param {{told: Told | null, session: import("../core/types.js").Session | null, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck}} its
 */
export function AllOdds({ told, session, game, deck }) {
  const odds = told?.odds;
  if (!odds?.cards?.length && !odds?.columns?.length) return null;
  const name = (/** @type {string | null} */ player) => (player ? (session ? html`<${PlayerName} session=${session} player=${player} />` : "") : "–");
  return html`<ul class="all-odds" aria-label=${t("Chances to win")} data-test="all-odds">
    ${odds.cards?.map((each) => html`<li key=${each.card}><${CardFace} deck=${deck} code=${each.card} quiet /><span class="odds-owner">${name(each.player)}<span class="hidden">, ${cardName(deck, each.card)}</span></span><${CardBar} told=${told} card=${each.card} /></li>`)}
    ${odds.columns?.map((each) => html`<li key=${each.column}><b class="figure">${each.column}</b><span class="odds-owner">${name(each.player)}</span><${ColumnBar} told=${told} column=${each.column} /></li>`)}</ul>`;
}

/**
 * Who paid more than a ride was worth, in a round that is over: in words, as the score sheet has them.
 * @param {{rides: DearRide[], sitting: Sitting, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck}} its
 */
export function DearRides({ rides, sitting, game, deck }) {
  if (rides.length === 0) return null;
  const said = (/** @type {DearRide} */ ride) => {
    const facts = { player: nameOf(sitting.session.value, ride.player, game), owner: nameOf(sitting.session.value, ride.owner, game), card: cardName(deck, ride.card), worth: ride.worth };
    return tn("{player} paid {count} chip to ride on {owner} with the {card}; with that in the pot, half the rights were worth {worth}.", "{player} paid {count} chips to ride on {owner} with the {card}; with that in the pot, half the rights were worth {worth}.", ride.price, facts);
  };
  return html`<ul class="dear-rides soft" data-test="dear-rides">
    ${rides.map((ride) => html`<li key=${ride.seq} dir="auto">${said(ride)} <a data-test=${`dear-ride-${ride.seq}`} href=${address(sitting.id, "log", ride.seq)}>${t("Show it in the log")}</a></li>`)}</ul>`;
}
