/**
 * What lies on the table at Shirinma: who holds which good card, and who rides on whose back.
 */
import { html } from "../core/html.js";
import { Token } from "../cards/token.js";
import { t } from "../core/words.js";
import { useOdds } from "../parts/odds.js";
import { auctionOf, mattersOf } from "./shirinma_asked.js";
import { Grid } from "./shirinma_grid.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {{player: string, card: string, deal: number, paid: number, bids: {player: string, amount: number}[], back_rider: string | null, waits?: boolean}} Holding */

/** Everyone's good cards; what waits on this phone stands there already, marked. @param {Pick<Play, "round" | "sitting" | "game" | "deck">} play @returns {Holding[]} */
export function holdings({ round, sitting, game, deck }) {
  const waiting = sitting.refusal.value ? [] : sitting.waiting.value.flatMap((report) => report.events);
  const reported = waiting.filter((each) => each.type === "card_dealt");
  const added = reported.map((each) => ({ player: each.player ?? "", card: each.card, deal: 0, paid: 0, bids: [], back_rider: null, waits: true }));
  const matters = mattersOf(game, deck);
  return [...round.table.dealt, ...added].filter((each) => (matters ? matters.includes(each.card) : each.paid > 0));
}

/** The good cards in rows of a suit each, strongest first; a deck that is no mekurifuda goes by what its cards stand for. @param {import("../core/types.js").Game} game @param {Deck} deck */
export function inRows(game, deck) {
  const face = (/** @type {string} */ code) => deck.cards.find((each) => each.code === code)?.stands_for ?? code;
  const place = (/** @type {string} */ code) => SUITS.indexOf(face(code).split("-")[0] ?? "") * 100 - Number(face(code).split("-")[1]);
  return [...(mattersOf(game, deck) ?? [])].filter((code) => code !== "plain").sort((one, other) => place(one) - place(other));
}
const SUITS = ["swords", "cups", "coins", "clubs"];

/** The cards that somebody holds or rides on, for the third line of a seat. @param {Play} play @param {string} player */
export function tokens(play, player) {
  const cards = holdings(play).filter((each) => each.player === player || each.back_rider === player);
  return cards.length > 0 && cards.map((each) => html`<span key=${each.card} class=${each.waits ? "waits" : ""}><${Token} deck=${play.deck} code=${each.card} rides=${each.player !== player} /></span>`);
}

/** The table to look at: on the wall, for who looks on, in a result. @param {{sitting: Play["sitting"], session: import("../core/types.js").Session, game: import("../core/types.js").Game, deck: Deck, round: import("../core/types.js").Round}} at */
export function Shown(at) {
  const { session, game, deck, round } = at;
  const odds = useOdds(at.sitting);
  return html`<${Grid} session=${session} deck=${deck} codes=${inRows(game, deck)} holdings=${holdings(at)} field=${round.table.field_card} left=${round.cards?.left} sold=${auctionOf(round)?.card} odds=${odds} label=${t("On the table")} />`;
}
