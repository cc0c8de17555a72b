/**
 * The columns of Shippin, and the dealer's two cards beside them. They are tapped themselves: to bet on one, and to take a
 * card back that was just tapped.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { Tile } from "../cards/tile.js";
import { PlayerName } from "../parts/name.js";
import { ColumnBar, useOdds } from "../parts/odds.js";
import { valueOf } from "./number_pad.js";
import { DEALER, PLACES, betsOf, fiveDue, ownerOf, placeAsked, tapAt, tapped } from "./shippin_table.js";
import { Total } from "./shippin_total.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shippin_table.js").Standing} Standing */
/** @typedef {import("./shippin_table.js").Slot} Slot */
/** @typedef {import("./shippin_table.js").Five} Five */
/** @typedef {Play & {now: Standing}} Its */

/** @param {Its} its */
export function Columns(its) {
  const odds = useOdds(its.sitting);
  return html`<ol class="columns">${PLACES.map((place) => html`<${Column} key=${place} ...${its} place=${place} odds=${odds} />`)}</ol>`;
}

/** @param {Its & {place: number, odds: any}} its */
function Column(its) {
  const { now, place, deck, odds, records, turn, sitting } = its;
  const due = fiveDue(its, now);
  const [first, second] = [slotOf(its, "first_cards_revealed"), slotOf(its, "second_cards_dealt")];
  const who = ownerOf(its, now, place);
  const inside = html`<${Head} session=${its.session} place=${place} who=${who} />
    <${Card} ...${its} type="first_cards_revealed" /><${Card} ...${its} type="second_cards_dealt" />
    <${Total} cards=${[first, second]} value=${(/** @type {string} */ code) => valueOf(deck, code)} isDealer=${place === DEALER} />
    ${place !== DEALER && html`<${ColumnBar} told=${odds} column=${place + 1} />`}`;
  const bets = !due && betsOf(now);
  const hook = bets && place !== DEALER ? `column-${place + 1}` : undefined;
  if (!hook || who || !records || !turn) return html`<li class=${`column ${due && placeAsked(its, due) === place ? "is-next" : ""}`} data-test=${hook}>${inside}</li>`;
  return html`<li class="column may"><button type="button" data-test=${hook} onClick=${() => sitting.report({ type: "bet_placed", player: turn, column: place + 1 })}>${inside}</button></li>`;
}

/** Which it is, and whose. @param {{session: import("../core/types.js").Session | null, place: number, who: string | null}} its */
export function Head({ session, place, who }) {
  return html`<span class="column-head">${place === DEALER ? t("dealer") : html`<span class="hidden">${t("Column")} </span>${place + 1}`}</span>
    ${who && session ? html`<${PlayerName} key="who" session=${session} player=${who} kind="column-who" />` : html`<span key="nobody" class="column-who"></span>`}`;
}

/** A card that lies in a place, or was just tapped for it. @param {Its & {place: number}} its @param {Five} type @returns {Slot} */
function slotOf(its, type) {
  const lies = (type === "first_cards_revealed" ? its.now.first : its.now.second)[its.place];
  return lies ?? tapped(its, type)[its.place] ?? lies;
}

/** @param {Its & {place: number, type: Five}} its */
function Card(its) {
  const { place, type, now, sitting } = its;
  const lies = (type === "first_cards_revealed" ? now.first : now.second)[place];
  const mine = tapped(its, type);
  const card = mine[place];
  if (lies || card === undefined) return html`<${Place} ...${its} card=${lies} />`;
  const back = () => {
    if (sitting.refusal.value) sitting.dropRefused();
    tapAt(its, type, mine.map((each, index) => (index === place ? undefined : each)));
  };
  return html`<button type="button" class="slot-mine" data-test=${`slot-${place === DEALER ? "dealer" : place + 1}`} onClick=${back}><${Place} ...${its} card=${card} isMine /><span class="hidden">${t("Take this card back")}</span></button>`;
}

/** What lies in a place: a card, its back, or nothing yet. @param {{deck: import("../core/types.js").Deck, type: Five, card: Slot, isMine?: boolean}} its */
export function Place({ deck, type, card, isMine = false }) {
  if (card) return html`<${Tile} deck=${deck} code=${card} drafted=${isMine} count=${valueOf(deck, card)} />`;
  if (card === null) return html`<span class="card-tile unseen" title=${t("not looked at")}>–</span>`;
  return type === "first_cards_revealed" ? html`<${Tile} deck=${deck} down />` : html`<span class="card-tile empty" aria-hidden="true"></span>`;
}
