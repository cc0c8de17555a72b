/**
 * What lies on the table of any game, drawn by what it looks like: cards that lie open, what each player has before them,
 * amounts. It is called as the fields of the game's events are, where they have the same name.
 */
import { html } from "../core/html.js";
import { nameOf, worded } from "../core/names.js";
import { number, say, t } from "../core/words.js";
import { Tile } from "../cards/tile.js";

/** @typedef {import("./pads.js").Play} Play */

/** @param {Play} play */
export function TableOf(play) {
  const rows = Object.entries(play.round.table ?? {}).filter(([, value]) => !isNothing(value));
  if (rows.length === 0) return null;
  return html`<dl class="lies" data-test="table">${rows.map(([name, value]) => html`<div key=${name} class="lies-row"><dt>${labelOf(play, name)}</dt><dd><${Value} play=${play} name=${name} value=${value} /></dd></div>`)}</dl>`;
}

/** @param {any} value @returns {boolean} */
const isNothing = (value) => value === null || value === undefined || value === "" || value === false || (typeof value === "object" && Object.values(value).every(isNothing));

/** The label of the field that is called so, or that lies deeper in one; else the name itself. @param {Pick<Play, "game">} play @param {string} name @returns {string} */
function labelOf({ game }, name) {
  const found = (/** @type {any[]} */ fields) => fields.reduce((/** @type {any} */ field, each) => field ?? (each.name === name ? each : found([...(each.fields ?? []), ...(each.of?.fields ?? [])])), null);
  const field = found(game.events.flatMap((each) => each.fields));
  return field ? say(field.label) : name.replaceAll("_", " ");
}

/** @param {{play: Play, name: string, value: any}} its */
function Value({ play, name, value }) {
  const { deck, session, game } = play;
  if (isCard(play, value)) return html`<${Tile} deck=${deck} code=${value} />`;
  if (value === null) return html`<span class="card-tile down" title=${t("not looked at")}></span>`;
  if (value === true) return t("yes");
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return html`<ul class="lies-list">${value.map((each, at) => html`<li key=${at}><${Value} play=${play} name=${name} value=${each} /></li>`)}</ul>`;
  if (typeof value === "object") return html`<${Before} play=${play} value=${value} />`;
  const person = nameOf(session, value, game);
  return html`<span dir="auto">${person === value ? wordOf(play, name, value) : person}</span>`;
}

/** What belongs together, whose it is first. @param {{play: Play, value: Record<string, any>}} its */
function Before({ play, value }) {
  const { player, ...rest } = value;
  const parts = Object.entries(rest).filter(([, each]) => !isNothing(each));
  const isAlone = parts.length === 1 || parts.every(([, each]) => holdsCards(play, each));
  return html`<span class="lies-before">${player && html`<b dir="auto">${nameOf(play.session, player, play.game)}</b>`}
    ${parts.map(([name, each]) => html`<span key=${name} class="lies-part">${!isAlone && !holdsCards(play, each) && html`<span class="soft">${labelOf(play, name)}</span> `}<${Value} play=${play} name=${name} value=${each} /></span>`)}</span>`;
}

/** @param {Pick<Play, "deck">} play @param {any} value */
const isCard = ({ deck }, value) => typeof value === "string" && deck.cards.some((each) => each.code === value);
/** @param {Pick<Play, "deck">} play @param {any} value @returns {boolean} */
const holdsCards = (play, value) => isCard(play, value) || (Array.isArray(value) && value.some((each) => isCard(play, each)));

/** A word as a field of the game calls it. @param {Play} play @param {string} name @param {string} word */
function wordOf({ game, session, deck }, name, word) {
  const field = game.events.flatMap((each) => each.fields).find((each) => each.name === name);
  return worded({ session, game, deck }, field ?? { kind: "" }, word);
}
