/**
 * A pad of a whole deck for games in which a card's number is what counts: the cards of a number beside one another, low
 * ones first, in two halves, so that a deck of 48 fits under a thumb. Where all cards of a number are alike each is one.
 */
import { html } from "../core/html.js";
import { Seen } from "../parts/seen.js";
import { t, tn } from "../core/words.js";
import { CardFace } from "../cards/face.js";
import { lookOf } from "../cards/reading.js";

/** @typedef {import("../core/types.js").Deck} Deck */
/**
 * @typedef {{deck: Deck, codes: string[], tap: (code: string) => void, mend?: (code: string) => void, number: (code: string) => number, left?: Record<string, number>,
 *   gone?: Map<string, number>, may?: string[] | null, together?: Record<string, number>, label?: string}} Numbers
 *   `number` is what the game reads a card as, `may` which are accepted now, `together` how many of a number go down with those that
 *   do not go down alone, `gone` what was tapped or reported and is not confirmed
 */

/** @param {Numbers} its */
export function NumberPad(its) {
  const { deck, codes, number, label = t("Cards") } = its;
  const inOrder = [...codes].sort((one, other) => number(one) - number(other));
  const numbers = [...new Set(inOrder.map(number))];
  const isOneEach = numbers.length === codes.length;
  const half = Math.ceil(numbers.length / 2);
  /** @param {string} code */
  const placed = (code) => {
    const row = numbers.indexOf(number(code));
    const alike = codes.filter((each) => number(each) === number(code)).sort((one, other) => rankOf(deck, one) - rankOf(deck, other));
    return { gridRow: (row % half) + 1, gridColumn: alike.indexOf(code) + 1 + (row >= half ? 5 : 0) };
  };
  return html`<div class=${`number-pad ${isOneEach ? "one-each" : ""}`} role="group" aria-label=${label}>
    ${inOrder.map((code) => html`<${NumberCard} key=${code} ...${its} code=${code} at=${isOneEach ? undefined : placed(code)} />`)}</div>`;
}

const SUITS = ["swords", "cups", "coins", "clubs", "spades", "hearts", "diamonds", "western-clubs"];

/** Where a card stands among those of its number. @param {Deck} deck @param {string} code */
function rankOf(deck, code) {
  const { group, order } = lookOf(deck, code);
  const suit = SUITS.indexOf(group);
  return suit < 0 ? order : suit;
}

/** A card to tap, or one that was seen already. @param {Omit<Numbers, "codes"> & {code: string, at?: Record<string, number>, large?: boolean, children?: any}} its */
export function NumberCard({ deck, code, at, large = false, left, gone, may, together, tap, mend, number, children }) {
  const rest = (left?.[code] ?? 1) - (gone?.get(code) ?? 0);
  const copies = deck.cards.find((each) => each.code === code)?.copies ?? 1;
  const face = large ? html`<${CardFace} deck=${deck} code=${code} count=${number(code)} />` : html`<${Face} deck=${deck} code=${code} number=${number(code)} />`;
  if (rest <= 0) return html`<${Seen} deck=${deck} code=${code} look="number-card" at=${at} mend=${mend}>${face}<//>`;
  const unlikely = may && !may.includes(code);
  return html`<button type="button" class=${`number-card ${unlikely ? "unlikely" : ""}`} style=${at} data-test=${`card-${code}`} data-once=${copies === 1 ? code : undefined} onClick=${() => tap(code)}>
    ${face}${children}${together?.[code] && html`<${Together} count=${together[code]} />`}${copies > 1 && html`<${Copies} count=${rest} />`}</button>`;
}

/** How many of its number go down with a card. @param {{count: number}} its */
const Together = ({ count }) => html`<span class="corner-end"><span aria-hidden="true">×${count}</span><span class="hidden">${t("only {count} together", { count })}</span></span>`;

/** How many of a card are left. @param {{count: number}} its */
const Copies = ({ count }) => html`<span class="copies-left"><span aria-hidden="true">${Array.from({ length: count }, (_, at) => html`<i key=${at} />`)}</span><span class="hidden">${tn("{count} left", "{count} left", count)}</span></span>`;

/**
 * A card; where no number is printed on it, what it counts stands in its corner.
 * @param {{deck: Deck, code: string, number: number}} its
 */
function Face({ deck, code, number }) {
  const face = html`<${CardFace} deck=${deck} code=${code} small=${true} />`;
  return lookOf(deck, code).rank ? face : html`${face}<span class="corner">${number}</span>`;
}

/** What a card counts, 1 to 10, by the deck. @param {Deck} deck @param {string} code */
export const valueOf = (deck, code) => deck.cards.find((each) => each.code === code)?.value ?? 0;

/** How often each is there. @param {(string | null | undefined)[]} codes @param {Map<string, number>} [besides] */
export function counted(codes, besides = new Map()) {
  const counts = new Map(besides);
  for (const each of codes) if (each) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}
