/**
 * What lies on the table of Shippin: four columns and the dealer's two cards; with it what this phone has reported and the
 * service has not confirmed, and the cards that are being tapped just now.
 */
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { signal } from "../core/html.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").Expected} Expected */
/** @typedef {"second_cards_dealt" | "first_cards_revealed"} Five */
/** @typedef {string | null | undefined} Slot a card, null for one that nobody looked at, or nothing yet */
/**
 * @typedef {{bets: {player: string, column: number}[], second: Slot[], first: Slot[], next: Expected[]}} Standing
 *   five places each: the four columns, and the dealer
 */

/** @typedef {Pick<Play, "round" | "sitting">} At */

export const COLUMNS = [1, 2, 3, 4];
export const DEALER = 4;
export const PLACES = [0, 1, 2, 3, DEALER];

/** Whether the cards that lie there were refused as they are. */
export const refused = signal(false);

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

/** Where the round stands, what waits included. @param {At} at @returns {Standing} */
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

/** When the scorekeeper took the bets for placed, though there may be more. */
const dealt = signal("");
/** @param {At} at */
const keyOf = ({ sitting, round }) => [sitting.id, round.number, sitting.made.value].join("/");

/** Deal, or go back to the bets. @param {At} at @param {boolean} deals */
export const setDealing = (at, deals) => void (dealt.value = deals ? keyOf(at) : "");

/** Which five cards are due; none while bets are placed. @param {At} at @param {Standing} now @returns {Five | null} */
export function fiveDue(at, now) {
  const has = (/** @type {string} */ type) => now.next.some((each) => each.type === type);
  if (has("first_cards_revealed")) return "first_cards_revealed";
  if (!has("second_cards_dealt")) return null;
  return !has("bet_placed") || dealt.value === keyOf(at) || tapped(at, "second_cards_dealt").length > 0 ? "second_cards_dealt" : null;
}

/** The place that is asked about: of the next card of five. @param {At} at @param {Five} type */
export const placeAsked = (at, type) => nextPlace(tapped(at, type)) % PLACES.length;

/** Who bets next, or whose card is asked for. @param {At} at @param {Standing} now @returns {string | null} */
export function whoIsAsked(at, now) {
  const type = fiveDue(at, now);
  if (type) return ownerOf(at, now, placeAsked(at, type));
  const bets = betsOf(now);
  return bets?.player ?? bets?.players?.[0] ?? null;
}

/** @param {Standing} now */
export const betsOf = (now) => now.next.find((each) => each.type === "bet_placed");

/** Whose column it is; the last place is the dealer's. @param {At} at @param {Standing} now @param {number} place */
export const ownerOf = ({ round }, now, place) => (place === DEALER ? round.dealer : (now.bets.find((each) => each.column === place + 1)?.player ?? null));
