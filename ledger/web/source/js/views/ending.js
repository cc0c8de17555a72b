/**
 * A closed evening: who won, the best ride, who pays whom, a picture of it, and the way to the next one.
 */
import { html, useState } from "../core/html.js";
import { saidBest, useBest } from "../core/best.js";
import { nameOf, shortNameOf } from "../core/names.js";
import { placed, stepsOf, whoseEvening } from "../core/placed.js";
import { address } from "../core/router.js";
import { useSettled } from "../core/settled.js";
import { moment, number, say, signed, t, time, tn } from "../core/words.js";
import { Closed } from "../parts/closed.js";
import { ConflictSheet } from "../parts/conflict.js";
import { Icon } from "../parts/icon.js";
import { Last } from "../parts/last.js";
import { MenuButton } from "../parts/menu_button.js";
import { money } from "../parts/money.js";
import { Notes } from "../parts/notes.js";
import { Unopened, useOpening } from "../parts/opening.js";
import { Payments } from "../parts/payments.js";
import { Pending } from "../parts/pending.js";
import { PictureSheet } from "../parts/picture.js";
import { Pinned } from "../parts/pinned.js";
import { Podium } from "../parts/podium.js";
import { Standings } from "../parts/standings.js";
import { UndoSheet } from "../parts/undo.js";

/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: any}} At */

const PICTURE = "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M16.5 9a1 1 0 1 1-2 0 1 1 0 0 1 2 0";

/** There is room for all of the order. */
const isWide = matchMedia("(min-width: 820px)").matches;

/** @param {At} at */
export function Ending(at) {
  const { sitting, game } = at;
  const session = sitting.session.value;
  const { rows, closedAt, isOld, problem } = useSettled(sitting);
  const best = useBest(sitting, game);
  const [isWhole, setWhole] = useState(isWide);
  if (!session) return null;
  const order = placed(session);
  const called = session.name ?? say(game.title);
  const name = (/** @type {string} */ account) => nameOf(session, account, game);
  const told = saidBest(best, name);
  return html`<main class="ending" data-test="ending"><div class="ending-in"><div class="ending-body">
    <header class="ending-head">
      <div><p class="soft" dir="auto">${[called, closedAt ? t("closed {time}", { time: isToday(closedAt) ? time(closedAt) : moment(closedAt) }) : t("closed")].join(" · ")}</p>
        <h1 dir="auto">${whoseEvening(session, order) ?? called}</h1><${Pending} sitting=${sitting} /></div>
      <nav class="head-tools" aria-label=${t("Table")}>
        <a class="icon" data-test="share" aria-label=${t("Share")} href=${address(sitting.id, "share")}><${Icon} name="qr" /></a><${MenuButton} sitting=${sitting} /></nav>
    </header>
    <${Notes} sitting=${sitting} deck=${at.deck} />
    <div class="ending-won">
      ${!sitting.mayRecord.value && html`<${Pinned} id=${sitting.id} session=${session} play=${null} tokens=${() => null} />`}
      <${Podium} session=${session} order=${order} />
      <button type="button" class="whole" data-test="all" aria-expanded=${isWhole} onClick=${() => setWhole(!isWhole)}><${Following} session=${session} order=${order} /></button>
      <div class=${isWhole ? "" : "hidden"} inert=${!isWhole}><${Standings} order=${order} name=${name} /></div>
      ${told && html`<p class="best" data-test="best" dir="auto"><b>${told[0]}</b> ${told[1]}</p>`}
      <p class="soft"><span data-test="round">${session.rounds ? t("Round {number} was the last", { number: session.rounds }) : t("No round was played")}</span> · ${say(game.accounts.pot)} <span data-test="pot">${number(session.pot)}</span></p>
    </div>
    <${Last} ...${at} pad=${null} />
    <section class="ending-pays" aria-labelledby="who-pays"><header><h2 id="who-pays">${t("Who pays whom")}</h2>${session.chip_value && html`<p class="soft">${t("1 chip = {money}", { money: money(session.chip_value.per_chip, session.chip_value.currency) })}</p>`}</header>
      ${problem && html`<p role="alert" class="soft">${problem}</p>`}
      ${rows && (rows.length ? html`<${Payments} ...${{ sitting, session, name, rows, isOld }} />` : html`<p>${t("There is nothing to pay.")}</p>`)}
      <${Closed} ...${at} session=${session} /></section>
    </div>
    <${Bar} ...${at} session=${session} best=${best} order=${order} />
    </div>
    ${sitting.undoing.value && !sitting.conflict.value && html`<${UndoSheet} ...${at} />`}
    ${sitting.conflict.value && html`<${ConflictSheet} ...${at} />`}
  </main>`;
}

/** Whether that was on this day. @param {string} at */
const isToday = (at) => new Date(at).toDateString() === new Date().toDateString();

/** Who comes next after those on the podium. @param {{session: Session, order: import("../core/placed.js").Placed[]}} its */
function Following({ session, order }) {
  const next = order.slice(stepsOf(order).flat().length).slice(0, 2);
  return html`<span class="following">${next.map((each) => html`<span key=${each.id}>${each.place} <span dir="auto">${shortNameOf(session, each.id)}</span> <b class=${each.won > 0 ? "gain" : ""}>${signed(each.won)}</b></span>`)}</span>
    <b class="whole-more">${tn("all {count}", "all {count}", order.length)}</b>`;
}

/** What is done with a closed evening. @param {At & {session: Session, best: import("../core/best.js").Best, order: import("../core/placed.js").Placed[]}} its */
function Bar(its) {
  const { sitting } = its;
  const [isDrawn, setDrawn] = useState(false);
  const opening = useOpening();
  const again = (/** @type {Record<string, unknown>} */ more = {}) => void opening.open({ continues: sitting.token(), ...more });
  return html`<footer class="ending-bar">
    <${Unopened} opening=${opening} again=${again} />
    <button type="button" class="main" data-test="picture" onClick=${() => setDrawn(true)}><svg class="icon-drawn" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${PICTURE} /></svg>${t("Send the picture")}</button>
    <div class="row">${sitting.mayRecord.value && html`<button type="button" class="quiet in-menu" data-test="next-evening" disabled=${opening.busy} onClick=${() => again()}>${t("Next evening")}</button>`}
      <a class="quiet button" data-test="score-sheet" href=${address(sitting.id, "sheet")}>${t("Score sheet")}</a></div>
    ${isDrawn && html`<${PictureSheet} ...${its} close=${() => setDrawn(false)} />`}
  </footer>`;
}
