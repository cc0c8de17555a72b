/**
 * What is tapped at Shirinma: the table of good cards, below it the plain card, what ends an auction, the trump, and the cards
 * from 2 to 9. Those lie above the table while the field card or the trump is due, else behind their button.
 */
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { CardFace } from "../cards/face.js";
import { grouped } from "../cards/reading.js";
import { cardName, nameOf, shortNameOf } from "../core/names.js";
import { say, t, tn } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { useOdds } from "../parts/odds.js";
import { aheadOf, cancelAhead, isAhead, plainFor, restOf } from "./shirinma_ahead.js";
import { drafted, leadsToBid, reports } from "./shirinma_bid.js";
import { Grid } from "./shirinma_grid.js";
import { Mending, mendCard } from "./shirinma_mend.js";
import { modeOf, setMode } from "./shirinma_mode.js";
import { holdings, inRows } from "./shirinma_table.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */
/** @typedef {{play: Play, now: Asked, trump: boolean, deals: boolean}} Its */

/** @param {Its} its */
export function Lower(its) {
  const { play, now, trump, deals } = its;
  const { session, deck, game, round, guessed, records } = play;
  const odds = useOdds(play.sitting);
  const ahead = aheadOf(play, now);
  const type = now.field ? "field_card_revealed" : trump ? "trump_revealed" : "card_dealt";
  const may = round.next.some((each) => each.type === type) ? (round.cards?.next[type] ?? null) : null;
  const player = ahead.to ?? play.turn;
  const { lifted } = modeOf(play);
  const lifts = type === "card_dealt" && isAhead(now) && now.auction && !play.chosen;
  const deal = (/** @type {string} */ card) => {
    if (lifts && card !== "plain" && card !== lifted) setMode(play, { lifted: card });
    else reports(play, now, ...(type === "card_dealt" ? [...plainFor(ahead.before), { type, player, card }] : [{ type, card }]));
  };
  const tap = records && !now.over && (deals || now.field || trump) ? deal : null;
  const good = inRows(game, deck);
  const low = Object.keys(round.cards?.left ?? {}).filter((code) => !good.includes(code));
  const isOpen = tap !== null && (modeOf(play).low ?? (now.field || trump));
  const label = type === "card_dealt" && player ? t("Card for {name}", { name: nameOf(session, player, game) }) : t("Cards");
  return html`<section class=${`pad shirinma-pad ${isOpen ? "opened" : ""}`} inert=${records && now.over} aria-busy=${records && now.over}>
    <${Tray} open=${isOpen} show=${() => setMode(play, { low: true })} low=${tap && html`<${Low} play=${play} codes=${low} may=${may} tap=${tap} />${now.auction && !trump && !lifted && html`<${Whose} play=${play} />`}`}>
      <${Grid} session=${session} deck=${deck} codes=${good} holdings=${holdings(play)} field=${round.table.field_card} left=${round.cards?.left} gone=${guessed.gone}
        sold=${now.auction?.card} lifted=${lifted} odds=${odds} may=${may} tap=${tap} mend=${records ? (/** @type {string} */ card) => mendCard(play, card) : null} label=${label} /><//>
    ${records && html`<${Bar} ...${its} deal=${deal} low=${isOpen} />`}
    <${Mending} ...${play} />
  </section>`;
}

/** The cards that are seldom named lie above the others, out of sight until they are wanted; a keyboard that gets there opens them. @param {{open: boolean, show: () => void, low: any, children?: any}} its */
function Tray({ open, show, low, children }) {
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => void tray.current?.scrollTo(0, 0));
  return html`<div ref=${tray} class="tray" onFocusIn=${(/** @type {any} */ event) => !open && event.target.matches?.(".low :focus-visible") && show()}>${children}${low}</div>`;
}

/** The cards from 2 to 9. @param {{play: Play, codes: string[], may: string[] | null, tap: (card: string) => void}} its */
function Low({ play, codes, may, tap }) {
  const { deck, round, guessed } = play;
  const card = (/** @type {string} */ code) => {
    const face = html`<${CardFace} deck=${deck} code=${code} small />`;
    if ((round.cards?.left[code] ?? 1) - (guessed.gone.get(code) ?? 0) <= 0) return html`<span key=${code} class="low-card seen" data-gone=${code}>${face}<span class="hidden">${cardName(deck, code)}, ${t("seen already")}</span></span>`;
    return html`<button type="button" key=${code} class=${`low-card ${may && !may.includes(code) ? "unlikely" : ""}`} data-test=${`card-${code}`} data-once=${code} onClick=${() => tap(code)}>${face}</button>`;
  };
  return html`<div class="low" role="group" aria-label=${t("Cards from 2 to 9")}>${grouped(deck, codes).flatMap((suit) => suit.codes.map(card))}</div>`;
}

/** Whom the next card is for, while the seats are the bidders. @param {{play: Play}} its */
const Whose = ({ play }) => html`<div class="whose low" role="group" aria-label=${t("Card for")}>${play.round.players.map((each) => html`<button type="button" key=${each} class="quiet" data-test=${`for-${each}`} aria-current=${each === play.turn ? "true" : undefined}
  onClick=${() => play.choose(each)}>${shortNameOf(play.session, each, play.game, 8)}</button>`)}</div>`;

/** @param {Its & {deal: (card: string) => void, low: boolean}} its */
function Bar({ play, now, trump, deals, deal, low }) {
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
    ${mayTurn && html`<button type="button" class=${deals && !trump ? "quiet" : "main"} data-test="trump" aria-pressed=${trump} onClick=${turn}>${trump ? t("Trump: the bottom card") : t("Trump")}</button>`}
    ${lifted && html`<span class="pad-hint soft">${t("Tap at the table who gets it")}</span>`}
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
  return rider ? t("{name} rides", { name: shortNameOf(play.session, rider, play.game, 8) }) : t("nobody rides");
}
