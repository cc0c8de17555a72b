/**
 * Everybody on the wall, the best first, with how many places each went since the round before.
 */
import { html } from "../core/html.js";
import { placed, wonBefore } from "../core/placed.js";
import { number, t } from "../core/words.js";
import { Figures } from "../parts/figures.js";
import { PlayerName } from "../parts/name.js";
import { Seal } from "../parts/seal.js";

/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {(player: string) => {state: string, tokens: any}} Look */

/** So many rows have room for the largest letters, and for the next two sizes. */
const [LARGE, MIDDLE, SMALL] = [15, 18, 24];

/** So many are written in bold. */
const AHEAD = 3;

/** @param {number} people */
const sizeFor = (people) => (people <= LARGE ? "large" : people <= MIDDLE ? "middle" : people <= SMALL ? "small" : "smallest");

/** @param {{session: Session, title: string, statistics: any, look: Look, children?: any}} its */
export function Standing({ session, title, statistics, look, children }) {
  const before = wonBefore(session, statistics);
  const ranks = placed(session, before?.won);
  const dealer = session.round?.dealer ?? session.dealer;
  return html`<section class="wall-standing">
    <header class="wall-title"><${Seal} /><h1 dir="auto">${title}</h1><span class="hidden">${t("Scoreboard")}</span>${before && html`<p class="soft"><span aria-hidden="true">▲▼ </span>${t("since round {number}", { number: before.after })}</p>`}</header>
    <ol class=${`wall-people ${sizeFor(ranks.length)}`} style=${{ "--people": ranks.length }} aria-label=${t("Won")}>${ranks.map((each) => html`<${Row} key=${each.id} session=${session} player=${each} deals=${each.id === dealer} look=${look} />`)}</ol>
    ${children}
  </section>`;
}

/** @param {{session: Session, player: import("../core/placed.js").Placed, deals: boolean, look: Look}} its */
function Row({ session, player, deals, look }) {
  const { place, change } = player;
  const { state, tokens } = player.active ? look(player.id) : { state: "", tokens: null };
  return html`<li class=${`wall-row ${player.active ? state : "left"} ${place <= AHEAD && player.won > 0 ? "ahead" : ""}`} data-test=${`rank-${player.id}`} aria-current=${state === "ringed" ? "true" : undefined}>
    <span class="wall-place">${number(place)}</span>
    <span class="wall-change">${change !== 0 && html`<span class=${change > 0 ? "gain" : ""} role="img" data-test=${`change-${player.id}`} aria-label=${change > 0 ? t("up {places}", { places: change }) : t("down {places}", { places: -change })}>${change > 0 ? "▲" : "▼"}${number(Math.abs(change))}</span>`}</span>
    <span class="wall-who"><${PlayerName} session=${session} player=${player.id} kind="board-name" />${deals && html` <small data-test="dealer" data-player=${player.id}>${t("deals")}</small>`}${!player.active && html` <small>${t("left")}</small>`}</span>
    <span class="tokens">${tokens}</span>
    <span class=${`wall-amount figure ${player.won > 0 ? "gain" : ""}`}><${Figures} of=${player} /></span>
  </li>`;
}
