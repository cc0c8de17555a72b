/**
 * A game's cards as a fan: what it is known by before its name is read.
 */
import { html } from "../core/html.js";
import { Tile } from "../cards/tile.js";

/** @type {Record<string, {deck: string, codes: string[]}>} */
const FANS = {
  shirinma: { deck: "mekurifuda", codes: ["swords-1", "cups-12", "clubs-10"] },
  shippin: { deck: "kabufuda", codes: ["4", "1"] },
  kakkuri: { deck: "mekurifuda", codes: ["clubs-4", "swords-5", "coins-6"] },
};

/** @param {{game: string}} its a game without a drawing has cards with their backs up */
export function Fan({ game }) {
  const { deck, codes } = FANS[game] ?? { deck: "", codes: ["", ""] };
  return html`<span class="fan" data-cards=${codes.length} aria-hidden="true">${codes.map((code, at) => html`<${Tile} key=${at} deck=${{ deck, cards: [] }} code=${code} down=${!code} quiet />`)}</span>`;
}
