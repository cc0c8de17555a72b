/**
 * Kakkuri: who drops out, who trades hands, the pile's first card; then turn after turn, by cards or by counting. Who did
 * something is tapped on the seats.
 */
import { html } from "../core/html.js";
import { t, tn } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { aboutOf, down, refused, tap, tapped } from "./kakkuri_draft.js";
import { TURN, askedOf, choose } from "./kakkuri_mode.js";
import { atTurn, handOf, standing } from "./kakkuri_standing.js";
import { TakeTurn, cardsAt } from "./kakkuri_turn.js";
import { NumberPad } from "./number_pad.js";

export { Question as Asked } from "./kakkuri_question.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../parts/seats.js").SeatLook} SeatLook */
/** @typedef {import("./kakkuri_standing.js").Standing} Standing */

/** Whose turn is being tapped, or else who is to play, or to turn a box card. @param {import("../core/guess.js").Guess | null} _ @param {{sitting: Play["sitting"]}} at */
export function turn(_, { sitting }) {
  const round = sitting.session.value?.round;
  if (!round) return null;
  const { next, lies } = standing({ round, sitting });
  const due = next.find((each) => each.type === TURN);
  return (due && tapped({ round, sitting }).player) ?? due?.player ?? (next.some((each) => each.type === "box_card_revealed") ? atTurn(lies, round.players) : null);
}

/** The turn that is being tapped. @param {{sitting: Play["sitting"]}} at */
export function draft({ sitting }) {
  const round = sitting.session.value?.round;
  if (!round) return null;
  const mine = tapped({ round, sitting });
  const player = turn(null, { sitting }) ?? undefined;
  return { about: aboutOf({ round, sitting }, player ?? null), event: mine.count || mine.cards.length ? { type: TURN, player, ...down(mine) } : null };
}

/** Who may have done what is asked about; in a turn, another than whose turn it is. @param {Play} play @param {string} player @returns {SeatLook} */
export function seat(play, player) {
  const now = standing(play);
  const left = handOf(now, player);
  const once = `seat-${player}`;
  if (left === undefined) return { state: "out", word: html`<span class="seat-said">${t("sits out")}</span>`, once };
  const type = askedOf(play, now) ?? "";
  const look = /** @type {SeatLook} */ ({ once, tokens: html`<${Backs} count=${left} pairs=${now.lies.three_pairs.includes(player)} />`, state: player === play.turn ? "due" : "" });
  const among = now.next.find((each) => each.type === type)?.players;
  if (!play.records || (type !== TURN && !among)) return look;
  const hook = `for-${player}`;
  if (type === TURN) return { ...look, hook, tap: player === play.turn ? undefined : () => tap(play, { player }, refused.value) };
  if (!among?.includes(player)) return { ...look, state: "" };
  return { ...look, hook, state: "may", tap: () => play.sitting.report({ type, player }) };
}

/** The cards of a hand, backs up; three pairs that were declared lie in pairs. @param {{count: number, pairs: boolean}} its */
function Backs({ count, pairs }) {
  const said = tn("{count} card left", "{count} cards left", count);
  return html`<span class=${`backs ${pairs ? "in-pairs" : ""}`} role="img" aria-label=${pairs ? `${said}, ${t("three pairs")}` : said}>${Array.from({ length: count }, (_, at) => html`<i key=${at} />`)}</span>`;
}

/** @param {Play} play */
export function Pad(play) {
  const now = standing(play);
  const type = askedOf(play, now);
  if (!type) return html`<section class="pad" aria-busy="true"></section>`;
  if (type === TURN) return html`<${TakeTurn} play=${play} now=${now} />`;
  if (now.next.find((each) => each.type === type)?.players) return html`<${OnTheSeats} ...${play} now=${now} type=${type} />`;
  const report = (/** @type {string} */ card) => play.sitting.report({ type, card });
  return html`<section class="pad opened-deck"><${NumberPad} ...${cardsAt(play)} codes=${Object.keys(play.round.cards?.left ?? {})} may=${play.round.cards?.next[type]} tap=${report} /></section>`;
}

/** The seats are tapped; here is the way back. @param {Play & {now: Standing, type: string}} its */
function OnTheSeats(its) {
  const { now, type } = its;
  const first = now.next[0]?.type ?? type;
  return html`<section class="pad"><div class="pad-bar">
    ${first !== type && html`<button type="button" class="quiet" data-test="back" aria-label=${t("Back")} onClick=${() => choose(its, now, first)}><${Icon} name="close" /></button>`}
    <p class="pad-hint">${t("Tap that player's seat")}</p></div></section>`;
}
