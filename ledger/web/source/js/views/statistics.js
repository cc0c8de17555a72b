/**
 * What the evening came to in numbers: everybody's line over the rounds, who won how often, what for.
 */
import { html, useState } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { number, say, signed, t } from "../core/words.js";
import { WonChart, linesOf } from "../parts/chart.js";
import { useStatistics } from "../parts/counted.js";
import { Leaf } from "../parts/leaf.js";
import { Why } from "../parts/why.js";

/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: any}} At */

/** @param {At} at */
export default function Statistics(at) {
  const { sitting, game } = at;
  const session = sitting.session.value;
  const statistics = useStatistics(sitting);
  const [asked, setAsked] = useState(/** @type {string | null} */ (null));
  if (!statistics) return html`<${Leaf} sitting=${sitting} title=${t("Statistics")} hook="statistics-view"><p class="soft" aria-busy="true">…</p><//>`;
  const players = Object.entries(/** @type {Record<string, any>} */ (statistics.players)).map(([id, each]) => /** @type {[string, any]} */ ([id, { ...each, name: nameOf(session, id) }]));
  const byWon = [...players].sort(([, one], [, other]) => other.won - one.won);
  return html`<${Leaf} sitting=${sitting} title=${t("Statistics")} hook="statistics-view">
    <${Rounds} game=${game} statistics=${statistics} name=${(/** @type {string} */ player) => nameOf(session, player)} />
    <section><h2>${t("Won after each round")}</h2><${WonChart} lines=${linesOf(session, statistics)} label=${t("Won after each round")} numbers=${true} /></section>
    <section><h2>${t("Everyone")}</h2>
      <div class="numbers" tabindex="0" role="region" aria-label=${t("Everyone")}><table class="people-numbers"><thead><tr><th scope="col">${t("Name")}</th><th scope="col" class="figure">${t("Won")}</th><th scope="col" class="figure">${t("Balance")}</th><th scope="col" class="figure">${t("Wins")}</th><th scope="col" class="figure">${t("Rounds")}</th><th scope="col" class="figure">${t("Best")}</th><th scope="col" class="figure">${t("Worst")}</th></tr></thead>
      <tbody>${byWon.map(([id, each]) => html`<tr key=${id}><th scope="row" dir="auto">${each.name}</th>
        <td class="figure" data-test=${`won-${id}`}>${signed(each.won)}</td>
        <td class="figure"><button type="button" class="asked" data-test=${`balance-${id}`} onClick=${() => setAsked(id)}>${signed(each.balance)}</button></td>
        <td class="figure">${number(each.wins)}</td><td class="figure">${number(each.rounds)}</td><td class="figure">${each.best ? signed(each.best.net) : "–"}</td><td class="figure">${each.worst ? signed(each.worst.net) : "–"}</td></tr>`)}</tbody></table></div></section>
    <${Tallies} game=${game} players=${byWon} />
    <${Reasons} game=${game} players=${byWon} />
    ${asked && html`<${Why} ...${at} account=${asked} close=${() => setAsked(null)} />`}
  <//>`;
}

/** How the rounds ended, as bars. @param {{game: import("../core/types.js").Game, statistics: any, name: (player: string) => string}} its */
function Rounds({ game, statistics, name }) {
  const ended = /** @type {[string, number][]} */ (Object.entries(statistics.results)).filter(([, count]) => count > 0);
  const why = /** @type {[string, number][]} */ (Object.entries(statistics.forfeits)).filter(([, count]) => count > 0);
  const pots = /** @type {number[]} */ (statistics.pots);
  const bars = [...ended.map(([result, count]) => ({ name: say(game.results[result]) || result, count })), ...why.map(([forfeit, count]) => ({ name: `– ${say(game.forfeits[forfeit]) || forfeit}`, count }))];
  return html`<section><h2>${t("Rounds")} <span class="figure">${number(statistics.rounds)}</span></h2>
    <${Bars} bars=${bars} />
    ${statistics.luckiest && html`<p data-test="luckiest">${t("The cards were kindest to {name}: {chips} chips beyond what was to be expected.", { name: name(statistics.luckiest), chips: statistics.players[statistics.luckiest].luck })}</p>`}
    ${pots.length > 0 && html`<p class="soft small">${t("The largest pot held {most}, the usual one {usual}.", { most: Math.max(...pots), usual: middle(pots) })}</p>`}</section>`;
}

/** @param {{bars: {name: string, count: number}[]}} its */
function Bars({ bars }) {
  const most = Math.max(1, ...bars.map((each) => Math.abs(each.count)));
  return html`<ul class="bars">${bars.map((each) => html`<li key=${each.name}><span class="bar-name" dir="auto">${each.name}</span>
    <span class="tally" aria-hidden="true"><span style=${{ width: `${(Math.abs(each.count) / most) * 100}%` }}></span></span><b class="figure">${number(each.count)}</b></li>`)}</ul>`;
}

/** What a game counts besides, a list each. @param {{game: import("../core/types.js").Game, players: [string, any][]}} its */
function Tallies({ game, players }) {
  return Object.entries(game.tallies).map(([name, label]) => {
    const bars = players.map(([, each]) => ({ name: each.name, count: each[name] ?? 0 })).filter((each) => each.count !== 0);
    return bars.length > 0 && html`<section key=${name} data-test=${`tally-${name}`}><h2>${say(label)}</h2><${Bars} bars=${bars.sort((one, other) => other.count - one.count)} /></section>`;
  });
}

/** What everybody received and paid, by what for. @param {{game: import("../core/types.js").Game, players: [string, any][]}} its */
function Reasons({ game, players }) {
  const reasons = Object.keys(game.reasons).filter((reason) => players.some(([, each]) => each.received[reason] || each.paid[reason]));
  if (!reasons.length) return null;
  return html`<section><h2>${t("What for")}</h2><div class="numbers" tabindex="0" role="region" aria-label=${t("What for")}><table><thead><tr><th scope="col">${t("Name")}</th>${reasons.map((reason) => html`<th key=${reason} scope="col" class="figure">${say(game.reasons[reason])}</th>`)}</tr></thead>
    <tbody>${players.map(([id, each]) => html`<tr key=${id}><th scope="row" dir="auto">${each.name}</th>${reasons.map((reason) => html`<td key=${reason} class="figure">${sum(each.received[reason], each.paid[reason])}</td>`)}</tr>`)}</tbody></table></div></section>`;
}

/** @param {number | undefined} received @param {number | undefined} paid */
const sum = (received = 0, paid = 0) => (received || paid ? signed(received - paid) : "");

/** @param {number[]} numbers */
const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
