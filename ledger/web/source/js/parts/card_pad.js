/**
 * Cards to tap, also where no deck is known yet.
 */
import { html } from "../core/html.js";
import { CardPad as Drawn } from "../cards/pad.js";

/** @param {Omit<import("../cards/pad.js").Pad, "deck"> & {deck: import("../core/types.js").Deck | null}} its */
export const CardPad = (its) => its.deck && html`<${Drawn} ...${its} />`;
