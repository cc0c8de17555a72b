/**
 * Every number can be asked: from which events an account's chips came, in words, with what it held after each.
 */
import { html, useEffect, useState } from "../core/html.js";
import { all } from "../core/api.js";
import { nameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { number, say, signed, t } from "../core/words.js";
import { finder, inEffect, sayEvent } from "../log/say.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/types.js").Entry} Entry */
/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {{entry: Entry, chips: number, after: number}} Line `after` is what was held then */

const AT_ONCE = 30;

/**
 * @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck?: any, account: string, close: () => void,
 *   round?: number | null}} its `round` tells of that round alone
 */
export function Why({ sitting, game, deck = null, account, close, round = null }) {
  const [lines, setLines] = useState(/** @type {Line[] | null} */ (null));
  const [shown, setShown] = useState(AT_ONCE);
  const [lost, setLost] = useState(false);
  const session = sitting.session.value;
  useEffect(() => {
    const path = `${sitting.path}/ledger?account=${encodeURIComponent(account)}&limit=500`;
    all(path, "entries", { token: sitting.token() }).then((entries) => setLines(linesOf(entries, account)), () => setLost(true));
  }, [account, sitting.seq.value]);
  const about = (lines ?? []).filter((each) => round === null || each.entry.round === round);
  const latest = [...about].reverse().slice(0, shown);
  const events = useEventsOf(sitting, latest);
  const at = { session, game, deck };
  const player = session?.players.find((each) => each.id === account);
  const held = account === "pot" ? session?.pot : account === "bank" ? session?.bank : player?.balance;
  const total = round === null ? (held ?? 0) : about.reduce((sum, each) => sum + each.chips, 0);
  return html`<${Sheet} title=${nameOf(session, account, game)} close=${close} hook="why">
    <p class="why-total"><span class="soft">${round === null ? (player ? t("Balance") : t("holds now")) : t("in round {number}", { number: round })}</span> <b class=${`figure ${total > 0 ? "gain" : ""}`} data-test="why-total">${account === "pot" && round === null ? number(total) : signed(total)}</b></p>
    ${player && html`<p class="why-total"><span class="soft">${t("Won")}</span> <b class=${`figure ${player.won > 0 ? "gain" : ""}`} data-test="why-won">${signed(player.won)}</b></p>`}
    ${lost && html`<p class="soft" role="alert">${t("Without a connection this cannot be shown.")}</p>`}
    <${Sums} game=${game} lines=${about} />
    ${latest.length > 0 && html`<table class="entries"><thead><tr><th scope="col">${t("What for")}</th><th scope="col" class="figure">${t("Chips")}</th>${round === null && html`<th scope="col" class="figure">${t("after it")}</th>`}</tr></thead>
      <tbody>${latest.map((each) => html`<${Told} key=${each.entry.id} ...${{ sitting, at, line: each, account, events, whole: round === null }} />`)}</tbody></table>`}
    ${about.length > shown && html`<button type="button" class="quiet wide" data-test="why-more" onClick=${() => setShown(shown + 2 * AT_ONCE)}>${t("Earlier ({left})", { left: number(about.length - shown) })}</button>`}
    ${lines && about.length === 0 && html`<p class="soft">${t("Nothing has moved here yet.")}</p>`}
  <//>`;
}

/** What stands of an account's entries, in the order of their events: what was corrected and its reversal cancel out. @param {Entry[]} entries @param {string} account @returns {Line[]} */
function linesOf(entries, account) {
  const reversed = new Set(entries.map((each) => each.reverses));
  const standing = entries.filter((each) => each.reverses === null && !reversed.has(each.id)).sort((one, other) => one.seq - other.seq || one.id - other.id);
  let after = 0;
  return standing.map((entry) => {
    const chips = entry.to === account ? entry.amount : -entry.amount;
    after += chips;
    return { entry, chips, after };
  });
}

/** What it comes to, reason by reason. @param {{game: import("../core/types.js").Game, lines: Line[]}} its */
function Sums({ game, lines }) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { entry, chips } of lines) sums.set(entry.reason, (sums.get(entry.reason) ?? 0) + chips);
  if (sums.size < 2) return null;
  return html`<dl class="why-sums">${[...sums].map(([reason, chips]) => html`<div key=${reason}><dt>${say(game.reasons[reason]) || reason}</dt><dd class=${`figure ${chips > 0 ? "gain" : ""}`}>${signed(chips)}</dd></div>`)}</dl>`;
}

/** @param {any} its */
function Told({ sitting, at, line, account, events, whole }) {
  const { entry, chips, after } = line;
  const event = events.find((/** @type {StoredEvent} */ each) => each.seq === entry.seq);
  const said = event ? sayEvent(at, event.type === "corrections_made" ? inEffect(event, events, entry.part) : inEffect(event, events), finder(events)) : "";
  const other = nameOf(at.session, entry.to === account ? entry.from : entry.to, at.game);
  const round = whole && entry.round ? t("Round {number}", { number: entry.round }) : "";
  return html`<tr><td><a class="why-event" href=${address(sitting.id, "log", entry.seq)}><span dir="auto">${said || say(at.game.reasons[entry.reason])}</span>
      <small class="soft">${[round, said && say(at.game.reasons[entry.reason]), other].filter(Boolean).join(" · ")}</small></a></td>
    <td class=${`figure ${chips > 0 ? "gain" : ""}`}>${signed(chips)}</td>${whole && html`<td class="figure soft">${signed(after)}</td>`}</tr>`;
}

/** The events that some lines came from, and those between them. @param {import("../core/sitting.js").Sitting} sitting @param {Line[]} lines @returns {StoredEvent[]} */
function useEventsOf(sitting, lines) {
  const [events, setEvents] = useState(/** @type {StoredEvent[]} */ ([]));
  const seqs = lines.map((each) => each.entry.seq);
  const key = seqs.join();
  useEffect(() => {
    if (!seqs.length) return;
    void near(sitting, seqs).then(setEvents, () => undefined);
  }, [key]);
  return events;
}

/** @param {import("../core/sitting.js").Sitting} sitting @param {number[]} seqs @returns {Promise<StoredEvent[]>} */
async function near(sitting, seqs) {
  /** @type {StoredEvent[]} */
  const found = [];
  for (const seq of [...new Set(seqs)].sort((one, other) => one - other)) {
    if (seq <= (found.at(-1)?.seq ?? 0)) continue;
    found.push(...(await sitting.read(`/events?after=${seq - 1}&limit=100`)).events);
  }
  return found;
}
