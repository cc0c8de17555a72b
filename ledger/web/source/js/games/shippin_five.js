/**
 * Five cards at Shippin, one after the other: columns 1 to 4, then the dealer; the last one records them.
 */
import { html, useEffect, useState } from "../core/html.js";
import { NumberPad, counted, valueOf } from "./number_pad.js";
import { COLUMNS, DEALER, nextPlace, refused, tapAt, tapped } from "./shippin_table.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shippin_table.js").Five} Five */
/** @typedef {import("./shippin_table.js").Standing} Standing */
/** @typedef {Play & {now: Standing, type: Five}} Its */

/** @param {Its} its */
export function FiveCards(its) {
  const { type, now, deck, round } = its;
  useRefused(its);
  const lying = [...(round.table.second_field ? [] : now.second), ...(round.table.first_field ? [] : now.first)];
  return html`<section class="pad"><${NumberPad} deck=${deck} codes=${Object.keys(round.cards?.left ?? {})} number=${(/** @type {string} */ code) => valueOf(deck, code)}
    left=${round.cards?.left} gone=${counted([...tapped(its, type), ...lying])} tap=${(/** @type {string} */ card) => lay(its, card)} /></section>`;
}

/** A card for the place that is asked about, or none that anybody looked at; the fifth records them all. @param {Its} its @param {string | null} card */
export function lay(its, card) {
  const { type, sitting } = its;
  const cards = tapped(its, type);
  const place = nextPlace(cards);
  const five = place > DEALER ? [card] : Object.assign([...cards], { [place]: card });
  if (nextPlace(five) <= DEALER) return tapAt(its, type, five);
  if (sitting.refusal.value) sitting.dropRefused();
  sitting.report({ type, columns: five.slice(0, DEALER), dealer: five[DEALER] });
  tapAt(its, type, []);
}

/** Cards that were refused lie there again: the wrong one can be taken back, or all be tapped anew. @param {Its} its */
function useRefused(its) {
  const { sitting, type } = its;
  const five = sitting.refusal.value?.report.events.find((each) => each.type === type);
  useEffect(() => {
    if (five) tapAt(its, type, [...five.columns, five.dealer], true);
    else if (refused.value) tapAt(its, type, []);
  }, [five]);
}

/** Whether a column without a bet may be left out here: what the service says to five cards of which one is. @param {Its} its */
export function useLeavingOut({ sitting, round, now, type }) {
  const [may, setMay] = useState(false);
  const free = COLUMNS.filter((column) => !now.bets.some((each) => each.column === column));
  useEffect(() => {
    const cards = Object.entries(round.cards?.left ?? {}).filter(([, left]) => left > 0).map(([code]) => code);
    if (free.length === 0 || cards.length < 5 || sitting.waiting.value.length) return;
    const columns = COLUMNS.map((column) => (column === free[0] ? null : cards[column]));
    sitting.wouldBe({ type, columns, dealer: cards[0] }).then(() => setMay(true), () => setMay(false));
  }, [type, free.length, sitting.seq.value]);
  return may;
}
