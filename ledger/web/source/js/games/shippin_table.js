/**
 * What lies on the table of Shippin: four columns and the dealer's two cards; with it what this phone has reported and the
 * service has not confirmed, and the cards that are being tapped just now.
 */
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { html, signal } from "../core/html.js";
import { shortNameOf } from "../core/names.js";
import { t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { ColumnBar, useOdds } from "../parts/odds.js";
import { Face, valueOf } from "./number_pad.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").Expected} Expected */
/** @typedef {"second_cards_dealt" | "first_cards_revealed"} Five */
/** @typedef {string | null | undefined} Slot a card, null for one that nobody looked at, or nothing yet */
/**
 * @typedef {{bets: {player: string, column: number}[], second: Slot[], first: Slot[], next: Expected[]}} Standing
 *   five places each: the four columns, and the dealer
 */

export const COLUMNS = [1, 2, 3, 4];
export const DEALER = 4;
const PLACES = [0, 1, 2, 3, DEALER];

/** Whether the cards that lie there were refused as they are. */
export const refused = signal(false);

/** @typedef {Pick<Play, "round" | "sitting">} At */
/** What a draft of five cards is about. @param {At} at @param {Five} type */
export const aboutOf = ({ round }, type) => `${type}/${round.number}`;
/** The cards that are being tapped, until all five are there. @param {At} at @param {Five} type @returns {Slot[]} */
export const tapped = (at, type) => (draftOf(at.sitting.id, aboutOf(at, type))?.cards ?? []).map((/** @type {Slot | false} */ each) => (each === false ? undefined : each));
/** @param {At} at @param {Five} type @param {Slot[]} cards @param {boolean} [were] refused */
export function tapAt(at, type, cards, were = false) {
  refused.value = were;
  const isEmpty = cards.every((each) => each === undefined);
  if (isEmpty) discardDraft(at.sitting.id);
  else saveDraft(at.sitting.id, aboutOf(at, type), { cards: PLACES.map((place) => (cards[place] === undefined ? false : cards[place])) });
}
/** The place that the next card goes to; 5 when all are filled. @param {Slot[]} cards */
export const nextPlace = (cards) => PLACES.find((place) => cards[place] === undefined) ?? PLACES.length;

/** @param {{columns: Slot[], dealer: Slot} | null | undefined} five @returns {Slot[]} */
const fieldOf = (five) => (five?.columns ? [...five.columns, five.dealer] : []);

/** Where the round stands, what waits included. @param {Pick<Play, "round" | "sitting">} play @returns {Standing} */
export function standing({ round, sitting }) {
  const lies = round.table;
  const second = fieldOf({ columns: lies.second_field, dealer: lies.dealer_second });
  const first = fieldOf({ columns: lies.first_field, dealer: lies.dealer_first });
  /** @type {Standing} */
  const found = { bets: lies.bets, second, first, next: round.next };
  const dealer = round.players.indexOf(round.dealer);
  const around = [...round.players.slice(dealer + 1), ...round.players.slice(0, dealer)];
  return sitting.waiting.value.flatMap((each) => each.events).reduce((before, event) => after(before, event, around), found);
}

/** @param {Standing} before @param {Event} event @param {string[]} around everyone but the dealer, from the dealer's right @returns {Standing} */
function after(before, event, around) {
  if (event.type === "bet_placed") {
    const bets = [...before.bets, { player: event.player ?? "", column: event.column }];
    return { ...before, bets, next: before.next.flatMap((each) => betLater(each, event, around)) };
  }
  if (event.type === "second_cards_dealt") return { ...before, second: fieldOf(/** @type {any} */ (event)), next: [{ type: "first_cards_revealed" }] };
  if (event.type === "first_cards_revealed") return { ...before, first: fieldOf(/** @type {any} */ (event)), next: [] };
  return before;
}

/** Who bets after somebody has bet, as far as this phone can tell; when nobody does, cards are dealt. @param {Expected} expected @param {Event} event @param {string[]} around @returns {Expected[]} */
function betLater(expected, event, around) {
  if (expected.type !== "bet_placed") return [expected];
  const columns = expected.columns?.filter((each) => each !== event.column);
  const rest = around.slice(around.indexOf(event.player ?? "") + 1);
  if (expected.player) return [rest[0] ? { ...expected, columns, player: rest[0] } : { type: "second_cards_dealt" }];
  const players = expected.players?.filter((each) => rest.includes(each)) ?? [];
  return players.length ? [{ ...expected, columns, players }] : [];
}

/** What lies there, for all to see; while bets are placed the pad shows it. @param {Play} play */
export function Lying(play) {
  const now = standing(play);
  const type = now.next.find((each) => each.type === "first_cards_revealed") ? "first_cards_revealed" : "second_cards_dealt";
  const dealing = tapped(play, /** @type {Five} */ (type));
  const told = useOdds(play.sitting);
  const idle = now.second.length === 0 && dealing.length === 0;
  return html`<ol class=${`columns ${idle ? "idle" : ""}`}>${PLACES.map((place) => html`<${Column} key=${place} ...${play} now=${now} told=${told} place=${place} type=${type} />`)}</ol>`;
}

/** One column: who bet on it, its first card, its second. @param {Play & {now: Standing, told: any, place: number, type: Five}} its */
function Column(its) {
  const { now, place, session, game, round } = its;
  const bet = now.bets.find((each) => each.column === place + 1);
  const who = place === DEALER ? round.dealer : bet?.player;
  const dealing = tapped(its, its.type);
  const current = dealing.length > 0 && nextPlace(dealing) === place;
  return html`<li class=${`column ${who ? "bet" : ""} ${current ? "current" : ""}`}>
    <span class="column-head">${place === DEALER ? t("Dealer") : place + 1}</span>
    ${who ? html`<${PlayerName} key="who" session=${session} player=${who} kind="column-who" />` : html`<span key="nobody" class="column-who">–</span>`}
    <${Card} ...${its} type="first_cards_revealed" lies=${now.first[place]} />
    <${Card} ...${its} type="second_cards_dealt" lies=${now.second[place]} />
    ${place !== DEALER && html`<${ColumnBar} told=${its.told} column=${place + 1} />`}
  </li>`;
}

/** A place for a card: face down, lying there, or just tapped and to be taken back by a tap. @param {Play & {place: number, type: Five, lies: Slot}} its */
function Card(its) {
  const { place, type, lies, deck, sitting } = its;
  const mine = tapped(its, type);
  const card = mine[place];
  if (lies) return html`<span class="slot filled"><${Face} deck=${deck} code=${lies} number=${valueOf(deck, lies)} /></span>`;
  if (lies === null && card === undefined) return html`<span class="slot none" title=${t("not looked at")}>–</span>`;
  if (card === undefined) return html`<span class=${`slot ${type === "first_cards_revealed" ? "down" : "open"}`} aria-hidden="true"></span>`;
  const back = () => {
    if (sitting.refusal.value) sitting.dropRefused();
    tapAt(its, type, mine.map((each, index) => (index === place ? undefined : each)));
  };
  return html`<button type="button" class="slot filled mine" data-test=${`slot-${place === DEALER ? "dealer" : place + 1}`} onClick=${back}>
    ${card ? html`<${Face} deck=${deck} code=${card} number=${valueOf(deck, card)} />` : "–"}<span class="hidden">${t("Take this card back")}</span></button>`;
}
