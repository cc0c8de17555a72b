/**
 * Cards as Kakkuri reads them, and which of them come next: that is what the service says; until it has, the next number.
 */
import { useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { pileOf } from "./kakkuri_standing.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {import("./kakkuri_standing.js").Standing} Standing */
/** @typedef {import("./kakkuri_draft.js").Turn} Turn */
/**
 * @typedef {{codes: string[] | null, together: Record<string, number>, why: string}} Fits the cards that go on those tapped so far, null where
 *   nobody knows, those of them that do not go down alone, or why what was tapped does not go down
 */

const LAST = 12;
const WILDS = ["clubs-1", "coins-2"];

/** @type {Fits} */
const NOBODY_KNOWS = { codes: null, together: {}, why: "" };

/** What a card stands for in this game. @param {Deck} deck @param {string} code */
const faceOf = (deck, code) => deck.cards.find((each) => each.code === code)?.stands_for ?? code;
/** @param {Deck} deck @param {string} code */
export const numberOf = (deck, code) => Number(faceOf(deck, code).split("-")[1]) || 0;
/** @param {Deck} deck @param {string} code */
export const isWild = (deck, code) => WILDS.includes(faceOf(deck, code));

/** The cards of a number, by their suits. @param {Play} play @param {number} number */
export function cardsOf({ deck, round }, number) {
  const suits = ["swords", "cups", "coins", "clubs"].map((suit) => `${suit}-${number}`);
  const codes = Object.keys(round.cards?.left ?? {});
  return suits.flatMap((face) => codes.filter((each) => faceOf(deck, each) === face));
}

/**
 * Which cards fit next: for the first what the round says; further on what the service says would fit on the cards tapped so
 * far, or why those alone would be refused.
 * @param {Play} play @param {Standing} now @param {Turn} mine @returns {Fits}
 */
export function useWhatFits({ sitting, round, turn: player }, now, mine) {
  const [further, setFurther] = useState(/** @type {Fits & {of: string}} */ ({ ...NOBODY_KNOWS, of: "" }));
  const of = mine.cards.join();
  useEffect(() => {
    if (!of || !now.sure || !player) return undefined;
    let late = false;
    const told = (/** @type {Partial<Fits>} */ fits) => !late && setFurther({ ...NOBODY_KNOWS, ...fits, of });
    sitting.wouldBe({ type: "turn_played", player, cards: mine.cards }).then(
      (answer) => told(fitting(answer.session.round)),
      (failed) => told({ why: failed instanceof Refused ? failed.problem.detail : "" }),
    );
    return () => void (late = true);
  }, [of, player, now.sure]);
  if (of) return further.of === of ? further : NOBODY_KNOWS;
  return now.sure && !mine.count ? fitting(round) : NOBODY_KNOWS;
}

/** @param {import("../core/types.js").Round | null} round @returns {Fits} */
const fitting = (round) => ({ codes: round?.cards?.next.turn_played ?? null, together: round?.cards?.together ?? {}, why: "" });

/**
 * The numbers to offer first, those that a single card goes on with; null where any may come, none where nobody saw what lies
 * on top.
 * @param {Play} play @param {Standing} now @param {Turn} mine @param {Fits} fits @returns {number[] | null}
 */
export function numbersNext(play, now, mine, { codes, together }) {
  if (mine.set) return [mine.set];
  const { deck } = play;
  const top = mine.cards.at(-1) ?? pileOf(now.lies).at(-1);
  if (!top) return [];
  const following = numberOf(deck, top) + (mine.count || 1);
  if (mine.count) return [Math.min(following, LAST)];
  const alone = (codes ?? []).filter((each) => !isWild(deck, each) && !together[each]).map((each) => numberOf(deck, each));
  const numbers = [...new Set(alone)].sort((one, other) => other - one);
  if (numbers.length > 2) return null;
  if (numbers.length) return numbers;
  return following > LAST || isWild(deck, top) ? null : [following];
}
