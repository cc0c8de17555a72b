/**
 * What a correction changes: how rounds ended, what everybody has, entries, the session; before beside after.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { dayOf, listed, number, say, signed, t, tn } from "../core/words.js";

/** @typedef {import("../core/types.js").Entry} Entry */
/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {{status: string, dealer: string, pot: number, outcome: any, played_on: string | null}} Stand */
/**
 * @typedef {{rounds: {round: number, before: Stand | null, after: Stand | null}[],
 *   players: {player: string, before: number, after: number}[], entries: {reversed: number[], added: Entry[]},
 *   session?: {name?: {before: string | null, after: string | null}, chip_value?: {before: any, after: any}, played_on?: {before: string | null, after: string | null}}}} Difference
 */

/** @param {{session: Session | null, game: Game, changes: Difference}} its */
export function Changes({ session, game, changes }) {
  const { rounds, players, entries } = changes;
  const about = changes.session;
  const people = players.filter((each) => each.before !== each.after && session?.players.some((one) => one.id === each.player));
  const nothing = !rounds.length && !people.length && !entries.added.length && !about;
  if (nothing) return html`<p class="soft">${t("Nothing changes: no balance, no round.")}</p>`;
  const name = (/** @type {string} */ account) => nameOf(session, account, game);
  const others = (session?.players.filter((each) => each.active).length ?? 0) - people.length;
  return html`<div class="changes">
    ${rounds.map((each) => html`<${Ended} key=${each.round} ...${each} game=${game} name=${name} />`)}
    ${people.length > 0 && html`<table class="changes-balances"><thead class="hidden"><tr><th>${t("Name")}</th><th>${t("before")}</th><td></td><th>${t("after")}</th></tr></thead>
      <tbody>${people.map((each) => html`<tr key=${each.player} data-test=${`change-${each.player}`}><th scope="row" dir="auto">${name(each.player)}</th>
        <td class="figure soft">${signed(each.before)}</td><td class="soft" aria-hidden="true">→</td><td class=${`figure ${each.after > each.before ? "gain" : ""}`}><b>${signed(each.after)}</b></td></tr>`)}</tbody></table>`}
    ${people.length > 0 && others > 0 && html`<p class="soft">${tn("{count} other as before", "{count} others as before", others)}</p>`}
    ${about?.name && html`<p>${t("Name: {before} → {after}", { before: about.name.before ?? "–", after: about.name.after ?? "–" })}</p>`}
    ${about?.chip_value && html`<p>${t("A chip is worth: {before} → {after}", { before: worth(about.chip_value.before), after: worth(about.chip_value.after) })}</p>`}
    ${about?.played_on && html`<p>${t("Played on: {before} → {after}", { before: about.played_on.before ? dayOf(about.played_on.before) : "–", after: about.played_on.after ? dayOf(about.played_on.after) : "–" })}</p>`}
    ${(entries.reversed.length > 0 || entries.added.length > 0) && html`<${Booked} ...${{ game, entries, name }} />`}
  </div>`;
}

/** What is written into the books. @param {{game: Game, entries: Difference["entries"], name: (account: string) => string}} its */
function Booked({ game, entries, name }) {
  const fresh = entries.added.filter((each) => each.reverses === null);
  const words = [
    entries.reversed.length > 0 && tn("{count} entry reversed", "{count} entries reversed", entries.reversed.length),
    fresh.length > 0 && tn("{count} new entry", "{count} new entries", fresh.length),
  ].filter(Boolean);
  return html`<details class="changes-entries"><summary>${listed(/** @type {string[]} */ (words))}</summary>
    <ul>${entries.added.map((each) => html`<li key=${each.id} class=${each.reverses === null ? "" : "soft"}>${name(each.from)} → ${name(each.to)} <b class="figure">${number(each.amount)}</b> ${say(game.reasons[each.reason])}${each.reverses !== null && ` · ${t("reversed")}`}</li>`)}</ul></details>`;
}

/** How a round ends instead, and what its pot holds. @param {{round: number, before: Stand | null, after: Stand | null, game: Game, name: (account: string) => string}} its */
function Ended({ round, before, after, game, name }) {
  const [was, is] = [winnerOf(before), winnerOf(after)];
  const differs = was !== is && is;
  const [stoodBefore, stands] = [stood(before, game, name), stood(after, game, name)];
  return html`<div class="changes-round" data-test=${`change-round-${round}`}>
    <p><b>${differs ? t("{name} wins round {number}", { name: name(is), number: round }) : t("Round {number}", { number: round })}</b>${differs ? was && `${t(", ")}${t("not {name}", { name: name(was) })}` : html` ${stoodBefore !== stands && html`<span class="soft">${stoodBefore}</span> <span aria-label=${t("becomes")}>→</span> `}${stands}`}</p>
    ${before && after && before.pot !== after.pot && html`<p data-test="change-pot">${say(game.accounts.pot)} <span class="soft">${number(before.pot)}</span> → <b>${number(after.pot)}</b></p>`}
    ${before && after && before.dealer !== after.dealer && html`<p>${t("{name} deals", { name: name(after.dealer) })}</p>`}
    ${before?.played_on !== after?.played_on && after?.played_on && html`<p>${t("Played on {day}", { day: dayOf(after.played_on) })}</p>`}
  </div>`;
}

/** @param {Stand | null} stand @returns {string | undefined} */
const winnerOf = (stand) => stand?.outcome?.winner;

/** How a round stood, in a few words. @param {Stand | null} stand @param {Game} game @param {(account: string) => string} name */
function stood(stand, game, name) {
  if (!stand) return t("not played");
  if (!stand.outcome) return t("still open");
  const winner = winnerOf(stand);
  /** @type {Record<string, number>} */
  const sums = {};
  for (const { player, amount } of stand.outcome.payouts) sums[player] = (sums[player] ?? 0) + amount;
  const payouts = Object.entries(sums).slice(0, 3).map(([player, chips]) => `${name(player)} ${signed(chips)}`);
  return [winner ? t("{name} wins", { name: name(winner) }) : say(game.results[stand.status]), ...payouts].join(" · ");
}

/** @param {{currency: string, per_chip: string} | null} value */
const worth = (value) => (value ? `${value.per_chip} ${value.currency}` : "–");
