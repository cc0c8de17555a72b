/**
 * What is asked at Shippin just now, below the columns: who bets, or which card comes next and whose it is.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { Columns } from "./shippin_columns.js";
import { valueOf } from "./number_pad.js";
import { DEALER, betsOf, fiveDue, ownerOf, placeAsked, setDealing, standing, tapped } from "./shippin_table.js";
import { lay, useLeavingOut } from "./shippin_five.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shippin_table.js").Standing} Standing */
/** @typedef {import("./shippin_table.js").Five} Five */

/** @param {Play} play */
export function Asked(play) {
  const now = standing(play);
  const due = fiveDue(play, now);
  return html`<${Columns} ...${play} now=${now} />
    ${due ? html`<${NextCard} ...${play} now=${now} type=${due} />` : betsOf(now) && html`<div class="question"><p class="soft">${t("Column for")}</p><h2 class="question-what" aria-live="polite">${play.turn && html`<${PlayerName} session=${play.session} player=${play.turn} kind="question-name" />`}</h2></div>`}`;
}

/** @param {Play & {now: Standing, type: Five}} its */
function NextCard(its) {
  const { now, type, session, records } = its;
  const place = placeAsked(its, type);
  const who = ownerOf(its, now, place);
  const said = html`<span class="soft">${cardAsked(its, place)}</span>${who ? html`<${PlayerName} session=${session} player=${who} kind="question-name" />` : html`<span class="question-name">${t("No bet")}</span>`}`;
  const hook = type === "first_cards_revealed" ? "first-cards" : "second-cards";
  return html`<div class="question card-asked"><h2 class="question-text" aria-live="polite">${records ? html`<button type="button" data-test=${hook} onClick=${toTheCards}>${said}</button>` : said}</h2>
    ${records && html`<${Besides} ...${its} place=${place} />`}</div>`;
}

/** From the question to the cards. */
const toTheCards = () => /** @type {HTMLElement | null} */ (document.querySelector(".pad .number-card:enabled"))?.focus();

/** @param {Play & {now: Standing, type: Five}} its @param {number} place */
function cardAsked({ now, type, deck }, place) {
  const isFirst = type === "first_cards_revealed";
  const lies = isFirst ? now.second[place] : null;
  const on = lies ? valueOf(deck, lies) : 0;
  if (place === DEALER) return on ? t("The dealer's first card, on the {card}", { card: on }) : isFirst ? t("The dealer's first card") : t("The dealer's second card");
  const column = place + 1;
  return on ? t("First card of column {column}, on the {card}", { column, card: on }) : isFirst ? t("First card of column {column}", { column }) : t("Second card of column {column}", { column });
}

/** What else than a card there may be. @param {Play & {now: Standing, type: Five, place: number}} its */
function Besides(its) {
  const { now, type, place } = its;
  const mayMiss = useLeavingOut(its);
  const isBare = mayMiss && place !== DEALER && !ownerOf(its, now, place);
  return html`<div class="row">
    ${betsOf(now) && tapped(its, type).length === 0 && html`<button type="button" class="quiet" data-test="back-to-bets" onClick=${() => setDealing(its, false)}>${t("Back to the bets")}</button>`}
    ${isBare && html`<button type="button" class="quiet" data-test="no-card" onClick=${() => lay(its, null)}>${t("not looked at")}</button>`}</div>`;
}
