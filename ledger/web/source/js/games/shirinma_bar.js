/**
 * Below the table of good cards: the plain card, what ends an auction, the trump, and the way to the other cards.
 */
import { html } from "../core/html.js";
import { shortNameOf } from "../core/names.js";
import { say, t, tn } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { aheadOf, cancelAhead, isAhead, plainFor, restOf } from "./shirinma_ahead.js";
import { drafted, leadsToBid, reports } from "./shirinma_bid.js";
import { modeOf, setMode } from "./shirinma_mode.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */

/** @param {{play: Play, now: Asked, trump: boolean, deals: boolean, deal: (card: string) => void, low: boolean}} its `low` whether those cards are in sight */
export function Bar({ play, now, trump, deals, deal, low }) {
  const { game } = play;
  const { auction } = now;
  const ahead = aheadOf(play, now);
  const rest = isAhead(now) && !ahead.to && !trump ? restOf(play, now) : [];
  const { lifted } = modeOf(play);
  const cancel = () => {
    cancelAhead(play);
    setMode(play, { lifted: null });
  };
  const mayTurn = !now.field && (now.player === null || now.lastDeal || (now.mayStop && !auction));
  const mayDeal = trump && (auction || now.player !== null);
  const turn = () => {
    if (leadsToBid(play, now)) return;
    play.choose(null);
    setMode(play, { trump: true });
  };
  return html`<div class="pad-bar">
    ${(ahead.to || lifted) && html`<button type="button" class="quiet" data-test="ahead-cancel" aria-label=${t("Don't tap ahead")} onClick=${cancel}><${Icon} name="close" /></button>`}
    ${auction && !trump && !lifted && html`<button type="button" class="quiet" data-test="auction-closed" data-once="auction-closed" onClick=${() => reports(play, now, { type: "auction_closed" })}><${Closing} play=${play} now=${now} /></button>`}
    ${mayDeal && html`<button type="button" class="quiet" data-test="deal-on" onClick=${() => setMode(play, { trump: false })}>${auction ? say(game.phases.auction) : t("Deal")}</button>`}
    ${mayTurn && html`<button type="button" class=${deals && !trump ? "quiet" : "main"} data-test="trump" aria-pressed=${trump} onClick=${turn}>${trump ? t("Trump: the bottom card") : t("Show the trump")}</button>`}
    ${lifted && html`<span class="pad-hint soft">${t("Tap the seat that gets it")}</span>`}
    ${deals && !trump && !lifted && html`<${Plain} play=${play} now=${now} ahead=${ahead} deal=${deal} />`}
    ${rest.length > 1 && !lifted && html`<button type="button" class="quiet" data-test="rest-plain" data-once="plain" onClick=${() => reports(play, now, ...plainFor(rest))}>${t("rest plain")}</button>`}
    ${now.field && html`<span class="pad-hint soft">${t("Any card may lie there")}</span>`}
    ${(deals || now.field || trump) && html`<button type="button" class="quiet" data-test="exact" aria-expanded=${low} onClick=${() => setMode(play, { low: !low })}>${t("2–9…")}</button>`}
  </div>`;
}

/** A card that nobody has to name; with it the auction ends. @param {{play: Play, now: Asked, ahead: {to: string | null, before: string[]}, deal: (card: string) => void}} its */
function Plain({ play, now, ahead, deal }) {
  const { session, game } = play;
  const name = shortNameOf(session, ahead.to ?? play.turn, game, 12);
  const standing = now.auction && (drafted(play.sitting, now.auction).player ? drafted(play.sitting, now.auction).amount : now.auction.standing?.amount);
  const more = ahead.to ? tn("{count} card", "{count} cards", ahead.before.length + 1) : now.auction ? (standing ? t("ends the auction at {amount}", { amount: standing }) : t("ends the auction")) : "";
  const said = ahead.to ? t("up to {name} plain", { name }) : t("{name} plain", { name });
  return html`<button type="button" class="main plain" data-test="card-plain" data-once="plain" onClick=${() => deal("plain")}><b dir="auto">${said}</b>${more && html`<small>${more}</small>`}</button>`;
}

/** @param {{play: Play, now: Asked}} its */
function Closing({ play, now }) {
  const rider = now.auction && (drafted(play.sitting, now.auction).player ?? now.auction.standing?.player);
  return rider ? t("{name} rides", { name: shortNameOf(play.session, rider, play.game, 8) }) : t("no back-rider");
}
