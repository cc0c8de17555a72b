/**
 * How people, cards and events are called on the page.
 */
import { shortName, shortNames, shortened } from "./short_names.js";
import { dayOf, say, t, number } from "./words.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Deck} Deck */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Field} Field */

/** The whole name; people who share a name are numbered. @param {Session | null} session @param {string | null | undefined} player an id, or the pot or the bank @param {Game | null} [game] */
export function nameOf(session, player, game = null) {
  if (!player) return "";
  const own = session?.players.findIndex((each) => each.id === player) ?? -1;
  if (session && own >= 0) return shortNames(session.players.map((each) => each.name))[own]?.[0] ?? player;
  return game?.accounts[player] ? say(game.accounts[player]) : player;
}

/** Those who sit at the table, in seat order. @param {Session} session */
export const seated = (session) => session.players.filter((each) => each.active).sort((one, other) => (one.seat ?? 0) - (other.seat ?? 0));

/** The name as it was written. @param {Session} session @param {string} player */
export const writtenName = (session, player) => session.players.find((each) => each.id === player)?.name ?? "";

/** A name in at most so many letters, told apart from those of the others. @param {Session | null} session @param {string | null | undefined} player @param {Game | null} [game] @param {number} [most] */
export function shortNameOf(session, player, game = null, most = 12) {
  const own = session?.players.findIndex((each) => each.id === player) ?? -1;
  if (!session || own < 0) return shortened(nameOf(session, player, game), most);
  return shortName(session.players.map((each) => each.name), own, most);
}

/** @param {Deck | null} deck @param {string | null | undefined} code */
export function cardName(deck, code) {
  const found = deck?.cards.find((each) => each.code === code);
  return found ? say(found.name) : (code ?? "");
}

const IN_JAPANESE = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];

/**
 * A deck with its cards called as a game calls them: by the numbers they stand for, where it speaks of those.
 * @param {Game} game @param {Deck} deck @param {string} courts which western cards are 10, 11 and 12 @returns {Deck}
 */
export function asCalledIn(game, deck, courts) {
  if (!game.speaks_of_numbers) return deck;
  const called = (/** @type {Deck["cards"][number]} */ card) => {
    const face = (courts === "QJK" ? card.stands_for_if_courts_are_qjk : card.stands_for) ?? card.stands_for;
    if (!face) return card;
    const count = Number(face.split("-")[1]);
    const suit = deck.suits.find((/** @type {{code: string}} */ each) => each.code === card.suit);
    const ja = suit?.symbol ? `${suit.symbol}${count}` : `${suit?.name.ja}の${IN_JAPANESE[count - 1]}`;
    const name = suit ? { en: `${count} of ${suit.name.en}`, ja } : { en: `${card.name.en} (${count})`, ja: `${card.name.ja}（${count}）` };
    return { ...card, name, stands_for: face };
  };
  return { ...deck, cards: deck.cards.map(called) };
}

/** @param {Game | null} game @param {string} type */
export const kindOf = (game, type) => game?.events.find((each) => each.type === type) ?? null;

/**
 * What an event says, in words: the first sentence that its kind has and whose fields are all there, else its label.
 * @param {{session: Session | null, game: Game | null, deck: Deck | null}} at @param {Event} event
 */
export function told(at, event) {
  const kind = kindOf(at.game, event.type);
  if (!kind) return event.type;
  /** @type {Record<string, string>} */
  const facts = {};
  for (const field of kind.fields) {
    const value = (field.name === "seq" ? event.target : undefined) ?? event[field.name];
    const said = worded(at, field, value);
    if (said && value !== 0) facts[field.name] = said;
  }
  for (const each of kind.told ?? []) {
    const text = say(each);
    const wanted = [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? "");
    if (wanted.every((name) => name in facts)) return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
  }
  const values = kind.fields.filter((field) => !["note", "overrule"].includes(field.name) && facts[field.name]);
  return [say(kind.label), ...values.map((field) => facts[field.name])].join(" · ");
}

/**
 * A value of a field in words; nothing where there is none.
 * @param {{session: Session | null, game: Game | null, deck: Deck | null}} at @param {Field | {kind: string, of?: any}} field @param {any} value
 * @returns {string}
 */
export function worded(at, field, value) {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "";
  const labels = /** @type {Field} */ (field).value_labels;
  if (labels?.[String(value)]) return say(labels[String(value)]);
  if (Array.isArray(value)) return value.map((each) => worded(at, field.of ?? { kind: "" }, each) || "–").join(t(", "));
  if (typeof value === "number") return number(value);
  if (typeof value === "object") return Object.entries(value).map(([name, each]) => `${nameOf(at.session, name, at.game)} ${worded(at, { kind: "" }, each)}`).join(t(", "));
  if (field.kind === "day") return dayOf(value);
  if (field.kind === "card") return cardName(at.deck, value);
  const person = nameOf(at.session, value, at.game);
  return person !== value ? person : cardName(at.deck, value);
}
