/**
 * Who looks on here: a name chosen once and kept on this phone, with its chips, its place and its cards.
 */
import { html, useState } from "../core/html.js";
import { nameOf, seated } from "../core/names.js";
import { placed } from "../core/placed.js";
import { store, stored } from "../core/storage.js";
import { signed, t } from "../core/words.js";
import { Own } from "../games/shirinma_own.js";
import { PlayerName } from "./name.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {import("../games/pads.js").Play} Play */

/** @param {string} id */
const placeOf = (id) => `fuda.me.${id}`;

/** @param {{id: string, session: Session, play: Play | null, tokens: any}} its `id` of the session, `tokens` what a game shows before a seat */
export function Pinned({ id, session, play, tokens }) {
  const [pinned, setPinned] = useState(() => stored(placeOf(id)));
  const [choosing, setChoosing] = useState(false);
  const choose = (/** @type {string | null} */ player) => {
    store(placeOf(id), player);
    setPinned(player);
    setChoosing(false);
  };
  const mine = placed(session).find((each) => each.id === pinned);
  return html`${mine ? html`<header class="pinned pinned-head"><h2><${PlayerName} session=${session} player=${mine.id} kind="pinned-name" /></h2>
        <p><b class=${`figure ${mine.won > 0 ? "gain" : ""}`} data-test="my-balance">${signed(mine.won)}</b>
        <span class="soft" data-test="my-place">${t("place {place} of {count}", { place: mine.place, count: session.players.length })}</span></p>
        <button type="button" class="quiet" data-test="pin" onClick=${() => setChoosing(true)}>${t("Change")}</button></header>
      ${play && html`<ul class="own-cards">${play.game.name === "shirinma" ? html`<${Own} play=${play} player=${mine.id} />` : tokens(mine.id)}</ul>`}`
      : html`<p><button type="button" class="quiet wide" data-test="pin" onClick=${() => setChoosing(true)}>${t("Which one are you?")}</button></p>`}
    ${choosing && html`<${Sheet} title=${t("Which one are you?")} close=${() => setChoosing(false)} hook="pin-sheet">
      <p class="soft">${t("Your chips and cards then appear at the top, on this phone only.")}</p>
      <ul class="pins">${seated(session).map((each) => html`<li key=${each.id}><button type="button" class="quiet wide" data-test=${`pin-${each.id}`} aria-pressed=${each.id === pinned} dir="auto" onClick=${() => choose(each.id)}>${nameOf(session, each.id)}</button></li>`)}</ul>
      ${pinned && html`<button type="button" class="quiet wide" data-test="unpin" onClick=${() => choose(null)}>${t("None of these")}</button>`}<//>`}`;
}
