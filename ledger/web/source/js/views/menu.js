/**
 * Everything that is needed now and then: what can be looked at, what is arranged between rounds, and who sits here.
 */
import { html, useState } from "../core/html.js";
import { NamesToggle } from "../cards/names_toggle.js";
import { keptForm } from "../core/drafts.js";
import { kindOf, nameOf, seated, shortNameOf } from "../core/names.js";
import { shortened } from "../core/short_names.js";
import { address } from "../core/router.js";
import { language, say, t, tableWords, toggleTableWords } from "../core/words.js";
import { ClosingSheet } from "../parts/closing.js";
import { Refusal, useRecording } from "../parts/doing.js";
import { LanguageSwitch } from "../parts/language.js";
import { Unopened, useOpening } from "../parts/opening.js";
import { Sheet } from "../parts/sheet.js";
import { AtHand } from "./at_hand.js";
import { Balances } from "./balances.js";
import { Chips } from "./chips.js";
import { Delete } from "./delete.js";
import { Enter } from "./enter.js";
import { Describe, Exposed, Void } from "./evening.js";
import { Erase, Join, Leave, Rename, Seats } from "./people.js";
import { Rules } from "./rules.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {{sitting: Sitting, game: Game, deck: import("../core/types.js").Deck, close: () => void}} At */
/** @typedef {{hook: string, type: string, View: (its: any) => any}} Item */

/** What has a sheet of its own, and as which event it is recorded. Its name is what the API calls that event. */
const BETWEEN = /** @type {Item[]} */ ([
  { hook: "join", type: "player_joined", View: Join },
  { hook: "leave", type: "player_left", View: Leave },
  { hook: "seats", type: "seats_changed", View: Seats },
  { hook: "rules", type: "rules_changed", View: Rules },
  { hook: "balances", type: "balances_brought", View: Balances },
  { hook: "enter-round", type: "round_entered", View: Enter },
  { hook: "close-session", type: "session_closed", View: ClosingSheet },
]);
const ANY_TIME = /** @type {Item[]} */ ([
  { hook: "chips", type: "chips_moved", View: Chips },
  { hook: "exposed", type: "card_exposed", View: Exposed },
  { hook: "void", type: "round_voided", View: Void },
  { hook: "describe", type: "session_described", View: Describe },
]);
const OF_SOMEBODY = { rename: Rename, erase: Erase };

/** @param {At} at */
export function Menu(at) {
  const { sitting, close } = at;
  const [task, setTask] = useState(/** @type {{View: (its: any) => any, about: string | null} | null} */ (null));
  const session = sitting.session.value;
  if (!session) return null;
  const ask = (/** @type {(its: any) => any} */ View, /** @type {string | null} */ about = null) => setTask({ View, about });
  if (task) return html`<${task.View} ...${at} session=${session} about=${task.about} />`;
  return html`<${Sheet} title=${shortened(session.name ?? say(at.game.title), 24)} close=${close} hook="menu-sheet">
    <button type="button" class="item how-item" data-test="how" onClick=${() => ask(AtHand)}>${t("Rules at hand")}</button>
    <${Places} sitting=${sitting} />
    ${sitting.mayRecord.value && (session.status === "closed"
      ? html`<${Whole} ...${at} session=${session} /><${Arranging} ...${at} session=${session} ask=${ask} />`
      : html`<${Arranging} ...${at} session=${session} ask=${ask} /><${Whole} ...${at} session=${session} />`)}
    ${sitting.mayRecord.value && html`<${Everyone} ...${at} session=${session} ask=${ask} />`}
    ${sitting.isOwner.value && html`<${OddsSwitch} ...${at} session=${session} />`}
    ${sitting.isOwner.value && html`<div class="menu-items"><button type="button" class="item" data-test="delete-session" onClick=${() => ask(Delete)}>${t("Delete the evening")}</button></div>`}
    <section class="menu-group" aria-label=${t("This phone")}><div class="menu-items"><${LanguageSwitch} look="item" /><${NamesToggle} deck=${at.deck} />${language.value === "ja" && html`<button type="button" class="item" data-test="table-words" aria-pressed=${tableWords.value} onClick=${toggleTableWords}>${t("Words of the table")}</button>`}<a class="item" data-test="to-start" href="#/">${t("To the start")}</a></div></section>
  <//>`;
}

/** What can be looked at. @param {{sitting: Sitting}} its */
function Places({ sitting }) {
  const places = { scoreboard: ["board", t("Scoreboard")], settlement: ["settlement", t("Who pays whom")], statistics: ["statistics", t("Statistics")], exports: ["exports", t("Take home")] };
  return html`<nav class="menu-group" aria-label=${t("Look at")}><div class="menu-items">${Object.entries(places).map(([hook, [view, label]]) => html`<a key=${hook} class="item" data-test=${hook} href=${address(sitting.id, view)}>${label}</a>`)}</div></nav>`;
}

/** @param {{sitting: Sitting, game: Game, session: Session, ask: (View: (its: any) => any) => void}} its */
function Arranging({ sitting, game, session, ask }) {
  const closed = session.status === "closed";
  const inRound = session.round !== null;
  /** @param {Item} item */
  const possible = ({ hook }) => (closed ? hook === "describe" : hook === "void" || hook === "exposed" ? inRound : ANY_TIME.some((each) => each.hook === hook) || !inRound);
  const button = (/** @type {Item} */ item) => html`<button type="button" key=${item.hook} class="item" data-test=${item.hook} disabled=${!possible(item)} onClick=${() => ask(item.View)}>${say(kindOf(game, item.type)?.label)}${keptForm(sitting.id, item.type, {}).isKept && html` <b class="drafted">${t("Not recorded yet")}</b>`}</button>`;
  return html`<section class="menu-group" aria-labelledby="between-rounds"><h3 id="between-rounds">${t("Between rounds")}</h3>
      ${inRound && html`<p class="soft small">${t("Round {number} is open. These wait until it is over or void.", { number: session.rounds })}</p>`}
      ${closed && html`<p class="soft small">${t("The evening is closed. Reopen it to go on. Mistakes can be corrected in the log without reopening.")}</p>`}
      <div class="menu-items">${BETWEEN.map(button)}</div></section>
    <section class="menu-group" aria-labelledby="any-time"><h3 id="any-time">${t("At any time")}</h3><div class="menu-items">${ANY_TIME.map(button)}</div></section>`;
}

/** The evening goes on, or the next one begins. @param {At & {session: Session}} its */
function Whole({ sitting, game, session, close }) {
  const recording = useRecording(sitting, close);
  const opening = useOpening();
  const again = (/** @type {Record<string, unknown>} */ more = {}) => void opening.open({ continues: sitting.token(), ...more });
  const closed = session.status === "closed";
  return html`<section class="menu-group" aria-label=${t("The evening")}><div class="menu-items">
      ${closed && html`<button type="button" class="item" data-test="reopen" disabled=${recording.busy} onClick=${() => recording.run({ type: "session_reopened" })}>${say(kindOf(game, "session_reopened")?.label)}</button>`}
      <button type="button" class="item" data-test="next-evening" disabled=${opening.busy || session.round !== null} onClick=${() => again()}>${t("Next evening of the same people")}</button></div>
    <${Refusal} problem=${recording.problem} /><${Unopened} opening=${opening} again=${again} /></section>`;
}

/** Whether chances are told, for everybody who looks on. @param {At & {session: Session}} its */
function OddsSwitch({ sitting, session, close }) {
  const recording = useRecording(sitting, close);
  const on = session.odds;
  return html`<section class="menu-group" aria-label=${t("Chances to win")}><div class="menu-items"><button type="button" class="item" data-test="odds" aria-pressed=${on} disabled=${recording.busy}
      onClick=${() => recording.run({ type: "odds_switched", on: !on })}>${on ? t("Hide the chances") : t("Show everyone the chances")}</button></div>
    <${Refusal} problem=${recording.problem} /></section>`;
}

/** Everyone, with what can be done about each. @param {At & {session: Session, ask: (View: (its: any) => any, about: string) => void}} its */
function Everyone({ sitting, game, session, ask, close }) {
  const recording = useRecording(sitting, close);
  const between = session.round === null && session.status === "open";
  const people = [...seated(session), ...session.players.filter((each) => !each.active)];
  return html`<section class="menu-group" aria-labelledby="everyone"><h3 id="everyone">${t("Everyone")}</h3><${Refusal} problem=${recording.problem} />
    <ul class="everyone">${people.map((each) => html`<li key=${each.id}><span class="who" dir="auto">${shortNameOf(session, each.id, game, 24)}${!each.active && html` <span class="soft small">${t("not here")}</span>`}</span>
      ${each.active && html`<button type="button" class="quiet" data-test=${`dealer-${each.id}`} aria-pressed=${session.dealer === each.id} disabled=${!between || recording.busy || session.dealer === each.id}
        title=${say(kindOf(game, "dealer_named")?.label)} onClick=${() => recording.run({ type: "dealer_named", player: each.id })}>${t("Dealer")}${of(session, each.id)}</button>`}
      <button type="button" class="quiet" data-test=${`rename-${each.id}`} disabled=${session.status === "closed"} onClick=${() => ask(OF_SOMEBODY.rename, each.id)}>${t("Rename")}${of(session, each.id)}</button>
      ${sitting.isOwner.value && html`<button type="button" class="quiet" data-test=${`erase-${each.id}`} onClick=${() => ask(OF_SOMEBODY.erase, each.id)}>${t("Forget")}${of(session, each.id)}</button>`}</li>`)}</ul></section>`;
}

/** Whom a button is about, for who does not see beside whom it stands. @param {Session} session @param {string} player */
const of = (session, player) => html`<span class="hidden"> ${nameOf(session, player)}</span>`;
