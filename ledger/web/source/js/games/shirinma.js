/**
 * Shirinma on the page: the field card, a card a turn, an auction after each good one, the trump.
 *
 * An auction goes on until the next card: so bidders and cards stand below one another, and a card closes it. After the last
 * card nothing but bidders is there: the auction is asked for first, and the trump by its button. One tap on a
 * bidder chooses who bids the amount shown; `bid` (or the same bidder again) records it, and so does whatever comes after
 * it, the next card, the closing or the trump, so that the last bid of an auction is one tap.
 */
import { html, useEffect, useId, useState } from "../core/html.js";
import { NamesToggle, CardPad } from "../cards/pad.js";
import { CardFace } from "../cards/face.js";
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { nameOf, shortNameOf } from "../core/names.js";
import { numberIn } from "../core/typed.js";
import { number, say, t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { NumberInput, Unread, leadsToMarked } from "../parts/number_input.js";
import { useOdds, worthOf } from "../parts/odds.js";
import { asked, mattersOf } from "./shirinma_asked.js";
import { OnTheTable } from "./shirinma_table.js";

export { Auctioned, Lying, marks } from "./shirinma_table.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */
/** @typedef {import("../core/types.js").Event} Event */

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

/** @param {Play} play */
export function Pad(play) {
  const { sitting } = play;
  const now = asked(play);
  const [mode, setMode] = useState(/** @type {"deal" | "trump" | null} */ (null));
  useEffect(() => setMode(null), [sitting.tapped.value]);
  const deals = now.player !== null || play.chosen !== null;
  const trump = mode === "trump" ? !play.chosen : !deals && !now.field && !now.auction;
  const its = { play, now, trump, setMode };
  return html`<${Question} ...${its} />
    <section class="pad shirinma" inert=${now.over} aria-busy=${now.over}>
      ${now.auction && !trump && html`<${Bids} ...${its} auction=${now.auction} />`}
      ${(deals || now.field || trump) && html`<${Cards} ...${its} />`}
    </section>`;
}

/** @typedef {{play: Play, now: Asked, trump: boolean, setMode: (mode: "deal" | "trump" | null) => void}} Its */

/** The question of the moment. @param {Its} its */
function Question({ play, now, trump, setMode }) {
  const { session, game, round } = play;
  const [table, setTable] = useState(false);
  const { auction } = now;
  const name = nameOf(session, play.turn, game);
  const [small, large] = now.field
    ? [t("Face up, before the deal"), t("The field card")]
    : trump
      ? [t("Its suit is trump"), t("Bottom card")]
      : auction
        ? [html`<${WhoRides} play=${play} auction=${auction} />`, html`<${Standing} play=${play} auction=${auction} />`]
        : [t("Card for"), html`<bdi>${name}</bdi>`];
  return html`<div class=${`question ${auction && !trump ? "auction" : ""}`}><div class="question-text" aria-live="polite"><p class="soft">${small}</p><h1>${large}</h1>${auction && !trump && html`<${Worth} play=${play} auction=${auction} />`}</div>
    ${auction && !trump
      ? html`<button type="button" class="quiet close-auction" data-test="auction-closed" onClick=${() => reports(play, now, { type: "auction_closed" })}><${Closing} play=${play} auction=${auction} /></button>`
      : round.table?.field_card && html`<button type="button" class="quiet field-chip" data-test="lying" onClick=${() => setTable(true)}>
          <span class="soft">${t("field")}</span><${CardFace} deck=${play.deck} code=${round.table.field_card} /><span class="hidden">${t("Everything on the table")}</span></button>`}
    ${!now.field && (now.player === null || now.lastDeal || (now.mayStop && !auction)) && html`<button type="button" class="quiet" data-test="trump" aria-pressed=${trump} onClick=${() => { if (!leadsToBid(play, now)) { play.choose(null); setMode("trump"); } }}>${t("Trump")}</button>`}
    ${trump && (auction || now.player !== null) && html`<button type="button" class="quiet" data-test="deal-on" onClick=${() => setMode(null)}>${auction ? say(game.phases.auction) : t("Deal")}</button>`}
    ${table && html`<${OnTheTable} play=${play} close=${() => setTable(false)}><${NamesToggle} deck=${play.deck} /><//>`}
  </div>`;
}

/** @param {{play: Play, auction: import("./shirinma_asked.js").Auction}} its */
function WhoRides({ play, auction }) {
  const owner = nameOf(play.session, auction.owner, play.game);
  return html`<span>${t("Who rides on {name}?", { name: owner })} <${CardFace} deck=${play.deck} code=${auction.card} small /></span>`;
}

/** Who bids what: chosen but not recorded, or else the standing bid. @param {{play: Play, auction: import("./shirinma_asked.js").Auction}} its */
function Standing({ play, auction }) {
  const { player, amount, text } = drafted(play.sitting, auction);
  const chosen = player !== null;
  const bid = chosen ? { player, amount: amount ?? text } : auction.standing;
  if (!bid) return html`<span class="soft">${t("No bid yet")}</span>`;
  const said = t("{name} bids {amount}", { name: shortNameOf(play.session, bid.player, play.game, 10), amount: bid.amount });
  return html`<span class=${chosen ? "drafted" : ""} data-test="standing">${said}</span>`;
}

/** What half the rights to the card are worth, where the table wants to be told. @param {{play: Play, auction: import("./shirinma_asked.js").Auction}} its */
function Worth({ play, auction }) {
  const worth = worthOf(useOdds(play.sitting), auction.card);
  return worth === null ? null : html`<p class="ride-worth soft" data-test="ride-worth">${t("half is worth {chips}", { chips: worth })}</p>`;
}

/** @param {{play: Play, auction: import("./shirinma_asked.js").Auction}} its */
function Closing({ play, auction }) {
  const rider = drafted(play.sitting, auction).player ?? auction.standing?.player;
  return rider ? t("{name} rides", { name: shortNameOf(play.session, rider, play.game, 8) }) : t("nobody rides");
}

/**
 * The bid that is being prepared for this card, as it was typed; one that was overbid meanwhile is none any more.
 * @param {import("../core/sitting.js").Sitting} sitting @param {import("./shirinma_asked.js").Auction} auction
 * @returns {{player: string | null, text: string, amount?: number, wrong?: string}} `wrong` is why there is no amount
 */
function drafted(sitting, auction) {
  const bid = draftOf(sitting.id, auction.about);
  const { value: amount, wrong } = numberIn(bid?.text ?? "", { least: 1 });
  const isStale = !bid || (bid.least !== auction.least && amount < auction.least);
  if (isStale) return { player: null, text: String(auction.least), amount: auction.least };
  const missing = bid.player ? t("How many chips are bid? At least {least}.", { least: auction.least }) : undefined;
  return { player: bid.player, text: bid.text, amount, wrong: bid.text.trim() ? wrong : missing };
}

/** Lead to a bid that cannot be read; nothing is recorded while there is one. @param {Play} play @param {Asked} now */
function leadsToBid(play, now) {
  const isUnread = Boolean(now.auction && drafted(play.sitting, now.auction).wrong);
  if (isUnread) leadsToMarked(document.querySelector(".bid-row"));
  return isUnread;
}

/** The amount, and everyone who may bid it. @param {Its & {auction: import("./shirinma_asked.js").Auction}} its */
function Bids({ play, now, auction }) {
  const { session, round, game } = play;
  const { player, text, amount, wrong } = drafted(play.sitting, auction);
  const id = useId();
  const set = (/** @type {Partial<{player: string | null, text: string}>} */ change) => saveDraft(play.sitting.id, auction.about, { player, text, least: auction.least, ...change });
  const step = (/** @type {number} */ chips) => () => set({ text: String(amount === undefined ? auction.least : Math.max(1, amount + chips)) });
  const place = () => (player ? reports(play, now) : undefined);
  const tap = (/** @type {string} */ bidder) => (bidder === player ? place() : set({ player: bidder }));
  return html`<div class="bid-row">
      <button type="button" class="quiet step" data-test="bid-less" aria-label=${t("one less")} disabled=${amount !== undefined && amount <= 1} onClick=${step(-1)}>−</button>
      <label class="bid-amount"><span class="hidden">${t("Bid, at least {least}", { least: auction.least })}</span>
        <${NumberInput} id=${id} hook="bid-amount" text=${text} change=${(/** @type {string} */ typed) => set({ text: typed })} wrong=${wrong} placeholder=${String(auction.least)} onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>
      ${[1, 5, 10].map((chips) => html`<button type="button" key=${chips} class="quiet step" data-test=${`bid-plus-${chips}`} onClick=${step(chips)}>+${number(chips)}</button>`)}
      <button type="button" class="main step" data-test="bid" disabled=${!player} onClick=${place}>${t("Bid")}</button>
    </div>
    <${Unread} id=${id} wrong=${wrong} />
    <div class=${`bidders ${round.players.length > 12 ? "many" : ""} ${round.players.length > 15 ? "most" : ""}`} role="group" aria-label=${t("Who bids, at least {least}", { least: auction.least })}>
      ${round.players.map((each) => html`<button type="button" key=${each} class=${`bidder ${auction.not.includes(each) ? "unlikely" : ""}`} data-test=${`bidder-${each}`} aria-pressed=${each === player}
        onClick=${() => tap(each)}><${PlayerName} session=${session} player=${each} /></button>`)}
    </div>`;
}

/** The cards: for the field, the next player, or the trump. @param {Its} its */
function Cards({ play, now, trump }) {
  const { deck, game, round, guessed } = play;
  const type = now.field ? "field_card_revealed" : trump ? "trump_revealed" : "card_dealt";
  const dealing = type === "card_dealt";
  const may = round.next.some((each) => each.type === type) ? (round.cards?.next[type] ?? null) : null;
  const player = play.turn;
  const tap = (/** @type {string} */ card) => reports(play, now, dealing ? { type, player, card } : { type, card });
  const label = dealing && now.auction ? t("Next card, for {name}", { name: nameOf(play.session, player, game) }) : t("Cards");
  return html`<${CardPad} key=${type} deck=${deck} codes=${playedWith(play)} left=${round.cards?.left} may=${may} gone=${guessed.gone} tap=${tap} label=${label}
    matters=${dealing ? mattersOf(game, deck) : null} plain=${dealing ? t("plain card") : null} dense=${Boolean(now.auction) && !trump} />`;
}

/** The cards of the deck that this game is played with. @param {Play} play */
const playedWith = ({ round, deck }) => (round.cards ? Object.keys(round.cards.left) : deck.cards.filter((each) => each.stands_for).map((each) => each.code));

/** Report what happened, after the bid that was chosen and not recorded yet; without anything else, that bid. @param {Play} play @param {Asked} now @param {Event[]} events */
function reports(play, now, ...events) {
  if (leadsToBid(play, now)) return;
  const { player, amount } = now.auction ? drafted(play.sitting, now.auction) : { player: null, amount: 0 };
  const bids = player ? [{ type: "bid_placed", player, amount }] : [];
  discardDraft(play.sitting.id);
  if (bids.length || events.length) play.sitting.report(...bids, ...events);
}

