/**
 * What is opened beside the table: leaves, the menu, corrections, forms. One file apart, since nobody needs it to record
 * the first card of a game that has a pad.
 */
import * as plain from "./games/plain.js";
import Board from "./views/board.js";
import Exports from "./views/exports.js";
import Key from "./views/key.js";
import LookingOn from "./views/looking_on.js";
import Log from "./views/log.js";
import Round from "./views/round.js";
import Settlement from "./views/settlement.js";
import Share from "./views/share.js";
import Sheet from "./views/sheet.js";
import Statistics from "./views/statistics.js";

export { SeatDraw } from "./games/seat_draw.js";
export { Mending } from "./log/mending.js";
export { Notices } from "./parts/notices.js";
export { WentBack } from "./parts/went_back.js";
export { Why } from "./parts/why.js";
export { AtHand } from "./views/at_hand.js";
export { Ending } from "./views/ending.js";
export { Menu } from "./views/menu.js";
export { Result } from "./views/result.js";

/** @type {Record<string, (at: any) => any>} */
export const VIEWS = { share: Share, key: Key, log: Log, "looking-on": LookingOn, board: Board, settlement: Settlement, exports: Exports, sheet: Sheet, statistics: Statistics, round: Round };

/** How a game without a pad of its own is recorded. @type {import("./games/pads.js").Pad} */
export const PLAIN = plain;
