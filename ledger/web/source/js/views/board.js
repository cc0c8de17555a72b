/**
 * The scoreboard, for a tablet or a television across the room: what everybody has, what lies in the pot, who is up.
 */
import { html, useEffect, useState } from "../core/html.js";
import { address } from "../core/router.js";
import { useWakeLock } from "../core/wake_lock.js";
import { nameOf, seated, told } from "../core/names.js";
import { language, number, say, signed, t } from "../core/words.js";
import { WonChart, linesOf } from "../parts/chart.js";
import { useStatistics } from "../parts/counted.js";
import { Figures, Legend, lengthOf } from "../parts/figures.js";
import { PlayerName } from "../parts/name.js";
import { padOf } from "../games/pads.js";
import { useOdds } from "../parts/odds.js";
import { AllOdds } from "../parts/odds_lists.js";

/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck}} At */
/** @typedef {import("../core/types.js").Session} Session */

/** @param {At} at */
export default function Board(at) {
  const { sitting } = at;
  const session = sitting.session.value;
  const statistics = useStatistics(sitting);
  const Shown = session && padOf(session.game)?.Shown;
  useWakeLock();
  if (!session) return null;
  const people = seated(session);
  const lines = statistics ? linesOf(session, statistics, people.map((each) => each.id)) : [];
  return html`<main class=${`board ${people.length > 12 ? "crowded" : ""}`} style=${{ "--people": people.length }} data-test="board">
    <h1 class="hidden">${t("Scoreboard")} ${session.name ?? ""}</h1>
    <${Standing} ...${at} session=${session} people=${people} />
    <section class="board-now">
      <${Now} ...${at} session=${session} people=${people} />
      ${session.round && Shown ? html`<${Shown} ...${at} session=${session} round=${session.round} />` : html`<${WonChart} lines=${lines} label=${t("Won after each round")} />`}
    </section>
    <${Corner} sitting=${sitting} />
  </main>`;
}

/** What everybody won, with bars to the left and to the right of nothing. @param {At & {session: Session, people: import("../core/types.js").Player[]}} its */
function Standing({ session, people }) {
  const most = Math.max(1, ...people.map((each) => Math.abs(each.won)));
  const lowest = Math.max(0, ...people.map((each) => -each.won));
  const highest = Math.max(0, ...people.map((each) => each.won));
  const digits = Math.max(...people.map(lengthOf));
  const zero = lowest + highest === 0 ? 0.5 : lowest / (lowest + highest);
  const dealer = session.round?.dealer ?? session.dealer;
  const turn = session.round?.next.find((each) => each.player)?.player;
  return html`<ol class="board-people" style=${{ "--digits": digits }} aria-label=${t("Won")}>
    ${people.map((each) => {
      const share = Math.abs(each.won) / (lowest + highest || most);
      const left = each.won < 0 ? zero - share : zero;
      return html`<li key=${each.id} class=${turn === each.id ? "turn" : ""} aria-current=${turn === each.id ? "true" : undefined}>
        <span class="board-dealer">${dealer === each.id && html`<span data-test="dealer" data-player=${each.id}><span aria-hidden="true">親</span><span class="hidden">${t("Dealer")}</span></span>`}</span>
        <${PlayerName} session=${session} player=${each.id} kind="board-name" />
        <span class="board-bar" aria-hidden="true"><span class=${each.won > 0 ? "gains" : ""} style=${{ left: `${left * 100}%`, width: `${share * 100}%` }}></span></span>
        <span class=${`board-balance figure ${each.won > 0 ? "gain" : ""}`}><${Figures} of=${each} /></span>
      </li>`;
    })}
  </ol>`;
}

/** Round, pot and what is waited for; between rounds how the last one ended. @param {At & {session: Session, people: import("../core/types.js").Player[]}} at */
function Now(at) {
  const { sitting, game, session, people } = at;
  const { round } = session;
  const dealer = nameOf(session, round?.dealer ?? session.dealer, game);
  const last = sitting.last.value?.event;
  const odds = useOdds(sitting);
  const { Auctioned, Shown } = padOf(session.game) ?? {};
  const up = round?.next[0]?.player; // whoever else is expected comes after others: an auction is not the next player's
  return html`<div class="board-said">
    <p class="board-round soft"><span data-test="round">${session.rounds ? t("Round {number}", { number: session.rounds }) : t("Before the first round")}</span> · ${session.status === "closed" ? t("closed") : t("{name} deals", { name: dealer })} · ${say(game.accounts.pot)}</p>
    <p class="board-pot" style=${{ "--digits": number(session.pot).length }} data-test="pot">${number(session.pot)}</p>
    <div aria-live="polite">
      ${round ? html`<p class="board-up"><span class="soft">${say(game.phases[round.phase])}</span> <b dir="auto">${up ? nameOf(session, up, game) : ""}</b></p>` : html`<${LastRound} ...${at} />`}
    </div>
    ${round && Auctioned && html`<${Auctioned} ...${at} round=${round} told=${odds} />`}
    ${!Shown && html`<${AllOdds} told=${odds} session=${session} game=${game} deck=${at.deck} />`}
    ${round && last && html`<p class="board-last soft" dir="auto">${told(at, last)}</p>`}
    <${Legend} people=${people} />
    ${!sitting.online.value && html`<p class="board-off" role="status" data-test="offline">${t("No connection; this is how it stood last.")}</p>`}
  </div>`;
}

/** How the last round ended. @param {At & {session: Session}} its */
function LastRound({ sitting, game, session }) {
  const outcome = sitting.ended.value?.outcome;
  if (!outcome) return html`<p class="board-up soft">${session.status === "closed" ? t("The evening is over.") : t("The first round comes next.")}</p>`;
  const paid = outcome.payouts.filter((each) => each.amount > 0);
  const headline = outcome.winner ? t("{name} wins", { name: nameOf(session, outcome.winner, game) }) : say(game.results[outcome.result]);
  return html`<div class="board-result"><h2 data-test="outcome" dir="auto">${headline}</h2>
    <ul>${paid.slice(0, 5).map((each, index) => html`<li key=${index} data-test=${`payout-${each.player}`}><span dir="auto">${nameOf(session, each.player, game)}</span> <b class="gain figure">${signed(each.amount)}</b></li>`)}</ul>
    <p class="soft">${outcome.explanation[language.value][0]}</p></div>`;
}

/** The way back, and the whole screen, where a browser gives it. @param {{sitting: import("../core/sitting.js").Sitting}} its */
function Corner({ sitting }) {
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, []);
  const toggle = () => void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
  return html`<nav class="board-corner" aria-label=${t("Scoreboard")}>
    ${document.fullscreenEnabled && html`<button type="button" class="icon" data-test="full-screen" aria-pressed=${full} aria-label=${t("Whole screen")} onClick=${toggle}><svg viewBox="0 0 24 24" class="glyph" aria-hidden="true"><path d="M4 9V4h5 M20 9V4h-5 M4 15v5h5 M20 15v5h-5" /></svg></button>`}
    <a class="icon" data-test="back" href=${address(sitting.id)} aria-label=${t("Back to the table")}><svg viewBox="0 0 24 24" class="glyph" aria-hidden="true"><path d="M6 6l12 12 M18 6L6 18" /></svg></a>
  </nav>`;
}
