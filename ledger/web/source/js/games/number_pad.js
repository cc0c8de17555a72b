/**
 * A pad of a whole deck for games in which a card's number is what counts: the cards of a number beside one another, low
 * ones first, in two halves, so that a deck of 48 fits under a thumb.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { CardFace } from "../cards/face.js";
import { lookOf } from "../cards/reading.js";
import { CardPad } from "../cards/pad.js";

/** @typedef {import("../core/types.js").Deck} Deck */
/**
 * @typedef {{deck: Deck, codes: string[], tap: (code: string) => void, number: (code: string) => number, left?: Record<string, number>,
 *   gone?: Map<string, number>, may?: string[] | null, together?: Record<string, number>, label?: string}} Numbers
 *   `number` is what the game reads a card as, `may` which are accepted now, `together` how many of a number go down with those that
 *   do not go down alone, `gone` what was tapped or reported and is not confirmed
 */

/** @param {Numbers} its */
export function NumberPad(its) {
  const { deck, codes, number, label = t("Cards") } = its;
  if (deck.deck === "kabufuda") return html`<${CardPad} ...${its} />`;
  const numbers = [...new Set(codes.map(number))].sort((one, other) => one - other);
  const half = Math.ceil(numbers.length / 2);
  /** @param {string} code */
  const placed = (code) => {
    const row = numbers.indexOf(number(code));
    const alike = codes.filter((each) => number(each) === number(code)).sort((one, other) => rankOf(deck, one) - rankOf(deck, other));
    return { gridRow: (row % half) + 1, gridColumn: alike.indexOf(code) + 1 + (row >= half ? 5 : 0) };
  };
  const inOrder = [...codes].sort((one, other) => number(one) - number(other));
  return html`<div class="number-pad" role="group" aria-label=${label}>${inOrder.map((code) => html`<${Place} key=${code} ...${its} code=${code} at=${placed(code)} />`)}</div>`;
}

const SUITS = ["swords", "cups", "coins", "clubs", "spades", "hearts", "diamonds", "western-clubs"];

/** Where a card stands among those of its number. @param {Deck} deck @param {string} code */
function rankOf(deck, code) {
  const { group, order } = lookOf(deck, code);
  const suit = SUITS.indexOf(group);
  return suit < 0 ? order : suit;
}

/** @param {Numbers & {code: string, at: Record<string, number>}} its */
function Place({ deck, code, at, left, gone, may, together, tap, number }) {
  const rest = (left?.[code] ?? 1) - (gone?.get(code) ?? 0);
  const face = html`<${Face} deck=${deck} code=${code} number=${number(code)} />`;
  if (rest <= 0) return html`<span class="card gone" style=${at} data-gone=${code}>${face}<span class="hidden">${t("seen already")}</span></span>`;
  const unlikely = may && !may.includes(code);
  return html`<button type="button" class=${`card ${unlikely ? "unlikely" : ""}`} style=${at} data-test=${`card-${code}`} onClick=${() => tap(code)}>${face}${together?.[code] && html`<${Together} count=${together[code]} />`}</button>`;
}

/** How many of its number go down with a card. @param {{count: number}} its */
const Together = ({ count }) => html`<span class="copies"><span aria-hidden="true">×${count}</span><span class="hidden">${t("only {count} together", { count })}</span></span>`;

/**
 * A small card; where no number is printed on it, what it counts stands in its corner.
 * @param {{deck: Deck, code: string, number: number}} its
 */
export function Face({ deck, code, number }) {
  const face = html`<${CardFace} deck=${deck} code=${code} small=${true} />`;
  return lookOf(deck, code).rank ? face : html`<span class="numbered">${face}<span class="corner">${number}</span></span>`;
}

/** What a card counts, 1 to 10, by the deck. @param {Deck} deck @param {string} code */
export const valueOf = (deck, code) => deck.cards.find((each) => each.code === code)?.value ?? 0;

/** How often each is there. @param {(string | null | undefined)[]} codes @param {Map<string, number>} [besides] */
export function counted(codes, besides = new Map()) {
  const counts = new Map(besides);
  for (const each of codes) if (each) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}
