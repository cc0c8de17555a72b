/**
 * The table: who sits there and what was, above; what is asked now, and what is tapped, below, under the thumb.
 */
import { html, useState, useEffect, useLayoutEffect, useRef } from "../core/html.js";
import { nameOf, seated } from "../core/names.js";
import { useWakeLock } from "../core/wake_lock.js";
import { say } from "../core/words.js";
import { SlidingChips } from "../parts/chips.js";
import { ConflictSheet } from "../parts/conflict.js";
import { fromLeaves } from "../parts/from_leaves.js";
import { Last } from "../parts/last.js";
import { Mending, mending } from "../parts/mending.js";
import { Notes } from "../parts/notes.js";
import { useRoundNet } from "../parts/round_net.js";
import { Seats, ring } from "../parts/seats.js";
import { Latest } from "../parts/latest.js";
import { TableHead } from "../parts/table_head.js";
import { useTableKeys } from "../parts/table_keys.js";
import { UndoSheet } from "../parts/undo.js";
import { padOf } from "../games/pads.js";
import { playing } from "../games/play.js";
import { Between } from "./between.js";

const Why = fromLeaves("Why");

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {{sitting: Sitting, game: Game, deck: Deck}} At */
/** @typedef {import("../games/pads.js").Play} Play */

/** @param {At} at */
export default function Table(at) {
  const { sitting, game } = at;
  const session = sitting.session.value;
  const [asked, setAsked] = useState(/** @type {{account: string, round?: number | null} | null} */ (null));
  const [chosen, choose] = useState(/** @type {string | null} */ (null));
  useEffect(() => choose(null), [sitting.made.value, session?.round?.number]);
  const pad = session && padOf(session.game);
  const table = useHeldBack(turnsBack(sitting) && !pad?.goesBack);
  useTableKeys();
  useWakeLock();
  const ended = session?.round ? null : sitting.ended.value;
  const { moved, net, tabs } = useRoundNet(sitting, ended);
  const seen = useRef(0);
  if (!session) return null;
  const { round } = session;
  if (round) seen.current = round.number;
  const records = sitting.mayRecord.value;
  const play = round && pad ? playing(at, pad, { session, round, records, chosen, choose }) : null;
  const { wide, high } = ring(seated(session).length);
  return html`<main class=${`room ${game.name} ${round ? "plays" : "rests"}`}>
    <div class="table" ref=${table} style=${{ "--wide": wide, "--high": high }}>
      <${TableHead} ...${at} session=${session} />
      <${Seats} session=${session} net=${net} ask=${(/** @type {string} */ account) => setAsked({ account, round: net && ended?.number })} look=${(/** @type {string} */ player) => (play && pad?.seat ? pad.seat(play, player) : ofResult(ended, player))} />
      <${Notes} sitting=${sitting} deck=${at.deck} />
      <${Last} ...${at} pad=${pad} ended=${ended} tabs=${tabs} />
      ${round && html`<${Latest} ...${at} session=${session} />`}
      ${play && html`<section class="asks">${pad?.Asked ? html`<${pad.Asked} ...${play} />` : html`<${Phase} ...${play} />`}</section>`}
      ${play && pad && records && html`<${pad.Pad} ...${play} />`}
      ${!round && html`<${Between} ...${at} session=${session} ended=${ended} moved=${moved} fresh=${seen.current === ended?.number} ask=${(/** @type {string} */ account) => setAsked({ account, round: ended?.number })} />`}
    </div>
    <${SlidingChips} sitting=${sitting} />
    ${asked && html`<${Why} ...${at} ...${asked} close=${() => setAsked(null)} />`}
    ${mending.value?.session === sitting.id && html`<${Mending} ...${at} />`}
    ${sitting.undoing.value && !sitting.conflict.value && html`<${UndoSheet} ...${at} />`}
    ${sitting.conflict.value && html`<${ConflictSheet} ...${at} />`}
  </main>`;
}

/** How the seats of the winner and of the back-rider look. @param {import("../core/types.js").Round | null} ended @param {string} player @returns {import("../parts/seats.js").SeatLook} */
const ofResult = (ended, player) => ({ state: [ended?.outcome?.winner, ended?.outcome?.back_rider].includes(player) ? "won" : "" });

const TURN_BACK = new Set(["event_taken_back", "event_amended", "event_inserted", "corrections_made", "round_voided"]);

/** Whether something waits after which the table stands as it did before: how, the service has to say. @param {Sitting} sitting */
const turnsBack = (sitting) => !sitting.refusal.value && sitting.waiting.value.some((report) => report.events.some((each) => TURN_BACK.has(each.type)));

/** While it is not known what can be tapped next, nothing can be. @param {boolean} held */
function useHeldBack(held) {
  const table = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    for (const part of table.current?.querySelectorAll(":scope > .asks, :scope > .pad") ?? []) part.toggleAttribute("inert", held);
  });
  return table;
}

/** What is due, in words, where a game asks nothing of its own or nobody records here. @param {Play} play */
export function Phase({ session, round, game, turn }) {
  return html`<div class="question" aria-live="polite"><p class="soft">${say(game.phases[round.phase])}</p>${turn && html`<h2 class="question-name" dir="auto">${nameOf(session, turn, game)}</h2>`}</div>`;
}
