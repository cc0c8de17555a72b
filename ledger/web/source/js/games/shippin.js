/**
 * Shippin: bets by column, then five cards, then five cards. Who bets is tapped on the seats, what they bet on are the columns.
 */
import { html } from "../core/html.js";
import { kindOf } from "../core/names.js";
import { say, t } from "../core/words.js";
import { fromLeaves } from "../parts/from_leaves.js";
import { drawing } from "./seat_draft.js";
import { FiveCards } from "./shippin_five.js";
import { COLUMNS, DEALER, aboutOf, betsOf, fiveDue, setDealing, standing, tapped, whoIsAsked } from "./shippin_table.js";

export { Asked } from "./shippin_question.js";
export const Between = fromLeaves("SeatDraw");
export { Hands } from "./shippin_hands.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../parts/seats.js").SeatLook} SeatLook */

/** @param {import("../core/guess.js").Guess | null} _ @param {{sitting: Play["sitting"]}} at */
export function turn(_, { sitting }) {
  const round = sitting.session.value?.round;
  return round ? whoIsAsked({ round, sitting }, standing({ round, sitting })) : null;
}

/** Whoever may bet can be chosen. @param {Play} play @param {string} player @returns {SeatLook} */
export function seat(play, player) {
  const now = standing(play);
  const once = `seat-${player}`;
  const bets = betsOf(now);
  const state = player === play.turn ? "due" : "";
  const may = bets?.player === player || bets?.players?.includes(player);
  const isLeft = player !== play.round.dealer && !now.bets.some((each) => each.player === player);
  if (isLeft && !may && !bets?.player) return { state: "out", word: html`<span class="hidden">${t("sits out")}</span>`, once };
  if (!may || !play.records || tapped(play, "second_cards_dealt").length) return { state, once };
  const chosen = () => {
    setDealing(play, false);
    play.choose(player);
  };
  return { hook: `bet-${player}`, tap: chosen, state: state || "may", once };
}

/** The five cards that are being tapped, or those that are drawn for seats. @param {{sitting: Play["sitting"]}} at */
export function draft({ sitting }) {
  const round = sitting.session.value?.round;
  if (!round) return drawing(sitting);
  const type = fiveDue({ round, sitting }, standing({ round, sitting }));
  if (!type) return null;
  const cards = tapped({ round, sitting }, type);
  return { about: aboutOf({ round, sitting }, type), event: cards.length ? { type, columns: COLUMNS.map((column) => cards[column - 1] ?? null), dealer: cards[DEALER] } : null };
}

/** @param {Play} play */
export function Pad(play) {
  const now = standing(play);
  const due = fiveDue(play, now);
  if (due) return html`<${FiveCards} ...${play} now=${now} type=${due} />`;
  if (!betsOf(now)) return html`<section class="pad" aria-busy="true"></section>`;
  const mayDeal = now.next.some((each) => each.type === "second_cards_dealt");
  return html`<section class="pad"><div class="pad-bar">${mayDeal
    ? html`<button type="button" class="main" data-test="second-cards" onClick=${() => setDealing(play, true)}>${say(kindOf(play.game, "second_cards_dealt")?.label)}</button>`
    : html`<p class="pad-hint">${t("Tap the column")}</p>`}</div></section>`;
}
