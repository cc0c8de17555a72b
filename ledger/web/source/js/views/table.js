/**
 * The table: what was, above; what is asked now, below, under the thumb.
 */
import { html, useState, useEffect, useLayoutEffect, useRef } from "../core/html.js";
import { address, go } from "../core/router.js";
import { discardDraft, draftOf } from "../core/drafts.js";
import { guess } from "../core/guess.js";
import { nameOf, told } from "../core/names.js";
import { number, t, tn, say } from "../core/words.js";
import { KeyNote } from "../parts/key_note.js";
import { SlidingChips } from "../parts/chips.js";
import { ProblemAtHand } from "../parts/problem.js";
import { Seats } from "../parts/seats.js";
import { Why } from "../parts/why.js";
import { ConflictSheet } from "../parts/conflict.js";
import { UndoSheet } from "../parts/undo.js";
import { padOf } from "../games/pads.js";
import { Between } from "./between.js";
import { Menu } from "./menu.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {{sitting: Sitting, game: Game, deck: Deck}} At */

/** @typedef {import("../games/pads.js").Play} Play */
/** @typedef {import("../games/pads.js").Pad} Pad */

/** @param {At} at */
export default function Table(at) {
  const { sitting } = at;
  const session = sitting.session.value;
  const [menu, setMenu] = useState(false);
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  const [chosen, choose] = useState(/** @type {string | null} */ (null));
  useEffect(() => choose(null), [sitting.made.value, session?.round?.number]);
  const pad = session && padOf(session.game);
  const main = useHeldBack(turnsBack(sitting) && !pad?.goesBack);
  if (!session) return null;
  const { round } = session;
  const play = round && pad ? playing(at, pad, { session, round, chosen, choose }) : null;
  return html`
    <main class="table" ref=${main}>
      <${Head} ...${at} session=${session} menu=${() => setMenu(true)} />
      <${SeatsInPlay} ...${at} session=${session} pad=${pad} play=${play} ask=${setAsked} />
      <${Last} ...${at} pad=${pad} />
      <${SlidingChips} sitting=${sitting} />
      ${play && pad?.Lying && html`<div class="lying"><${pad.Lying} ...${play} /></div>`}
      <${ProblemAtHand} sitting=${sitting} />
      ${play && pad && sitting.mayRecord.value && html`<${pad.Pad} ...${play} />`}
      ${round && !sitting.mayRecord.value && html`<p class="watching" aria-live="polite"><span class="soft">${say(at.game.phases[round.phase])}</span>${round.next[0]?.player && html`<b dir="auto">${nameOf(session, round.next[0].player, at.game)}</b>`}</p>`}
      ${!round && html`<${KeyNote} sitting=${sitting} />`}
      ${!round && html`<${Between} ...${at} session=${session} />`}
      ${menu && html`<${Menu} ...${at} close=${() => setMenu(false)} />`}
      ${asked && html`<${Why} ...${at} account=${asked} close=${() => setAsked(null)} />`}
      ${sitting.undoing.value && !sitting.conflict.value && html`<${UndoSheet} ...${at} />`}
      ${sitting.conflict.value && html`<${ConflictSheet} ...${at} />`}
    </main>`;
}

const TURN_BACK = new Set(["event_taken_back", "event_amended", "event_inserted", "corrections_made", "round_voided"]);

/** Whether something waits after which the table stands as it did before: how, the service has to say. @param {Sitting} sitting */
const turnsBack = (sitting) => !sitting.refusal.value && sitting.waiting.value.some((report) => report.events.some((each) => TURN_BACK.has(each.type)));

/** While it is not known what can be tapped next, nothing can be. @param {boolean} held */
function useHeldBack(held) {
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    for (const part of main.current?.querySelectorAll(":scope > .asked, :scope > .pad") ?? []) part.toggleAttribute("inert", held);
  });
  return main;
}

/** @param {At} at @param {Pad} pad @param {Pick<Play, "session" | "round" | "chosen" | "choose">} standing @returns {Play} */
function playing(at, pad, standing) {
  const guessed = guess(standing.round, at.sitting.waiting.value);
  const asked = pad.turn ? pad.turn(guessed, at) : guessed.next.find((each) => each.player)?.player;
  return { ...at, ...standing, guessed, turn: standing.chosen ?? asked ?? null };
}

/** @param {At & {session: import("../core/types.js").Session, pad: Pad | null, play: Play | null, ask: (player: string) => void}} its */
function SeatsInPlay({ sitting, session, pad, play, ask }) {
  const choosing = play && sitting.mayRecord.value && pad?.chooses?.(play) !== false;
  const isOut = (/** @type {string} */ player) => play !== null && (!play.round.players.includes(player) || Boolean(pad?.out?.(play, player)));
  return html`<${Seats} session=${session} turn=${play?.turn} chosen=${play?.chosen} choose=${choosing ? (/** @type {string} */ player) => (pad?.choose ? pad.choose(play, player) : play.choose(player)) : null}
    may=${(/** @type {string} */ player) => !play || play.round.players.includes(player)} ask=${ask} out=${isOut}
    marks=${play && pad?.marks ? (/** @type {string} */ player) => pad.marks?.(play, player) : undefined} />`;
}

/** Round, pot and name, always in sight. @param {At & {session: import("../core/types.js").Session, menu: () => void}} its */
function Head({ sitting, game, session, menu }) {
  const { round } = session;
  const pending = sitting.waiting.value.length;
  const [asked, setAsked] = useState(false);
  return html`<header class="head">
    <div class="head-left"><h1 data-test="round">${session.rounds ? t("Round {number}", { number: session.rounds }) : t("Before the first round")}</h1>
      <span class="soft">${round ? say(game.phases[round.phase]) : session.status === "closed" ? t("closed") : ""}</span></div>
    <button type="button" class="pot" onClick=${() => setAsked(true)}><span class="soft">${say(game.accounts.pot)}</span><b data-test="pot">${number(session.pot)}</b></button>
    <div class="head-right"><span class="soft session-name" dir="auto">${session.name ?? say(game.title)}</span>
      <span class="head-buttons">
        <button type="button" class="icon" data-test="share" aria-label=${t("Share")} onClick=${() => go(address(sitting.id, "share"))}>⇪</button>
        <button type="button" class="icon" data-test="menu" aria-label=${t("Menu")} onClick=${menu}>☰</button>
      </span></div>
    ${pending > 0 && html`<p class="pending" role="status" data-test="pending">${sitting.mayRecord.value ? tn("{count} not yet confirmed", "{count} not yet confirmed", pending) : tn("{count} report waits here until this phone has a link that may record.", "{count} reports wait here until this phone has a link that may record.", pending)}</p>`}
    ${!sitting.online.value && html`<p class="offline" role="status" data-test="offline">${t("No connection. What you record is kept on this phone.")}</p>`}
    ${asked && html`<${Why} sitting=${sitting} game=${game} account="pot" close=${() => setAsked(false)} />`}
  </header>`;
}

/** A draft is discarded once the table has moved on from what it is about. @param {Sitting} sitting @param {() => string} about */
function useSettled(sitting, about) {
  const isSent = () => sitting.waiting.value.length === 0;
  useEffect(() => void sitting.ready.then(() => isSent() && !draftOf(sitting.id, about()) && discardDraft(sitting.id)), [about(), isSent()]);
}

/** The last event in words, with its undo; what waits stands here at once, and so does a draft, with its discarding. @param {At & {pad: Pad | null}} at */
function Last(at) {
  const { sitting, game, pad } = at;
  const draft = sitting.mayRecord.value ? pad?.draft?.(at) : null;
  useSettled(sitting, () => pad?.draft?.(at)?.about ?? "");
  const waits = sitting.waiting.value.at(-1)?.events.at(-1);
  const last = sitting.last.value;
  const event = draft?.event ?? waits ?? last?.event;
  const paid = draft?.event || waits ? [] : (last?.entries ?? []).slice(0, 2);
  const said = event && told({ ...at, session: sitting.session.value }, event);
  const moved = paid.map((entry) => `${nameOf(sitting.session.value, entry.from, game)} → ${nameOf(sitting.session.value, entry.to, game)} ${number(entry.amount)}`);
  return html`<div class=${`last ${draft?.event || waits ? "waits" : ""}`} aria-live="polite">
    <a class="last-said" data-test="log" href=${address(sitting.id, "log")}><span>${draft?.event && html`<b class="drafted" data-test="draft">${t("Not recorded yet")}</b> `}${said ? [said, ...moved].join(" · ") : t("Nothing recorded yet")}</span></a>
    ${sitting.mayRecord.value && html`<button type="button" class="undo" data-test="undo" disabled=${!event} onClick=${draft?.event ? () => discardDraft(sitting.id) : sitting.undo}>${draft?.event ? t("Discard") : t("Undo")}</button>`}
  </div>`;
}
