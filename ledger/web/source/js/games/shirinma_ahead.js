/**
 * Tapping ahead: a tap on a seat says who gets the next good card, and everyone before gets a plain one, all in one report.
 * It is offered after three plain cards in a row, and the phone remembers the choice.
 */
import { html, signal } from "../core/html.js";
import { keptForm } from "../core/drafts.js";
import { store, stored } from "../core/storage.js";
import { t } from "../core/words.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */
/** @typedef {import("../core/types.js").Event} Event */

const KEPT = "fuda.ahead";
const OFFERED_AFTER = 3;

/** Whether seats are tapped ahead on this phone; null until somebody has chosen. */
const on = signal(stored(KEPT));

/** @param {Play} play */
const dealt = ({ round, sitting }) => [...round.table.dealt, ...sitting.waiting.value.flatMap((each) => each.events).filter((each) => each.type === "card_dealt")];

/** Which deal the next card belongs to: 1, 2 or 3. @param {Play} play */
export const dealNumber = (play) => Math.floor(dealt(play).length / play.round.players.length) + 1;

/** Where the seat that was tapped is kept. @param {Play} play */
const formOf = (play) => keptForm(play.sitting.id, "ahead", { to: "" }, `${play.round.number}/${dealt(play).length}`);

/** Whether this phone taps ahead while cards are dealt. @param {Asked} now */
export const isAhead = (now) => on.value === "yes" && now.player !== null;

/** Everyone from whom is dealt to next. @param {Play} play @param {Asked} now @returns {string[]} */
function inTurn({ round }, now) {
  const first = round.players.indexOf(now.player ?? "");
  return [...round.players.slice(first), ...round.players.slice(0, first)];
}

/** Who is dealt to before somebody. @param {Play} play @param {Asked} now @param {string} player */
export const before = (play, now, player) => inTurn(play, now).slice(0, inTurn(play, now).indexOf(player));

/** Everyone up to the end of this deal. @param {Play} play @param {Asked} now */
export const restOf = (play, now) => inTurn(play, now).slice(0, play.round.players.length - (dealt(play).length % play.round.players.length));

/** Whom the good card is for, and who gets a plain one before. @param {Play} play @param {Asked} now @returns {{to: string | null, before: string[]}} */
export function aheadOf(play, now) {
  const { to } = formOf(play).form;
  if (!isAhead(now) || now.auction || !play.round.players.includes(to) || to === now.player) return { to: null, before: [] };
  return { to, before: before(play, now, to) };
}

/** @param {Play} play @param {string} player */
export const goAhead = (play, player) => formOf(play).change({ to: player });
/** @param {Play} play */
export const cancelAhead = (play) => formOf(play).discard();

/** Cards for those before, as they are reported. @param {string[]} players @returns {Event[]} */
export const plainFor = (players) => players.map((player) => ({ type: "card_dealt", player, card: "plain" }));

/** The switch, once it was offered. @param {{play: Play, now: Asked}} its */
export function AheadSwitch({ play, now }) {
  const isOn = on.value === "yes";
  const many = dealt(play).slice(-OFFERED_AFTER);
  const isOffered = many.length === OFFERED_AFTER && many.every((each) => each.card === "plain");
  if (now.player === null || now.auction || (on.value === null && !isOffered)) return null;
  const toggle = () => {
    on.value = isOn ? "no" : "yes";
    store(KEPT, on.value);
    cancelAhead(play);
  };
  return html`<button type="button" class="ahead-switch" role="switch" data-test="ahead" aria-checked=${isOn} onClick=${toggle}><span class="switch" aria-hidden="true"></span><span class="ahead-label">${t("Tap ahead")}</span></button>`;
}
