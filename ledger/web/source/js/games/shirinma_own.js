/**
 * The good cards of one player, and those that they ride on.
 */
import { html } from "../core/html.js";
import { Tile } from "../cards/tile.js";
import { cardName, nameOf } from "../core/names.js";
import { t } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { auctionOf } from "./shirinma_asked.js";
import { holdings } from "./shirinma_table.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_table.js").Holding} Holding */

/** @param {{play: Play, player: string}} its */
export function Own({ play, player }) {
  const all = holdings(play);
  const [held, rides] = [all.filter((each) => each.player === player), all.filter((each) => each.back_rider === player)];
  return html`${held.map((each) => html`<${Held} key=${each.card} play=${play} holding=${each} />`)}${rides.map((each) => html`<${Ride} key=${each.card} play=${play} holding=${each} />`)}`;
}

/** @param {Holding} holding */
const price = ({ bids, back_rider: rider }) => Math.max(0, ...bids.filter((each) => each.player === rider).map((each) => each.amount));

/** @param {{play: Play, holding: Holding}} its */
function Held({ play: { session, game, deck, round }, holding }) {
  const { card, back_rider: rider } = holding;
  return html`<li class="own-card" data-test=${`my-card-${card}`}><${Tile} deck=${deck} code=${card} quiet />
    <div><p class="soft">${t("you hold")}</p><p class="own-what">${cardName(deck, card)}</p>
      ${auctionOf(round)?.card === card && html`<p class="soft">${t("for sale")}</p>`}
      ${rider && html`<p class="soft own-rider" dir="auto"><${Icon} name="rider" /><span>${t("{name}, for {chips}", { name: nameOf(session, rider, game), chips: price(holding) })}</span></p>`}</div></li>`;
}

/** @param {{play: Play, holding: Holding}} its */
function Ride({ play: { session, game, deck }, holding }) {
  const { card, player } = holding;
  return html`<li class="own-card rides" data-test=${`my-ride-${card}`}><${Tile} deck=${deck} code=${card} rides quiet />
    <div><p class="soft">${t("you ride on")}</p><p class="own-what" dir="auto">${nameOf(session, player, game)}</p>
      <p class="soft">${t("{card}, for {chips}", { card: cardName(deck, card), chips: price(holding) })}</p></div></li>`;
}
