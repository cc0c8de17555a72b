/**
 * All that a session is shown as, and the pads of the games: one file apart from what the start needs, since a phone far
 * away waits for each that it asks for.
 */
import * as kakkuri from "./games/kakkuri.js";
import * as plain from "./games/plain.js";
import * as shippin from "./games/shippin.js";
import * as shirinma from "./games/shirinma.js";
import Board from "./views/board.js";
import Exports from "./views/exports.js";
import Key from "./views/key.js";
import Log from "./views/log.js";
import Round from "./views/round.js";
import Settlement from "./views/settlement.js";
import Share from "./views/share.js";
import Sheet from "./views/sheet.js";
import Statistics from "./views/statistics.js";
import Table from "./views/table.js";

/** @type {Record<string, (at: any) => any>} */
export const VIEWS = { table: Table, share: Share, key: Key, log: Log, board: Board, settlement: Settlement, exports: Exports, sheet: Sheet, statistics: Statistics, round: Round };

/** @type {Record<string, import("./games/pads.js").Pad>} */
export const PADS = { shirinma, shippin, kakkuri };

/** How a game without a pad of its own is recorded. @type {import("./games/pads.js").Pad} */
export const PLAIN = plain;
