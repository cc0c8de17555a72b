/**
 * What was drawn for seats and is not recorded yet.
 */
import { draftOf } from "../core/drafts.js";

/** @typedef {import("./seat_draw.js").At} At */
/** @typedef {{player: string, card: string}} Draw */

export const TYPE = "cards_drawn_for_seats";

/** What a draft of a draw is about. @param {At["session"]} session */
export const aboutOf = ({ rounds, draw_again: again = [] }) => ["seats", rounds, ...again].join("/");

/** The cards that were drawn so far. @param {At["sitting"]} sitting @param {At["session"]} session @returns {Draw[]} */
export const drawnOf = (sitting, session) => draftOf(sitting.id, aboutOf(session))?.draws ?? [];

/** The draw that is not recorded yet. @param {At["sitting"]} sitting */
export function drawing(sitting) {
  const session = sitting.session.value;
  if (!session) return null;
  const draws = drawnOf(sitting, session);
  return { about: aboutOf(session), event: draws.length ? { type: TYPE, draws } : null };
}
