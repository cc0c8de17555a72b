/**
 * Chances, where a table wants to be told: what the service counts of the open round, and bars that show it. Nothing is
 * asked where nobody wants to know.
 */
import { html, signal, useEffect } from "../core/html.js";
import { t } from "../core/words.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {{exact: string, percent: string}} Chance */
/** @typedef {{player: string, card: string, back_rider: string | null, wins: Chance, half_now: string, half_is_worth: string}} CardOdds */
/** @typedef {{column: number, player: string | null, wins: Chance, loses: Chance, ties: Chance, worth: {exact: string, chips: string}}} ColumnOdds */
/** @typedef {{cards?: CardOdds[], columns?: ColumnOdds[]}} Odds */
/** @typedef {{round: number, seq: number, player: string, owner: string, card: string, price: number, worth: string}} DearRide */
/** @typedef {{seq: number, round: number | null, odds: Odds | null, before: Odds | null}} Told the chances now, and before the last event */

/** @type {WeakMap<Sitting, import("@preact/signals").Signal<Told>>} */
const known = new WeakMap();

/** @param {Sitting} sitting */
function toldAt(sitting) {
  const found = known.get(sitting) ?? signal(/** @type {Told} */ ({ seq: -1, round: null, odds: null, before: null }));
  known.set(sitting, found);
  return found;
}

/** The chances in the open round; null where they are not wanted, not known or not here yet. @param {Sitting} sitting @returns {Told | null} */
export function useOdds(sitting) {
  const session = sitting.session.value;
  const wanted = Boolean(session?.odds && session.round);
  const told = toldAt(sitting);
  useEffect(() => void (wanted && ask(sitting)), [sitting, wanted, sitting.seq.value, sitting.online.value]);
  return wanted && told.value.round === session?.round?.number ? told.value : null;
}

/** Several parts of a view want to know: one asks. @param {Sitting} sitting */
async function ask(sitting) {
  const seq = sitting.seq.value;
  const told = toldAt(sitting);
  if (told.value.seq === seq) return;
  const { round, odds, before } = told.value;
  told.value = { ...told.value, seq };
  const answer = await sitting.read("/odds").catch(() => null); // switched off meanwhile, or no network: then there are none
  if (told.value.seq !== seq) return;
  if (!answer) told.value = { seq: -1, round, odds: null, before };
  else told.value = { seq, round: answer.round, odds: answer.odds, before: answer.round === round ? odds : null };
}

/** What half of a card is worth, as the service counts it. @param {Told | null} told @param {string} card */
export const worthOf = (told, card) => told?.odds?.cards?.find((each) => each.card === card)?.half_is_worth ?? null;

/**
 * What is shown of a chance: the nearest whole percent; but only what is certain is shown as certain. Percents are told
 * rounded, so it is reckoned from the fraction.
 * @param {Chance} chance
 */
function rounded({ exact }) {
  const [ways = 0n, all = 1n] = exact.split("/").map(BigInt);
  const whole = Number((200n * ways + all) / (2n * all)); // a half is rounded up
  const isOpen = ways > 0n && ways < all;
  const said = isOpen && whole === 0 ? "<1" : isOpen && whole === 100 ? ">99" : whole;
  return t("{percent} %", { percent: said });
}

/** A quiet bar, with what it was before the last event. @param {{now: Chance | undefined, before: Chance | undefined, hook: string}} its */
export function Bar({ now, before, hook }) {
  if (!now) return null;
  const moved = before && before.exact !== now.exact;
  const said = moved ? t("wins with {percent} %, before {before} %", { percent: now.percent, before: before.percent }) : t("wins with {percent} %", { percent: now.percent });
  return html`<span class="odds" role="img" aria-label=${said} data-test=${hook} data-exact=${now.exact}>
    <span class="odds-bar" aria-hidden="true">${moved && html`<span class="odds-was" style=${{ width: `${before.percent}%` }}></span>`}<span class="odds-is" style=${{ width: `${now.percent}%` }}></span></span>
    <span class="odds-figure figure" aria-hidden="true">${rounded(now)}</span></span>`;
}

/** @param {{told: Told | null, card: string}} its */
export function CardBar({ told, card }) {
  const of = (/** @type {Odds | null | undefined} */ odds) => odds?.cards?.find((each) => each.card === card)?.wins;
  return html`<${Bar} now=${of(told?.odds)} before=${of(told?.before)} hook=${`chance-${card}`} />`;
}

/** @param {{told: Told | null, column: number}} its */
export function ColumnBar({ told, column }) {
  const of = (/** @type {Odds | null | undefined} */ odds) => odds?.columns?.find((each) => each.column === column)?.wins;
  return html`<${Bar} now=${of(told?.odds)} before=${of(told?.before)} hook=${`chance-${column}`} />`;
}
