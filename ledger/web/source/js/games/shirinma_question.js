/**
 * What is asked at Shirinma just now: whose card, who rides, the bottom card; with the field card beside it.
 */
import { html, useEffect, useRef } from "../core/html.js";
import { SOLD, feel } from "../core/felt.js";
import { Tile } from "../cards/tile.js";
import { cardName, nameOf, shortNameOf } from "../core/names.js";
import { listed, number, t, tn } from "../core/words.js";
import { mend } from "../parts/mending.js";
import { PlayerName } from "../parts/name.js";
import { useOdds, worthOf } from "../parts/odds.js";
import { AheadSwitch, aheadOf, dealNumber } from "./shirinma_ahead.js";
import { drafted } from "./shirinma_bid.js";
import { modeOf } from "./shirinma_mode.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */
/** @typedef {import("./shirinma_asked.js").Auction} Auction */
/** @typedef {{play: Play, now: Asked, trump: boolean}} Its */

/** So many are named who get a plain card; more are counted. */
const NAMED = 2;

/** @param {Its} its */
export function Question(its) {
  const { play, now, trump } = its;
  const { auction } = now;
  useFelt(auction);
  const { lifted } = modeOf(play);
  if (lifted) return html`<div class="question"><p class="soft" dir="auto">${cardName(play.deck, lifted)}</p><h2 class="question-what">${t("For whom?")}</h2></div>`;
  if (auction && !trump) return html`<${Sale} ...${its} auction=${auction} />`;
  const ahead = aheadOf(play, now);
  const whose = now.field || trump ? null : (ahead.to ?? play.turn);
  const [small, what] = now.field ? [t("Face up, before the deal"), t("The field card")] : trump ? [t("Its suit is trump"), t("Bottom card")] : [[dealOf(play), plainBefore(play, ahead.before), t("Card for")].filter(Boolean).join(" · "), ""];
  return html`<div class="question with-card"><div class="question-line"><p class="soft" dir="auto">${small}</p>${play.records && !trump && !ahead.to && html`<${AheadSwitch} play=${play} now=${now} />`}</div>
    <h2 class="question-what" aria-live="polite">${whose ? html`<${PlayerName} session=${play.session} player=${whose} kind="question-name" />` : what}</h2><${FieldCard} play=${play} /></div>`;
}

/** A bid that was gone over, and a card that was sold, are felt. @param {Auction | null} auction */
function useFelt(auction) {
  const before = useRef(/** @type {Auction["standing"]} */ (null));
  useEffect(() => {
    if (before.current) feel(SOLD);
    before.current = auction?.standing ?? null;
  }, [auction?.card, auction?.standing?.amount]);
}

/** The deal after the first, the third with why there is one. @param {Play} play */
function dealOf(play) {
  const deal = dealNumber(play);
  return deal === 2 ? t("Second deal") : deal > 2 ? t("Third deal: no good card in the second") : "";
}

/** Who gets a plain card before. @param {Play} play @param {string[]} players */
function plainBefore({ session, game }, players) {
  if (players.length === 0) return "";
  if (players.length <= NAMED) return t("{names} plain", { names: listed(players.map((each) => shortNameOf(session, each, game, 8))) });
  return tn("{count} plain card", "{count} plain cards", players.length);
}

/** @param {{play: Play}} its */
function FieldCard({ play }) {
  const code = play.round.table?.field_card;
  if (!code) return null;
  const face = html`<span class="soft">${t("field")}</span><${Tile} deck=${play.deck} code=${code} size="pad" struck />`;
  if (!play.records) return html`<span class="field-card">${face}</span>`;
  return html`<button type="button" class="field-card" data-test=${`held-${code}`} data-once=${code} onClick=${() => mend(play, code)}>${face}</button>`;
}

/** The card in the auction, who bids what, and what half is worth. @param {Its & {auction: Auction}} its */
function Sale({ play, auction }) {
  const { session, game, deck } = play;
  const { player, amount, text } = drafted(play.sitting, auction);
  const bid = player ? { player, amount: amount ?? text } : auction.standing;
  const worth = worthOf(useOdds(play.sitting), auction.card);
  const names = { name: nameOf(session, auction.owner, game), card: cardName(deck, auction.card) };
  return html`<div class="question sale"><${Tile} deck=${deck} code=${auction.card} size="pad" quiet />
    <div class="question-text"><p dir="auto">${t("{name}'s {card}", names)}</p>
      <h2 class=${`sale-bid ${player ? "drafted" : ""}`} data-test=${bid ? "standing" : undefined} dir="auto">${bid ? html`${t("{name} bids", { name: shortNameOf(session, bid.player, game, 10) })} <b>${typeof bid.amount === "number" ? number(bid.amount) : bid.amount}</b>` : t("No bid yet")}</h2>
      ${worth !== null && html`<p class="soft" data-test="ride-worth">${t("half is worth {chips}", { chips: worth })}</p>`}</div></div>`;
}
