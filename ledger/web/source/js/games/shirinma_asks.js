/**
 * What Shirinma asks, to be read across a room: who rides on which card, for how much, whose card comes next.
 */
import { html } from "../core/html.js";
import { CardFace } from "../cards/face.js";
import { Tile } from "../cards/tile.js";
import { cardName, shortNameOf } from "../core/names.js";
import { number, say, t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { useOdds, worthOf } from "../parts/odds.js";
import { dealNumber } from "./shirinma_ahead.js";
import { asked } from "./shirinma_asked.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Auction} Auction */

const DEALS = 2;
/** A longer name is shortened in a sentence, and a longer sentence is written smaller. */
const [LETTERS, SENTENCE] = [10, 38];

/** @param {Play} play */
export function Asks(play) {
  const now = asked(play);
  if (now.auction) return html`<${Sale} play=${play} auction=${now.auction} />`;
  if (now.player) return html`<div class="wall-question"><p>${t("Card for")}</p><h2><${PlayerName} session=${play.session} player=${now.player} kind="wall-name" /></h2></div>`;
  const [small, what] = now.field ? [t("Face up, before the deal"), t("The field card")] : [t("Its suit is trump"), t("Bottom card")];
  return html`<div class="wall-question"><p>${small}</p><h2>${what}</h2></div>`;
}

/** @param {{play: Play, auction: Auction}} its */
function Sale({ play, auction }) {
  const { session, game, deck } = play;
  const { card, owner, standing } = auction;
  const worth = worthOf(useOdds(play.sitting), card);
  const what = t("{name}'s {card}", { name: shortNameOf(session, owner, game, LETTERS), card: cardName(deck, card) });
  const [before = "", after = ""] = t("Who rides on {what}?", { what: "\n" }).split("\n");
  return html`<${Tile} deck=${deck} code=${card} size="hero" quiet />
    <div class="wall-question" data-test="auctioned"><p class=${before.length + what.length + after.length > SENTENCE ? "long" : ""} dir="auto">${before}<b>${what}</b>${after}</p>
      <div class="wall-bid"><h2 dir="auto">${standing ? html`${t("{name} bids", { name: shortNameOf(session, standing.player, game, LETTERS) })} <b>${number(standing.amount)}</b>` : t("No bid yet")}</h2>
        ${worth !== null && html`<p class="soft" data-test="ride-worth">${t("half is worth {chips}", { chips: worth })}</p>`}</div></div>`;
}

/** Which deal it is; later, which phase. @param {Play} play */
export function stage(play) {
  const { player, auction } = asked(play);
  const deal = player ? dealNumber(play) : auction && (play.round.table.dealt.at(-1)?.deal ?? 1);
  return deal ? t("deal {deal} of {all}", { deal, all: Math.max(DEALS, deal) }) : say(play.game.phases[play.round.phase]);
}

/** The card whose suit cannot win. @param {Play} play */
export function Besides({ round, deck }) {
  const code = round.table.field_card;
  return code && html`<span class="wall-field"><span class="soft">${t("field")}</span> <${CardFace} deck=${deck} code=${code} struck /></span>`;
}
