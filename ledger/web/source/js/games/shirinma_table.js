/**
 * What lies on the table at Shirinma: who holds which good card, and who rides on whose back.
 */
import { html, useEffect, useRef } from "../core/html.js";
import { CardFace } from "../cards/face.js";
import { cardName, shortNameOf } from "../core/names.js";
import { number, t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { CardBar, SeatBar, useOdds, worthOf } from "../parts/odds.js";
import { Sheet } from "../parts/sheet.js";
import { auctionOf, mattersOf } from "./shirinma_asked.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {{player: string, card: string, deal: number, paid: number, bids: {player: string, amount: number}[], back_rider: string | null, waits?: boolean}} Holding */

/** Everyone's cards; what waits on this phone stands there already, marked. @param {Play} play @returns {Holding[]} */
function holdings({ round, sitting }) {
  const waiting = sitting.refusal.value ? [] : sitting.waiting.value.flatMap((report) => report.events);
  const reported = waiting.filter((each) => each.type === "card_dealt");
  const added = reported.map((each) => ({ player: each.player ?? "", card: each.card, deal: 0, paid: 0, bids: [], back_rider: null, waits: true }));
  return [...round.table.dealt, ...added];
}

/** @param {Play} play */
function showdownCards(play) {
  const matters = mattersOf(play.game, play.deck);
  return holdings(play).filter((each) => (matters ? matters.includes(each.card) : each.paid > 0));
}

/** The good cards before somebody, beside the name. @param {Play} play @param {string} player */
export function marks(play, player) {
  const cards = showdownCards(play).filter((each) => each.player === player);
  return cards.map((each) => html`<span key=${each.card} class=${each.waits ? "mark-waits" : ""}><${CardFace} deck=${play.deck} code=${each.card} small /><${SeatBar} sitting=${play.sitting} card=${each.card} /></span>`);
}

/** Who rides on which card, in the order in which they were dealt. @param {Play} play */
export function Lying(play) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const cards = showdownCards(play);
  const told = useOdds(play.sitting);
  useEffect(() => {
    const shown = list.current;
    shown?.classList.toggle("overflows", shown.scrollHeight > shown.clientHeight + 2);
    shown?.scrollTo(0, shown.scrollHeight);
  });
  if (cards.length === 0) return null;
  return html`<ul class="riders" ref=${list} tabindex="0" aria-label=${t("Who rides on which card")}>
    ${cards.map((each) => html`<li key=${each.card} class=${each.waits ? "waits" : ""}>
      <${CardFace} deck=${play.deck} code=${each.card} quiet /><span class="rider-owner"><${PlayerName} session=${play.session} player=${each.player} /><span class="hidden">, ${cardName(play.deck, each.card)}</span></span>
      <span class="rider-who">${ridden(play, each)}</span><${CardBar} told=${told} card=${each.card} /></li>`)}
  </ul>`;
}

/** @param {Play} play @param {Holding} holding */
function ridden({ session, game, round }, { back_rider, bids, card }) {
  if (back_rider) {
    const paid = Math.max(...bids.filter((each) => each.player === back_rider).map((each) => each.amount));
    return html`<span>${t("{name} rides, {chips}", { name: shortNameOf(session, back_rider, game, 9), chips: paid })}</span>`;
  }
  const bid = round.table.dealt.at(-1)?.card === card ? bids.at(-1) : null;
  if (bid) return html`<span>${t("{name} bids {amount}", { name: shortNameOf(session, bid.player, game, 9), amount: bid.amount })}</span>`;
  return html`<span class="unridden">${t("nobody rides")}</span>`;
}

/**
 * How the auction stands, across the room: the card, the standing bid, and beside it what half is worth.
 * @param {{session: import("../core/types.js").Session, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck, round: import("../core/types.js").Round, told: import("../parts/odds.js").Told | null}} at
 */
export function Auctioned({ session, game, deck, round, told }) {
  const auction = auctionOf(round);
  if (!auction) return null;
  const { card, standing } = auction;
  const worth = worthOf(told, card);
  const said = standing ? t("{name} bids {amount}", { name: shortNameOf(session, standing.player, game, 10), amount: standing.amount }) : t("No bid yet");
  return html`<p class="board-auction" data-test="auctioned"><${CardFace} deck=${deck} code=${card} /> <span dir="auto">${said}</span>${worth !== null && html`<span class="soft" data-test="ride-worth"> · ${t("half is worth {chips}", { chips: worth })}</span>`}</p>`;
}

/** Everything that was dealt, in a sheet. @param {{play: Play, close: () => void, children?: any}} its */
export function OnTheTable({ play, close, children }) {
  const { session, game, round, deck } = play;
  return html`<${Sheet} title=${t("On the table")} close=${close} hook="on-the-table">
    <div class="row">${round.table.field_card && html`<p class="grow">${t("Field card")} <${CardFace} deck=${deck} code=${round.table.field_card} /></p>`}${children}</div>
    <ul class="everything">${round.players.map((player) => html`<li key=${player}><b><bdi>${shortNameOf(session, player, game, 16)}</bdi></b>
      <ul>${holdings(play).filter((each) => each.player === player).map((each, at) => html`<li key=${at}><${Held} play=${play} holding=${each} /></li>`)}</ul></li>`)}</ul>
  <//>`;
}

/** One card before its owner, and what was bid for it. @param {{play: Play, holding: Holding}} its */
function Held({ play, holding }) {
  const { session, game, deck } = play;
  const { card, bids, paid } = holding;
  const known = deck.cards.some((each) => each.code === card);
  const bidden = bids.map((each) => `${shortNameOf(session, each.player, game, 9)} ${number(each.amount)}`).join(t(", "));
  return html`${known ? html`<${CardFace} deck=${deck} code=${card} />` : html`<span class="soft">${t("plain")}</span>`}
    ${paid > 0 && html`<span class="soft"> ${t("paid {chips}", { chips: paid })}</span>`}${bidden && html`<span class="soft"> · ${bidden}</span>`}`;
}
