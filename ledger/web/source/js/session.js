/**
 * The table, and the pads of the games.
 */
import * as kakkuri from "./games/kakkuri.js";
import * as shippin from "./games/shippin.js";
import * as shirinma from "./games/shirinma.js";

export { default as Table } from "./views/table.js";

/** @type {Record<string, import("./games/pads.js").Pad>} */
export const PADS = { shirinma, shippin, kakkuri };
