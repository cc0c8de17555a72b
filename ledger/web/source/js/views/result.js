/**
 * How a round ended, in one look: who won, why, who was paid what, and what the round came to for everybody.
 */
import { html, useState } from "../core/html.js";
import { CardFace, SuitMark } from "../cards/face.js";
import { shortNameOf } from "../core/names.js";
import { dayOf, language, number, say, t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { Net } from "../parts/round_net.js";
import { Why } from "../parts/why.js";

/** @typedef {import("../core/types.js").Round} Round */
/** @typedef {import("../core/types.js").Outcome} Outcome */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, round: Round}} Its */
/** @typedef {Its & {outcome: Outcome, ask: (account: string) => void}} Told */

/** @param {Its} its */
export function Result(its) {
  const { sitting, game, round } = its;
  const [asked, ask] = useState(/** @type {string | null} */ (null));
  const { outcome } = round;
  if (!outcome) return null;
  const told = { ...its, outcome, ask };
  const pad = padOf(game.name);
  return html`<section class=${`result ${outcome.result}`} aria-live="polite">
    <${Decided} ...${told} />
    <${outcome.winner ? Won : Ended} ...${told} />
    ${pad?.Hands && html`<${pad.Hands} ...${its} />`}
    <${Net} sitting=${sitting} game=${game} round=${round} ask=${ask} />
    <ul class="explained">${outcome.explanation[language.value].map((line) => html`<li dir="auto">${line}</li>`)}</ul>
    ${asked && html`<${Why} sitting=${sitting} game=${game} deck=${its.deck} account=${asked} round=${round.number} close=${() => ask(null)} />`}
  </section>`;
}

/** What decided it: the trump, and the card that won. @param {Told} its */
function Decided({ deck, round, outcome }) {
  const trump = round.table?.trump;
  const suit = trump && html`${t("trump")} <${SuitMark} deck=${deck} suit=${trump} />`;
  const best = outcome.card && html`<${CardFace} deck=${deck} code=${outcome.card} /> ${t("is highest")}`;
  const bottom = !best && round.table?.bottom_card && html`<${CardFace} deck=${deck} code=${round.table.bottom_card} /> ${t("at the bottom")}`;
  const parts = [suit, best || bottom, outcome.guri && t("guri, all six cards in one turn")].filter(Boolean);
  return parts.length > 0 && html`<p class="decided">${parts.map((part, at) => html`${at > 0 && html`<span class="soft"> · </span>`}<span>${part}</span>`)}</p>`;
}

/** What each was paid, all reasons together. @param {Outcome} outcome @returns {[string, number][]} */
function paid(outcome) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { player, amount } of outcome.payouts) sums.set(player, (sums.get(player) ?? 0) + amount);
  return [...sums];
}

/** @param {Told} its */
function Won({ sitting, game, round, outcome, ask }) {
  const session = sitting.session.value;
  const winner = outcome.winner ?? "";
  const sums = paid(outcome);
  const mine = sums.find(([player]) => player === winner)?.[1] ?? 0;
  const rider = outcome.back_rider;
  const price = Math.max(0, ...(round.table?.dealt?.find((/** @type {any} */ each) => each.card === outcome.card)?.bids ?? []).map((/** @type {any} */ bid) => bid.amount));
  return html`<h1 data-test="outcome">${t("{name} wins", { name: shortNameOf(session, winner, game, 18) })}</h1>
    <button type="button" class="won-sum gain" data-test=${`payout-${winner}`} onClick=${() => ask(winner)}>${number(mine)}</button>
    ${sums.filter(([player]) => player !== winner).map(([player, chips]) => html`<p key=${player} class="shared">
      <button type="button" data-test=${`payout-${player}`} onClick=${() => ask(player)}><bdi>${shortNameOf(session, player, game, 18)}</bdi> <b class="gain">${number(chips)}</b></button>
      ${rider === player && html`<span class="soft">${t("rode on that card for {chips}", { chips: price })}</span>`}</p>`)}
    ${session && session.pot > 0 && html`<${Stays} pot=${session.pot} />`}`;
}

/** No single winner: what became of the round, and who was paid. @param {Told} its */
function Ended({ sitting, game, outcome, round, ask }) {
  const session = sitting.session.value;
  return html`<h1 class="ended" data-test="outcome">${say(game.results[outcome.result]) || t("entered")}</h1>
    ${round.played_on && html`<p class="soft" data-test="played-on">${t("Played on {day}", { day: dayOf(round.played_on) })}</p>`}
    ${(outcome.reasons ?? []).length > 0 && html`<p class="because">${(outcome.reasons ?? []).map((each) => say(game.forfeits[each])).join(t(", "))}</p>`}
    ${session && session.pot > 0 && html`<${Stays} pot=${session.pot} />`}
    <ul class="payouts">${paid(outcome).map(([player, chips]) => html`<li key=${player}><button type="button" data-test=${`payout-${player}`} onClick=${() => ask(player)}>
      <bdi>${shortNameOf(session, player, game, 16)}</bdi> <b>${number(chips)}</b></button></li>`)}</ul>`;
}

/** @param {{pot: number}} its */
const Stays = ({ pot }) => html`<p class="stays"><b>${number(pot)}</b> <span class="soft">${t("stay in the pot for the next round")}</span></p>`;
