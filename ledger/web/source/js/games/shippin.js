/**
 * Shippin: bets by column, then five cards, then five cards.
 */
import { html, useEffect, useState } from "../core/html.js";
import { kindOf, shortNameOf } from "../core/names.js";
import { say, t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { NumberPad, counted, valueOf } from "./number_pad.js";
import { COLUMNS, DEALER, aboutOf, nextPlace, refused, standing, tapAt, tapped } from "./shippin_table.js";

export { Lying as Asked } from "./shippin_table.js";
import { drawing } from "./seat_draw.js";

export { SeatDraw as Between } from "./seat_draw.js";
export { Hands } from "./shippin_hands.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shippin_table.js").Five} Five */
/** @typedef {import("./shippin_table.js").Standing} Standing */
/** @typedef {import("../core/types.js").Expected} Expected */

/** Whoever may bet next. @param {import("../core/guess.js").Guess} _ @param {{sitting: Play["sitting"]}} at */
export function turn(_, { sitting }) {
  const round = sitting.session.value?.round;
  const bets = round && standing({ round, sitting }).next.find((each) => each.type === "bet_placed");
  return bets?.player ?? bets?.players?.[0] ?? null;
}

/** Which column somebody bet on. @param {Play} play @param {string} player @returns {import("../parts/seats.js").SeatLook} */
export function seat(play, player) {
  const bet = standing(play).bets.find((each) => each.player === player);
  return { state: player === play.turn ? "due" : "", word: bet && t("Column {column}", { column: bet.column }) };
}

/** The five cards that are being tapped, or those that are drawn for seats. @param {{sitting: Play["sitting"]}} at */
export function draft({ sitting }) {
  const round = sitting.session.value?.round;
  if (!round) return drawing(sitting);
  const due = standing({ round, sitting }).next.find((each) => each.type === "first_cards_revealed" || each.type === "second_cards_dealt");
  if (!due) return null;
  const type = /** @type {Five} */ (due.type);
  const cards = tapped({ round, sitting }, type);
  return { about: aboutOf({ round, sitting }, type), event: cards.length ? { type, columns: COLUMNS.map((column) => cards[column - 1] ?? null), dealer: cards[DEALER] } : null };
}

/** @param {Play} play */
export function Pad(play) {
  const now = standing(play);
  const [dealing, setDealing] = useState(tapped(play, "second_cards_dealt").length > 0);
  const has = (/** @type {string} */ type) => now.next.some((each) => each.type === type);
  if (has("first_cards_revealed")) return html`<${FiveCards} ...${play} now=${now} type="first_cards_revealed" />`;
  const bets = now.next.find((each) => each.type === "bet_placed");
  if (has("second_cards_dealt") && (dealing || !bets)) return html`<${FiveCards} ...${play} now=${now} type="second_cards_dealt" back=${bets && (() => setDealing(false))} />`;
  if (bets) return html`<${Bets} ...${play} now=${now} bets=${bets} done=${has("second_cards_dealt") ? () => setDealing(true) : null} />`;
  return html`<section class="pad" aria-busy="true"></section>`;
}

/** Who bets on which column. @param {Play & {now: Standing, bets: Expected, done: (() => void) | null}} its */
function Bets(its) {
  const { session, game, round, now, bets, done, sitting } = its;
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  useEffect(() => setAsked(null), [now.bets.length]);
  const dealer = round.players.indexOf(round.dealer);
  const around = [...round.players.slice(dealer + 1), ...round.players.slice(0, dealer)];
  const may = bets.player ? [bets.player] : (bets.players ?? []);
  const who = asked ?? may[0] ?? null;
  const place = (/** @type {number} */ column) => who && sitting.report({ type: "bet_placed", player: who, column });
  return html`<section class="pad betting">
    <p class="ask">${who ? html`<span class="soft">${t("Column for")}</span><b dir="auto">${shortNameOf(session, who, game, 18)}</b>` : html`<b>…</b>`}</p>
    <div class="bettors" role="group" aria-label=${t("Who bets")}>${around.map((each) => html`<${Bettor} key=${each} ...${its} player=${each} who=${who} may=${may} ask=${setAsked} />`)}</div>
    <div class="bet-columns">${COLUMNS.map((column) => html`<${BetColumn} key=${column} ...${its} column=${column} place=${place} who=${who} />`)}</div>
    ${done && html`<button type="button" class="main wide" data-test="second-cards" onClick=${done}>${say(kindOf(game, "second_cards_dealt")?.label)}</button>`}
  </section>`;
}

/** @param {Play & {now: Standing, player: string, who: string | null, may: string[], ask: (player: string) => void}} its */
function Bettor({ now, player, who, may, ask, session, game }) {
  const bet = now.bets.find((each) => each.player === player);
  const out = !bet && !may.includes(player);
  return html`<button type="button" class=${`quiet person ${out ? "passed" : ""}`} data-test=${`bet-${player}`} aria-pressed=${who === player} disabled=${Boolean(bet)}
    onClick=${() => ask(player)}><${PlayerName} session=${session} player=${player} /> ${bet ? html`<b>${bet.column}</b>` : out && html`<span class="hidden">${t("sits out")}</span>`}</button>`;
}

/** @param {Play & {now: Standing, column: number, place: (column: number) => void, who: string | null}} its */
function BetColumn({ now, column, place, who, session, game }) {
  const bet = now.bets.find((each) => each.column === column);
  return html`<button type="button" class=${`bet-column ${bet ? "taken" : ""}`} data-test=${`column-${column}`} disabled=${Boolean(bet) || !who} onClick=${() => place(column)}>
    <b><span class="hidden">${t("Column")} </span>${column}</b><span class="slot down" aria-hidden="true"></span>${bet ? html`<${PlayerName} key="who" session=${session} player=${bet.player} kind="column-who" />` : html`<span key="free" class="column-who soft">${t("free")}</span>`}
  </button>`;
}

/** Five cards, one after the other: columns 1 to 4, then the dealer; the last one sends them. @param {Play & {now: Standing, type: Five, back?: () => void}} its */
function FiveCards(its) {
  const { type, now, back, sitting, deck, round, game } = its;
  const cards = tapped(its, type);
  const place = nextPlace(cards);
  const mayMiss = useLeavingOut(its);
  useRefused(its);
  const tap = (/** @type {string | null} */ card) => {
    const five = place > DEALER ? [card] : Object.assign([...cards], { [place]: card });
    if (nextPlace(five) <= DEALER) return void tapAt(its, type, five);
    if (sitting.refusal.value) sitting.dropRefused();
    sitting.report({ type, columns: five.slice(0, DEALER), dealer: five[DEALER] });
    tapAt(its, type, []);
  };
  const lying = [...(round.table.second_field ? [] : now.second), ...(round.table.first_field ? [] : now.first)];
  const codes = Object.keys(round.cards?.left ?? {});
  return html`<section class="pad five">
    <div class="row">
      <button type="button" class="quiet mode" aria-pressed="true" data-test=${type === "first_cards_revealed" ? "first-cards" : "second-cards"}>${say(kindOf(game, type)?.label)}</button>
      ${back && cards.length === 0 && html`<button type="button" class="quiet" data-test="back-to-bets" onClick=${back}>${t("Bets")}</button>`}
    </div>
    <p class="ask" aria-live="polite"><span class="soft">${t("Card for")}</span><b>${place >= DEALER ? t("the dealer") : t("Column {column}", { column: place + 1 })}</b></p>
    <${NumberPad} deck=${deck} codes=${codes} number=${(/** @type {string} */ code) => valueOf(deck, code)} left=${round.cards?.left} gone=${counted([...cards, ...lying])} tap=${tap} />
    ${place < DEALER && mayMiss && !now.bets.some((each) => each.column === place + 1) && html`<button type="button" class="quiet wide" data-test="no-card" onClick=${() => tap(null)}>${t("not looked at")}</button>`}
  </section>`;
}

/** Cards that were refused lie there again: the wrong one can be taken back, or all be tapped anew. @param {Play & {type: Five}} its */
function useRefused(its) {
  const { sitting, type } = its;
  const five = sitting.refusal.value?.report.events.find((each) => each.type === type);
  useEffect(() => {
    if (five) tapAt(its, type, [...five.columns, five.dealer], true);
    else if (refused.value) tapAt(its, type, []);
  }, [five]);
}

/** Whether a column without a bet may be left out here: what the service says to five cards of which one is. @param {Play & {type: Five, now: Standing}} its */
function useLeavingOut({ sitting, round, now, type }) {
  const [may, setMay] = useState(false);
  const free = COLUMNS.filter((column) => !now.bets.some((each) => each.column === column));
  useEffect(() => {
    const cards = Object.entries(round.cards?.left ?? {}).filter(([, left]) => left > 0).map(([code]) => code);
    if (free.length === 0 || cards.length < 5 || sitting.waiting.value.length) return;
    const columns = COLUMNS.map((column) => (column === free[0] ? null : cards[column]));
    sitting.wouldBe({ type, columns, dealer: cards[0] }).then(() => setMay(true), () => setMay(false));
  }, [type, free.length, sitting.seq.value]);
  return may;
}
