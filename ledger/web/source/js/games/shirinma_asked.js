/**
 * What is asked now at a table of Shirinma, if all that waits on this phone is taken as it was reported. Where nothing
 * waits, that is what the service says.
 */
import { toTheRight } from "../core/guess.js";
import { kindOf } from "../core/names.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {import("../core/types.js").Round} Round */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {{player: string, amount: number}} Bid */
/** @typedef {{about: string, owner: string, card: string, standing: Bid | null, least: number, not: string[]}} Auction */
/**
 * @typedef {{field: boolean, player: string | null, auction: Auction | null, lastDeal: boolean, mayStop: boolean, over: boolean}} Asked
 *   whether the field card is due, who is dealt to next (nobody: the trump is due), the auction that is open, whether
 *   everyone has been dealt two cards, whether a deal may have stopped in the second one, and whether only the service can say what comes next
 */

/** The cards that are worth noting. @param {Game} game @param {Deck} deck */
export function mattersOf(game, deck) {
  const field = kindOf(game, "card_dealt")?.fields.find((each) => each.name === "card");
  return field?.matters?.[deck.deck] ?? null;
}

/** @param {{sitting: import("../core/sitting.js").Sitting, game: Game, deck: Deck, round: Round}} at @returns {Asked} */
export function asked({ sitting, game, deck, round }) {
  const matters = mattersOf(game, deck) ?? [];
  const waiting = sitting.refusal.value ? [] : sitting.waiting.value.flatMap((report) => report.events);
  const states = [before(sitting.last.value?.event, standing(round)), standing(round)];
  for (const event of waiting) {
    if (event.type === "event_taken_back") states.pop();
    else states.push(taken(states.at(-1) ?? standing(round), event, round, matters));
  }
  const after = states.at(-1) ?? { ...standing(round), over: true };
  const cards = round.table.dealt.length + waiting.filter((each) => each.type === "card_dealt").length;
  const lastDeal = cards >= 2 * round.players.length;
  // nobody is dealt to after a good card that ends a deal: the trump is due once it is sold
  const isLast = after.auction !== null && lastDeal && cards % round.players.length === 0;
  return { ...after, lastDeal, mayStop: cards >= round.players.length, player: isLast ? null : after.player };
}

/** As the service says. @param {Round} round @returns {Asked} */
function standing(round) {
  const next = (/** @type {string} */ type) => round.next.find((each) => each.type === type);
  return { field: Boolean(next("field_card_revealed")), player: next("card_dealt")?.player ?? null, auction: auctionOf(round), lastDeal: false, mayStop: false, over: false };
}

/** What a draft of a bid is about. @param {Round} round @param {{player?: string, card?: any, [more: string]: any}} dealt */
const aboutOf = (round, { player, card }) => `bid/${round.number}/${player}/${card}`;

/** The auction that is open, as the service says. @param {Round} round @returns {Auction | null} */
export function auctionOf(round) {
  const bidding = round.next.find((each) => each.type === "bid_placed");
  const newest = round.table.dealt.at(-1);
  if (!bidding || !newest) return null;
  /** @type {Bid[]} */
  const bids = newest.bids ?? [];
  const standing = bids.reduce((/** @type {Bid | null} */ best, bid) => (best && best.amount >= bid.amount ? best : bid), null);
  return { about: aboutOf(round, newest), owner: newest.player, card: newest.card, standing, least: bidding.amount_at_least ?? 1, not: bidding.not_players ?? [] };
}

/** As it was before the last card was dealt; of anything else only the service knows. @param {Event | undefined} last @param {Asked} now @returns {Asked} */
function before(last, now) {
  if (last?.type !== "card_dealt") return { ...now, over: true };
  return { ...now, player: last.player ?? null, auction: null };
}

/** One report more. @param {Asked} now @param {Event} event @param {Round} round @param {string[]} matters @returns {Asked} */
function taken(now, event, round, matters) {
  switch (event.type) {
    case "field_card_revealed":
      return { ...now, field: false, player: round.dealer };
    case "card_dealt": {
      const sells = matters.includes(event.card);
      const auction = sells ? { about: aboutOf(round, event), owner: event.player ?? "", card: event.card, standing: null, least: round.rules.min_bid, not: [event.player ?? ""] } : null;
      return { ...now, player: toTheRight(round.players, event.player ?? ""), auction };
    }
    case "bid_placed": {
      const bid = { player: event.player ?? "", amount: event.amount };
      const { auction } = now;
      if (!auction) return now;
      return { ...now, auction: { ...auction, standing: bid, least: bid.amount + round.rules.min_increment, not: [auction.owner, bid.player] } };
    }
    case "auction_closed":
      return { ...now, auction: null };
    case "trump_revealed":
      return { ...now, over: true };
    default:
      return now;
  }
}
