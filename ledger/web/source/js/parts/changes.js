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
  return html`<div class="changes">
    ${people.length > 0 && html`<table class="changes-balances"><thead><tr><th>${t("Balances")}</th><th class="figure">${t("before")}</th><th class="figure">${t("after")}</th><th class="figure"><span class="hidden">${t("difference")}</span></th></tr></thead>
      <tbody>${people.map((each) => html`<tr key=${each.player} data-test=${`change-${each.player}`}><td dir="auto">${name(each.player)}</td>
        <td class="figure soft">${signed(each.before)}</td><td class="figure"><b>${signed(each.after)}</b></td>
        <td class=${`figure ${each.after > each.before ? "gain" : "soft"}`}>${each.after > each.before ? "▲" : "▼"} ${number(Math.abs(each.after - each.before))}</td></tr>`)}</tbody></table>`}
    ${rounds.map((each) => html`<p key=${each.round} class="changes-round" data-test=${`change-round-${each.round}`}><b>${t("Round {number}", { number: each.round })}</b>
      <span class="soft">${stood(each.before, game, name)}</span><span aria-label=${t("becomes")}> → </span><span>${stood(each.after, game, name, each.before)}</span></p>`)}
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

/** How a round stood, in a few words. @param {Stand | null} stand @param {Game} game @param {(account: string) => string} name @param {Stand | null} [before] */
function stood(stand, game, name, before = null) {
  if (!stand) return t("not played");
  const outcome = stand.outcome;
  const ended = outcome?.winner ? t("{name} wins", { name: name(outcome.winner) }) : say(game.results[stand.status]) || t("still open");
  const payouts = outcome?.payouts.filter((/** @type {any} */ each) => each.amount > 0).slice(0, 3).map((/** @type {any} */ each) => `${name(each.player)} ${signed(each.amount)}`) ?? [];
  const pot = outcome ? "" : t("pot {pot}", { pot: stand.pot });
  const dealer = before && before.dealer !== stand.dealer ? t("{name} deals", { name: name(stand.dealer) }) : "";
  const day = stand.played_on ? dayOf(stand.played_on) : "";
  return [ended, ...payouts, pot, dealer, day].filter(Boolean).join(" · ");
}

/** @param {{currency: string, per_chip: string} | null} value */
const worth = (value) => (value ? `${value.per_chip} ${value.currency}` : "–");
