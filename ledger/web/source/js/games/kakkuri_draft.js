/**
 * The turn that is being tapped at Kakkuri: a draft of whose turn it is, until it is recorded, taken back, or out of date.
 */
import { signal, useEffect } from "../core/html.js";
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { numberOf } from "./kakkuri_cards.js";
import { showAll } from "./kakkuri_mode.js";
import { standing } from "./kakkuri_standing.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {Pick<Play, "round" | "sitting">} At */
/**
 * @typedef {{player: string | null, cards: string[], count: number | null, top: string | null, set: number | null}} Turn
 *   the cards, or how many and which lies on top; `set` is a number of which more cards go down together
 */

/** @type {Turn} */
const NOTHING = { player: null, cards: [], count: null, top: null, set: null };

/** What was refused and lies there again as it was. */
export const refused = signal(/** @type {string | null} */ (null));

/** What a draft of a player's turn is about. @param {At} at @param {string | null} player */
export const aboutOf = (at, player) => ["turn", at.round.number, standing(at).lies.turns.length, player].join("/");

/** The turn that is being tapped, of whoever is still in; else nobody's. @param {At} at @returns {Turn} */
export function tapped(at) {
  const drafts = standing(at).lies.hands.map((each) => draftOf(at.sitting.id, aboutOf(at, each.player)));
  return /** @type {Turn | undefined} */ (drafts.find(Boolean)) ?? NOTHING;
}

/** @param {Play} play @param {Partial<Turn>} change @param {string | null} [was] the key of a refused report */
export function tap(play, change, was = null) {
  const turn = { ...tapped(play), player: play.turn, ...change };
  refused.value = was;
  saveDraft(play.sitting.id, aboutOf(play, turn.player), turn);
}

/** @param {Play} play */
function forget(play) {
  refused.value = null;
  discardDraft(play.sitting.id);
}

/** How many of a number go down together, once one of them is not alone. @param {Play} play */
export const together = (play) => (standing(play).lies.three_pairs.includes(play.turn ?? "") ? 2 : 3);

/** One card more; of those that were refused it begins the turn anew. @param {Play} play @param {string} card */
export function addCard(play, card) {
  const mine = tapped(play);
  showAll(play, false);
  if (mine.count) return tap(play, { top: card });
  const cards = [...(refused.value ? [] : mine.cards), card];
  const number = numberOf(play.deck, card);
  const inSet = mine.set === number || (cards.length === 1 && (play.round.cards?.together[card] ?? 1) > 1) || together(play) === 2;
  const other = [...cards].reverse().findIndex((each) => numberOf(play.deck, each) !== number);
  const alike = other < 0 ? cards.length : other;
  tap(play, { cards, count: null, top: null, set: inSet && alike % together(play) ? number : null });
}

/** The last card, or how many they were, is taken back. @param {Play} play */
export function takeBack(play) {
  const { cards, top } = tapped(play);
  if (top) return tap(play, { top: null });
  const [before, last] = cards.slice(-2).map((each) => numberOf(play.deck, each));
  tap(play, { cards: cards.slice(0, -1), count: null, set: before === last ? (before ?? null) : null });
}

/** What went down, as a report has it. @param {Turn} mine */
export function down({ cards, count, top }) {
  if (cards.length) return { cards };
  return count ? { count, ...(top ? { top } : {}) } : {};
}

/** @param {Play} play */
export function record(play) {
  const { sitting, turn: player } = play;
  if (!player) return;
  const mine = tapped(play);
  if (sitting.refusal.value) sitting.dropRefused();
  sitting.report({ type: "turn_played", player, ...down(mine) });
  forget(play);
}

/** What was refused lies there again: a card begins the turn anew, the last one can be taken back. @param {Play} play */
export function useRefused(play) {
  const refusal = play.sitting.refusal.value;
  const met = refusal?.report.events.find((each) => each.type === "turn_played");
  useEffect(() => {
    if (refusal && met?.cards) tap(play, { player: met.player ?? null, cards: met.cards, count: null, top: null, set: null }, refusal.report.key);
    else if (!refusal && refused.value) forget(play);
  }, [refusal?.report.key]);
}
