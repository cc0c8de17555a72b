/**
 * The ranks that have names, strongest first: 12 King, 11 Horse …
 */
import { html } from "../core/html.js";
import { say } from "../core/words.js";
import { hasRankNames } from "./reading.js";
import { Tile } from "./tile.js";

/** @typedef {import("../core/types.js").Deck} Deck */

/** @param {Deck} deck @returns {{number: number, name: import("../core/words.js").Texts}[]} */
export const namedRanks = (deck) =>
  (hasRankNames(deck) ? deck.ranks : []).filter((/** @type {any} */ rank) => /\D/.test(rank.name.en) && deck.cards.some((card) => card.rank === rank.number && card.name.en.startsWith(rank.name.en))).reverse();

/** @param {{deck: Deck}} its */
export const Ranks = ({ deck }) => html`<ul class="ranks" data-test="ranks">${namedRanks(deck).map(({ number, name }) => html`<li key=${number}>
  <${Tile} deck=${{ deck: deck.deck, cards: [] }} code=${`cups-${number}`} quiet /><span>${say(name)}</span></li>`)}</ul>`;
