/**
 * How a game is played, line by line, with drawn cards of the deck on the table.
 */
import { html } from "../core/html.js";
import { Tile } from "../cards/tile.js";
import { namedRanks, Ranks } from "../cards/ranks.js";
import { cardName } from "../core/names.js";
import { t } from "../core/words.js";
import { linesOf } from "../games/how.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Deck} Deck */

/** The card of a deck that stands for another, or counts so much. @param {Deck} deck @param {Record<string, any>} rules @param {string} wanted */
function inDeck(deck, rules, wanted) {
  const asked = deck.deck === "western" && rules.western_courts === "QJK" ? "stands_for_if_courts_are_qjk" : "stands_for";
  return deck.cards.find((each) => [each.code, each[asked] ?? each.stands_for, String(each.value)].includes(wanted))?.code ?? "";
}

/** What a switch is unless a table changes it. @param {Game} game @returns {Record<string, any>} */
export const usualRules = (game) => Object.fromEntries(game.rules.map((each) => [each.name, each.default]));

/** @param {{game: Game, deck: Deck, rules: Record<string, any>, phase?: string}} its `phase` leaves only the lines about it */
export function How({ game, deck, rules, phase }) {
  const all = linesOf({ game, rules, called: (card) => cardName(deck, inDeck(deck, rules, card)) });
  const lines = phase ? all.filter((each) => each.at?.includes(phase)) : all;
  const ranks = !phase && namedRanks(deck).length > 0;
  return html`<ol class=${phase ? "how-now" : "how"}>${lines.map(({ text, cards = [] }) => html`<li key=${text}><span>${text}</span>
      ${cards.length > 0 && html`<span class="how-cards" aria-hidden="true">${cards.map((card) => html`<${Tile} key=${card} deck=${deck} code=${inDeck(deck, rules, card)} quiet />`)}</span>`}</li>`)}</ol>
    ${ranks && html`<h3>${t("Ranks by name")}</h3><${Ranks} deck=${deck} />`}`;
}
