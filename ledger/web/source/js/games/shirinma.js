/**
 * Shirinma on the page: the field card, a card a turn, an auction after each good one, the trump. The seats are the bidders,
 * and one table of the good cards is the pad: it keeps its place from the first card to the trump.
 *
 * An auction goes on until the next card, so a card closes it. After the last card the auction is asked for first, and the
 * trump by its button.
 */
import { html } from "../core/html.js";
import { number, t } from "../core/words.js";
import { aheadOf, before, goAhead, isAhead, plainFor } from "./shirinma_ahead.js";
import { asked } from "./shirinma_asked.js";
import { bids, drafted, reports } from "./shirinma_bid.js";
import { Lower } from "./shirinma_pad.js";
import { modeOf } from "./shirinma_mode.js";
import { Question } from "./shirinma_question.js";
import { tokens } from "./shirinma_table.js";

export { Shown } from "./shirinma_table.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../parts/seats.js").SeatLook} SeatLook */

/** @param {import("../core/guess.js").Guess} _ @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any}} at */
export function turn(_, at) {
  const round = at.sitting.session.value?.round;
  return round ? asked({ ...at, round }).player : null;
}

/** What an undo leads back to is asked for at once. */
export const goesBack = true;

/** The bid that was chosen and is not recorded yet. @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any}} at */
export function draft(at) {
  const round = at.sitting.session.value?.round;
  const auction = round && asked({ ...at, round }).auction;
  if (!auction) return null;
  const { player, amount, text } = drafted(at.sitting, auction);
  return { about: auction.about, event: player ? { type: "bid_placed", player, amount: amount ?? text } : null };
}

/** Where the round stands, and whether the trump is due. @param {Play} play */
function standing(play) {
  const now = asked(play);
  const deals = now.player !== null || play.chosen !== null;
  const trump = modeOf(play).trump ? !play.chosen : !deals && !now.field && !now.auction;
  return { now, trump, deals };
}

/** @param {Play} play */
export function Asked(play) {
  const { now, trump } = standing(play);
  return html`<${Question} play=${play} now=${now} trump=${trump} />`;
}

/** @param {Play} play */
export function Pad(play) {
  const { now, trump, deals } = standing(play);
  return html`<${Lower} play=${play} now=${now} trump=${trump} deals=${deals} />`;
}

/** How a seat looks: whose turn it is, who bids, who gets a plain card. @param {Play} play @param {string} player @returns {SeatLook} */
export function seat(play, player) {
  const { now, trump } = standing(play);
  if (!play.round.players.includes(player)) return { state: "out", word: t("sits out") };
  const lies = tokens(play, player);
  const { lifted } = modeOf(play);
  if (lifted) return { hook: `for-${player}`, tap: () => reports(play, now, ...plainFor(before(play, now, player)), { type: "card_dealt", player, card: lifted }), state: player === now.player ? "due" : "may", tokens: lies };
  if (now.auction && !trump) return bidder(play, now, player, lies);
  if (now.field) return { tokens: lies };
  if (trump) return play.records ? { hook: `for-${player}`, tap: () => play.choose(player), tokens: lies } : { tokens: lies };
  const ahead = aheadOf(play, now);
  const state = player === (ahead.to ?? play.turn) ? "due" : ahead.before.includes(player) ? "ahead" : "";
  if (!play.records) return { state, tokens: lies };
  const tap = isAhead(now) ? () => goAhead(play, player) : () => play.choose(player);
  const word = state === "ahead" ? html`<span class="seat-said">${t("plain")}</span>` : null;
  return { hook: `for-${player}`, tap: state === "due" ? undefined : tap, state, word, tokens: lies };
}

/** In an auction the seats are the bidders. @param {Play} play @param {import("./shirinma_asked.js").Asked} now @param {string} player @param {any} lies @returns {SeatLook} */
function bidder(play, now, player, lies) {
  const auction = /** @type {import("./shirinma_asked.js").Auction} */ (now.auction);
  const chosen = drafted(play.sitting, auction);
  const isChosen = chosen.player === player;
  const stands = auction.standing?.player === player;
  const amount = isChosen ? `${chosen.amount ?? chosen.text}?` : stands ? number(auction.standing?.amount ?? 0) : "";
  const word = amount && html`<span class="seat-said">${t("bids")}</span><b>${amount}</b>`;
  const state = isChosen ? "drafted" : stands ? "bids" : auction.owner === player ? "sold" : "may";
  if (!play.records) return { state: state === "may" ? "" : state, word, tokens: lies };
  return { hook: `bidder-${player}`, once: `bidder-${player}`, tap: () => bids(play, now, player), state, word, tokens: lies, pressed: isChosen };
}
