/**
 * The wall: the room's second screen. Everybody by what they have won, what is asked, the table, and a way in for phones.
 */
import { html, useEffect, useState } from "../core/html.js";
import { shortNameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { placed } from "../core/placed.js";
import { useWakeLock } from "../core/wake_lock.js";
import { number, say, t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { playing } from "../games/play.js";
import { Asks, Besides, stage } from "../games/shirinma_asks.js";
import { WonChart, linesOf } from "../parts/chart.js";
import { useStatistics } from "../parts/counted.js";
import { Legend } from "../parts/figures.js";
import { ForPhones } from "../parts/for_phones.js";
import { Icon } from "../parts/icon.js";
import { Podium } from "../parts/podium.js";
import { useRoundNet } from "../parts/round_net.js";
import { Why } from "../parts/why.js";
import { Result } from "./result.js";
import { Standing } from "./standing.js";

/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {import("./table.js").At} At */
/** @typedef {import("../games/pads.js").Play} Play */

/** What a game asks in a way of its own here, what stands beside the pot, and where the round is. @type {Record<string, {Asks: (play: Play) => any, Besides: (play: Play) => any, stage: (play: Play) => string}>} */
const OWN = { shirinma: { Asks, Besides, stage } };

/** So many leave room for the evening as lines below them; with more there is some beside a result. */
const FEW = 8;

/** @param {At} at */
export default function Board(at) {
  const { sitting, game } = at;
  const session = sitting.session.value;
  const statistics = useStatistics(sitting);
  const pad = session && padOf(session.game);
  useWakeLock();
  if (!session) return null;
  const { round } = session;
  const play = round && pad ? playing(at, pad, { session, round }) : null;
  const own = OWN[session.game];
  const lines = statistics ? linesOf(session, statistics, session.players.map((each) => each.id)) : [];
  const chart = html`<${WonChart} lines=${lines} label=${t("Won after each round")} />`;
  const isFew = session.players.length <= FEW;
  return html`<main class=${`board ${game.name} ${round ? "plays" : "rests"}`} data-test="board"><div class="wall">
    <${Standing} session=${session} title=${session.name ?? say(game.title)} statistics=${statistics} look=${(/** @type {string} */ player) => lookOf(play, pad, player)}>${isFew && chart}<//>
    <section class="wall-now">
      <header class="wall-head"><p class="wall-round" dir="auto"><span data-test="round">${session.rounds ? t("Round {number}", { number: session.rounds }) : t("Before the first round")}</span>${stands(at, session, play)}</p>
        <p class="wall-pot"><span class="soft">${say(game.accounts.pot)}</span> <b data-test="pot">${number(session.pot)}</b> ${play && own && html`<${own.Besides} ...${play} />`}</p>
        ${!sitting.online.value && html`<p class="wall-off" role="status" data-test="offline">${t("No connection; this is how it stood last.")}</p>`}</header>
      <${ForPhones} sitting=${sitting} />
      ${play && (own ? html`<div class="wall-asks" aria-live="polite"><${own.Asks} ...${play} /></div>` : pad?.Asked && html`<div class="wall-game"><${pad.Asked} ...${play} /></div>`)}
      ${play && pad?.Shown && html`<div class="wall-lies"><${pad.Shown} ...${play} /></div>`}
      ${!round && html`<${Between} ...${at} session=${session} />${!isFew && chart}`}
    </section>
    <${Legend} people=${session.players} />
    <${Corner} sitting=${sitting} />
  </div></main>`;
}

/** Where the round is, and who deals. @param {At} at @param {Session} session @param {Play | null} play */
function stands({ sitting, game }, session, play) {
  const ended = session.rounds ? sitting.ended.value : null;
  const name = shortNameOf(session, session.round?.dealer ?? ended?.dealer ?? session.dealer, game, 10);
  const what = play ? (OWN[session.game]?.stage(play) ?? say(game.phases[play.round.phase])) : session.status === "closed" ? t("closed") : "";
  return ["", what, ended && !play ? t("{name} dealt", { name }) : t("{name} deals", { name })].filter((part, at) => at === 0 || part).join(" · ");
}

/** Which rows stand out: the one who bids, and the one whose card is sold or who is asked. @param {Play | null} play @param {import("../games/pads.js").Pad | null} pad @param {string} player */
function lookOf(play, pad, player) {
  if (!play) return { state: "", tokens: null };
  if (!pad?.seat) return { state: play.turn === player ? "ringed" : "", tokens: null };
  const { state = "", tokens } = pad.seat(play, player);
  return { state: state === "bids" ? "bids" : ["sold", "due"].includes(state) ? "ringed" : "", tokens };
}

/** How the last round ended. @param {At & {session: Session}} at */
function Between(at) {
  const { sitting, session } = at;
  const ended = sitting.ended.value;
  const { moved } = useRoundNet(sitting, ended);
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  if (session.status === "closed") return html`<div class="wall-asks"><div class="wall-question"><h2>${t("The evening is over.")}</h2></div></div><${Podium} session=${session} order=${placed(session)} />`;
  return html`${ended ? html`<${Result} ...${at} round=${ended} moved=${moved} ask=${setAsked} />` : html`<div class="wall-asks"><div class="wall-question"><h2>${t("The first round comes next.")}</h2></div></div>`}
    ${asked && html`<${Why} ...${at} account=${asked} round=${ended?.number} close=${() => setAsked(null)} />`}`;
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
  return html`<nav class="wall-corner" aria-label=${t("Scoreboard")}>
    ${document.fullscreenEnabled && html`<button type="button" class="icon" data-test="full-screen" aria-pressed=${full} aria-label=${t("Full screen")} onClick=${toggle}><${Icon} name="screen" /></button>`}
    <a class="icon" data-test="back" href=${address(sitting.id)} aria-label=${t("Back to the table")}><${Icon} name="close" /></a>
  </nav>`;
}
