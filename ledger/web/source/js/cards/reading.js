/**
 * What a card looks like, read off its code and what the deck says of it: marks, rank, and its place on a pad.
 */
import { signal } from "../core/html.js";
import { store, stored } from "../core/storage.js";
import { say } from "../core/words.js";

/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {import("../core/types.js").Card} Card */
/** @typedef {import("../core/words.js").Texts} Texts */
/**
 * @typedef {{mark: string, tone: string, rank: string, order: number, group: string, second?: string}} Look
 *   `mark` and `second` are drawings, `tone` a colour's class, `group` the suit or month, `order` the place in it
 */

const WESTERN = { S: "spades", H: "hearts", D: "diamonds", C: "western-clubs" };
const PIPS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const CLASSES = ["bright", "animal", "ribbon", "chaff"];
/** Ribbons that are not plain, by month. @type {Record<string, string>} */
const RIBBONS = { pine: "poem-ribbon", plum: "poem-ribbon", cherry: "poem-ribbon", peony: "blue-ribbon", chrysanthemum: "blue-ribbon", maple: "blue-ribbon" };

/** Suits and months in the order in which a pad shows them. */
const GROUPS = [
  ...["swords", "cups", "coins", "clubs"],
  ...["spades", "hearts", "diamonds", "western-clubs"],
  ...["pine", "plum", "cherry", "wisteria", "iris", "peony", "clover", "susuki", "chrysanthemum", "maple", "willow", "paulownia"],
];

const KEPT = "fuda.names";

/** Whether ranks stand by name: Horse, not 11. */
export const byName = signal(stored(KEPT) === "yes");

export function toggleNames() {
  byName.value = !byName.value;
  store(KEPT, byName.value ? "yes" : "no");
}

/** @param {Deck} deck @param {string} code @param {boolean} [named] whether ranks may stand by name @returns {Look} */
export function lookOf(deck, code, named = byName.value) {
  const card = deck.cards.find((each) => each.code === code);
  if (deck.deck === "western") {
    const mark = WESTERN[/** @type {keyof typeof WESTERN} */ (code.slice(-1))] ?? "spades";
    return { mark, tone: `tone-${mark}`, group: mark, rank: code.slice(0, -1), order: -PIPS.indexOf(code.slice(0, -1)) };
  }
  if (deck.deck === "kabufuda") return { mark: `bars-${code}`, tone: "tone-bars", group: "kabufuda", rank: code, order: Number(code) };
  if (deck.deck === "hanafuda") return hanafuda(card, code);
  const [suit = "", rank = ""] = code.split("-");
  return { mark: suit, tone: `tone-${suit}`, group: suit, rank: (named && rankName(deck, card)) || rank, order: -Number(rank) };
}

/** @param {Card | undefined} card @param {string} code @returns {Look} */
function hanafuda(card, code) {
  const [month = "", ...which] = code.split("-");
  const kind = card?.class ?? "chaff";
  const count = Number(which.at(-1)) || 1;
  const second = which[0] === "lightning" ? "lightning" : kind === "chaff" ? `chaff-${count}` : kind === "ribbon" ? (RIBBONS[month] ?? kind) : kind;
  return { mark: month, tone: "", group: month, rank: "", second, order: CLASSES.indexOf(kind) * 10 + count };
}

/** What people call a rank where it has a name of its own, and the game uses it: Horse. @param {Deck} deck @param {Card | undefined} card */
function rankName(deck, card) {
  const named = deck.ranks?.find((/** @type {{number: number, name: Texts}} */ each) => each.number === card?.rank)?.name;
  return named && /\D/.test(named.en) && card?.name.en.startsWith(named.en) ? say(named) : null;
}

/** Whether ranks have names in this deck, and the game uses them. @param {Deck} deck */
export const hasRankNames = (deck) => deck.deck === "mekurifuda" && deck.cards.some((card) => rankName(deck, card));

/** Cards by suit or month, strongest first; of those that nobody sorts, the deck's order. @param {Deck} deck @param {string[]} codes @returns {{group: string, codes: string[]}[]} */
export function grouped(deck, codes) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const code of codes) {
    const { group } = lookOf(deck, code);
    groups.set(group, [...(groups.get(group) ?? []), code]);
  }
  const order = (/** @type {string} */ code) => lookOf(deck, code).order;
  return [...groups]
    .map(([group, found]) => ({ group, codes: [...found].sort((one, other) => order(one) - order(other)) }))
    .sort((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group));
}
