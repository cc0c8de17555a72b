/**
 * The games, each with its drawing and how it is played; once one is chosen, in one line.
 */
import { html } from "../core/html.js";
import { say, t } from "../core/words.js";
import { Fan } from "./fan.js";
import { Icon } from "./icon.js";

/** @typedef {import("../core/types.js").Game} Game */

/** How many minutes a round takes. @type {Record<string, number>} */
const MINUTES = { shirinma: 15, shippin: 3, kakkuri: 10 };

/** @param {{games: Game[], chosen: string, choose: (name: string) => void, how: (game: Game) => void}} its */
export function GamesList({ games, chosen, choose, how }) {
  return html`<ul class=${`games-list ${chosen ? "chosen" : ""}`}>${games.map((game) => html`<li key=${game.name}>
    <button type="button" class="game-row" aria-pressed=${chosen === game.name} data-test=${`new-game-${game.name}`} onClick=${() => choose(game.name)}>
      <${Fan} game=${game.name} /><span class="game-said"><b>${say(game.title)}</b><span class="soft">${playedBy(game)}</span></span></button>
    <button type="button" class="icon" aria-label=${t("How {game} is played", { game: say(game.title) })} data-test=${`how-${game.name}`} onClick=${() => how(game)}><${Icon} name="help" /></button>
  </li>`)}</ul>`;
}

/** @param {Game} game */
function playedBy({ name, players: { min, max } }) {
  const minutes = MINUTES[name];
  return minutes ? t("{min}–{max} people, {minutes} min", { min, max, minutes }) : t("{min}–{max} people", { min, max });
}
