/**
 * What a round came to for everybody: who gained, one a line, and the others together, until somebody asks.
 */
import { all } from "../core/api.js";
import { html, useEffect, useState } from "../core/html.js";
import { shortNameOf } from "../core/names.js";
import { signed, t, tn } from "../core/words.js";

/** @typedef {import("../core/types.js").Entry} Entry */

/** With so many people at most, each has a line. */
const FEW = 5;

/** @param {Entry[]} entries @param {string[]} players @returns {[string, number][]} whoever gained most first */
export function netOf(entries, players) {
  const net = new Map(players.map((each) => [each, 0]));
  for (const { from, to, amount } of entries) {
    net.set(from, (net.get(from) ?? 0) - amount);
    net.set(to, (net.get(to) ?? 0) + amount);
  }
  return players.map((each) => /** @type {[string, number]} */ ([each, net.get(each) ?? 0])).sort(([, one], [, other]) => other - one);
}

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, round: import("../core/types.js").Round, ask: (player: string) => void}} its */
export function Net({ sitting, game, round, ask }) {
  const [entries, setEntries] = useState(/** @type {Entry[] | null} */ (null));
  useEffect(() => {
    const moved = all(`${sitting.path}/rounds/${round.number}/replay?limit=500`, "steps", { token: sitting.token() }).then((steps) => steps.flatMap((step) => step.moved));
    void moved.then(setEntries, () => setEntries(null));
  }, [round.number, sitting.seq.value]);
  if (!entries) return html`<div class="net net-due" aria-busy="true"></div>`;
  const net = netOf(entries, round.players);
  const gained = net.length <= FEW ? net : net.filter(([, chips]) => chips > 0);
  const others = net.length <= FEW ? [] : net.filter(([, chips]) => chips <= 0);
  const session = sitting.session.value;
  /** @param {[string, number]} whose */
  const line = ([player, chips]) => html`<li key=${player}><button type="button" class="net-line" data-test=${`net-${player}`} onClick=${() => ask(player)}>
    <bdi>${shortNameOf(session, player, game, 10)}</bdi><b class=${`figure ${chips > 0 ? "gain" : ""}`}>${signed(chips)}</b></button></li>`;
  const rest = others.reduce((sum, [, chips]) => sum + chips, 0);
  return html`<details class="net" data-test="net"><summary>
      <span class="hidden">${t("This round, for everybody")}</span><span class="soft net-title" aria-hidden="true">${t("This round")}</span>
      ${gained.slice(0, FEW).map(([player, chips]) => html`<span key=${player}><bdi>${shortNameOf(session, player, game, 10)}</bdi> <b class=${`figure ${chips > 0 ? "gain" : ""}`}>${signed(chips)}</b></span>`)}
      ${others.length > 0 && html`<span class="soft">${gained.length ? tn("{count} other", "{count} others", others.length) : tn("{count} person", "{count} people", others.length)} <b class="figure">${signed(rest)}</b></span>`}
    </summary><ul>${net.map(line)}</ul></details>`;
}
