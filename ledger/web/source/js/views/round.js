/**
 * A round of the past: how it ended, and how it went, step by step.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { nameOf, told } from "../core/names.js";
import { address } from "../core/router.js";
import { number, say, signed, t } from "../core/words.js";
import { Leaf } from "../parts/leaf.js";
import { AllOdds, DearRides } from "../parts/odds_lists.js";
import { netOf, stepsOf } from "../parts/round_net.js";
import { Seats } from "../parts/seats.js";
import { Why } from "../parts/why.js";
import { Result } from "./result.js";

/** @typedef {{event: import("../core/types.js").Event, seq: number, phase: string | null, pot: number, moved: import("../core/types.js").Entry[], balances: Record<string, number>}} Step */
/** @typedef {{round: import("../core/types.js").Round, steps: Step[], odds: (import("../parts/odds.js").Odds | null)[], rides: import("../parts/odds.js").DearRide[]}} Past */

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, about: string | null}} at */
export default function PastRound(at) {
  const { sitting, about } = at;
  const [past, setPast] = useState(/** @type {Past | null} */ (null));
  const [problem, setProblem] = useState("");
  const wanted = Number(about);
  const rounds = sitting.session.value?.rounds ?? 0;
  useEffect(() => {
    setProblem("");
    const odds = sitting.session.value?.odds ? sitting.read(`/odds?round=${wanted}`).catch(() => null) : null;
    Promise.all([sitting.read(`/rounds/${wanted}`), stepsOf(sitting, wanted), odds]).then(
      ([round, steps, told]) => setPast({ round, steps, odds: (told?.steps ?? []).map((/** @type {any} */ each) => each.odds), rides: told?.dear_rides ?? [] }),
      (failed) => setProblem(failed instanceof Refused ? failed.problem.detail : t("Without a connection this cannot be shown.")),
    );
  }, [wanted, sitting.seq.value]);
  const way = html`<nav class="row round-way" aria-label=${t("Rounds")}>
    ${wanted > 1 && html`<a class="quiet button" data-test="round-before" href=${address(sitting.id, "round", wanted - 1)} aria-label=${t("The round before")}>‹</a>`}
    ${wanted < rounds && html`<a class="quiet button" data-test="round-after" href=${address(sitting.id, "round", wanted + 1)} aria-label=${t("The round after")}>›</a>`}</nav>`;
  return html`<${Leaf} sitting=${sitting} title=${t("Round {number}", { number: wanted })} hook="round-view" also=${way}>
    ${problem && html`<p role="alert" class="problem" data-test="problem">${problem}</p>`}
    ${past?.round.outcome && html`<${Ended} ...${at} past=${past} />`}
    ${past && html`<${DearRides} rides=${past.rides} sitting=${sitting} game=${at.game} deck=${at.deck} />`}
    ${past && html`<${Replay} key=${wanted} ...${at} past=${past} />`}
  <//>`;
}

/** What the round came to for everybody, and how it ended. @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, past: Past}} its */
function Ended({ past, ...at }) {
  const [asked, ask] = useState(/** @type {string | null} */ (null));
  const { round } = past;
  const session = at.sitting.session.value;
  if (!session) return null;
  const moved = past.steps.flatMap((step) => step.moved);
  const won = [round.outcome?.winner, round.outcome?.back_rider];
  const players = session.players.map((each) => ({ ...each, active: round.players.includes(each.id), seat: round.players.indexOf(each.id) }));
  return html`<${Seats} session=${{ ...session, players, round }} net=${netOf(moved, round.players)} ask=${ask} look=${(/** @type {string} */ player) => ({ state: won.includes(player) ? "won" : "" })} />
    <${Result} ...${at} session=${session} round=${round} moved=${moved} ask=${ask} />
    ${asked && html`<${Why} ...${at} account=${asked} round=${round.number} close=${() => ask(null)} />`}`;
}

/** The round again, from its beginning to any step. @param {any} its */
function Replay({ sitting, game, deck, past }) {
  const { steps, round, odds } = /** @type {Past} */ (past);
  const [shown, setShown] = useState(0);
  const session = sitting.session.value;
  const step = steps[Math.min(shown, steps.length - 1)];
  if (!step) return null;
  const at = { session, game, deck };
  const before = steps[shown - 1]?.balances ?? {};
  const name = (/** @type {string} */ account) => nameOf(session, account, game);
  return html`<section class="replay" data-test="replay"><h2>${t("Step by step")}</h2>
    <div class="replay-step" aria-live="polite"><p class="replay-said" dir="auto">${told(at, step.event)}</p>
      <p class="soft">${[step.phase ? say(game.phases[step.phase]) : "", `${say(game.accounts.pot)} ${number(step.pot)}`].filter(Boolean).join(" · ")}</p>
      <ul>${step.moved.slice(0, 8).map((each) => html`<li key=${each.id} class="soft small">${name(each.from)} → ${name(each.to)} <b class="figure">${number(each.amount)}</b> ${say(game.reasons[each.reason])}</li>`)}</ul></div>
    <${AllOdds} told=${{ seq: 0, round: round.number, odds: odds[shown] ?? null, before: odds[shown - 1] ?? null }} session=${session} game=${game} deck=${deck} />
    <label class="field"><span class="soft small">${t("Step {step} of {steps}", { step: shown + 1, steps: steps.length })}</span>
      <input type="range" data-test="replay-to" min="0" max=${steps.length - 1} value=${shown} onInput=${(/** @type {any} */ moved) => setShown(Number(moved.target.value))} /></label>
    <div class="row"><button type="button" class="quiet grow" data-test="replay-back" disabled=${shown === 0} onClick=${() => setShown(shown - 1)}>${t("Step back")}</button>
      <button type="button" class="main grow" data-test="replay-on" disabled=${shown >= steps.length - 1} onClick=${() => setShown(shown + 1)}>${t("Step forward")}</button></div>
    <ol class="replay-people">${round.players.map((each) => html`<li key=${each} class=${step.balances[each] !== (before[each] ?? step.balances[each]) ? "moved" : ""}><span dir="auto">${name(each)}</span> <b class=${`figure ${(step.balances[each] ?? 0) > 0 ? "gain" : ""}`}>${signed(step.balances[each] ?? 0)}</b></li>`)}</ol>
    <p><a href=${address(sitting.id, "log", step.seq)}>${t("Show it in the log")}</a></p></section>`;
}
