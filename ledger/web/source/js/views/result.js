/**
 * How a round ended, in one look: who won with which card, who was paid what, and why.
 */
import { html } from "../core/html.js";
import { nameOf, shortNameOf } from "../core/names.js";
import { dayOf, number, say, signed, t, tn } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { ChipStack } from "../parts/chip_stack.js";
import { Hero } from "../parts/hero.js";
import { Reasons } from "../parts/reasons.js";
import { netOf } from "../parts/round_net.js";

/** @typedef {import("../core/types.js").Outcome} Outcome */
/**
 * @typedef {{sitting: import("../core/sitting.js").Sitting, session: import("../core/types.js").Session, game: any, deck: any,
 *   round: import("../core/types.js").Round, moved: import("../core/types.js").Entry[] | null | undefined, ask: (player: string) => void, fresh?: boolean}} Its
 *   `moved` are the round's chips, null where they are not known, `ask` says why somebody has what a round brought, `fresh` if it has ended before our eyes
 * @typedef {Its & {outcome: Outcome}} Told
 */

/** With more people than these, what each was paid is said in words only. */
const FEW = 6;
/** A longer name, or a longer number, is written smaller. */
const [LETTERS, DIGITS] = [8, 4];

/** @param {Its} its */
export function Result(its) {
  const { game, deck, round, fresh } = its;
  const { outcome } = round;
  if (!outcome) return null;
  const told = { ...its, outcome };
  const pad = padOf(game.name);
  const moment = outcome.guri ? "グリ" : outcome.dealer_hand?.shippin ? "四一！" : null;
  const isForfeited = outcome.result === "forfeited";
  const isSealed = Boolean(outcome.winner) || outcome.result === "settled";
  return html`<div class=${`result ${outcome.result} ${fresh ? "fresh" : ""}`}>
    <section class="outcome"><div class="outcome-in">
      ${moment ? html`<p class="moment" lang="ja" aria-hidden="true" data-test="moment">${moment}</p>` : html`<${Hero} deck=${deck} card=${outcome.card ?? (isForfeited ? round.table?.bottom_card : null)} rides=${Boolean(outcome.back_rider)} sealed=${isSealed} />`}
      <div class="outcome-said"><${outcome.winner ? Won : Ended} ...${told} />
        ${round.played_on && html`<p class="soft" data-test="played-on">${t("Played on {day}", { day: dayOf(round.played_on) })}</p>`}
        ${round.pot > 0 && html`<p class="stays" data-test="stays">${tn("{count} stays in the pot", "{count} stay in the pot", round.pot)}</p>`}</div>
    </div></section>
    <section class="whys">
      ${pad?.Hands && html`<${pad.Hands} ...${its} />`}
      <${Reasons} ...${its} />
      ${pad?.Shown && round.table?.dealt && html`<div class="stood"><${pad.Shown} ...${its} /></div>`}
    </section>
  </div>`;
}

/** What each was paid, all reasons together. @param {Outcome} outcome @returns {[string, number][]} */
function paid(outcome) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { player, amount } of outcome.payouts) sums.set(player, (sums.get(player) ?? 0) + amount);
  return [...sums];
}

/** @param {Told} its */
function Won({ session, game, round, outcome, ask }) {
  const winner = outcome.winner ?? "";
  const name = shortNameOf(session, winner, game, 18);
  const sums = new Map(paid(outcome));
  const dealt = round.table?.dealt?.find((/** @type {{card: string}} */ each) => each.card === outcome.card);
  const price = Math.max(0, ...(dealt?.bids ?? []).map((/** @type {{amount: number}} */ bid) => bid.amount));
  const others = [...sums.keys()].filter((player) => player !== winner);
  return html`<h2 class=${`outcome-title ${name.length > LETTERS ? "long" : ""}`} data-test="outcome" dir="auto">${t("{name} wins", { name })}</h2>
    ${outcome.guri && html`<p class="soft">${t("guri, all six cards in one turn")}</p>`}
    <${Payout} name=${name} player=${winner} chips=${sums.get(winner) ?? 0} ask=${ask} />
    ${others.map((player) => html`<div key=${player} class="ride">
      <p dir="auto">${outcome.back_rider === player ? html`<${Rode} name=${nameOf(session, player, game)} chips=${price} />` : html`<b>${nameOf(session, player, game)}</b>`}</p>
      <${Payout} name=${nameOf(session, player, game)} player=${player} chips=${sums.get(player) ?? 0} ask=${ask} /></div>`)}`;
}

/** Who rode, in bold, and for how much. @param {{name: string, chips: number}} its */
function Rode({ name, chips }) {
  const [before, after] = t("{name} rode for {chips}", { name: "\n", chips }).split("\n");
  return html`<span class="soft">${before}</span><b>${name}</b><span class="soft">${after}</span>`;
}

/** @param {{name: string, player: string, chips: number, ask: (player: string) => void}} its */
const Payout = ({ name, player, chips, ask }) => html`<button type="button" class=${`payout ${number(chips).length > DIGITS ? "long" : ""}`} data-test=${`payout-${player}`} aria-label=${`${name}: ${number(chips)}`} onClick=${() => ask(player)}><span class="gain">${number(chips)}</span><${ChipStack} chips=${chips} /></button>`;

/** No single winner: what became of the round, and what it came to for those who were paid. @param {Told} its */
function Ended({ session, game, round, outcome, moved, ask }) {
  const why = (outcome.reasons ?? []).map((each) => say(game.forfeits[each])).join(t(", "));
  const net = moved ? netOf(moved, round.players) : null;
  const sums = paid(outcome);
  return html`<h2 class="outcome-title" data-test="outcome">${outcome.result === "forfeited" ? t("No winner") : say(game.results[outcome.result])}</h2>
    ${why && html`<p class="because">${why}</p>`}
    ${sums.length <= FEW && html`<ul class="payouts">${sums.map(([player, chips]) => html`<li key=${player}><button type="button" data-test=${`payout-${player}`} onClick=${() => ask(player)}>
      <span dir="auto">${nameOf(session, player, game)}</span> <b class=${(net?.get(player) ?? 0) > 0 ? "gain" : ""}>${net ? signed(net.get(player) ?? 0) : ""}</b> <small class="soft">${t("gets {chips}", { chips })}</small></button></li>`)}</ul>`}`;
}
