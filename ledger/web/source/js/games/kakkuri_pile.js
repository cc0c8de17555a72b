/**
 * What lies on the table of Kakkuri: the last cards of the pile, what is being put onto it, and what the box holds.
 */
import { html } from "../core/html.js";
import { number, t } from "../core/words.js";
import { Tile } from "../cards/tile.js";
import { numberOf } from "./kakkuri_cards.js";
import { tapped } from "./kakkuri_draft.js";
import { pileOf } from "./kakkuri_standing.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./kakkuri_standing.js").Standing} Standing */

/** So many cards lie fanned. */
const SHOWN = 3;

/** @param {{play: Play, now: Standing}} its */
export function Pile({ play, now }) {
  const { deck } = play;
  const mine = tapped(play);
  const putting = mine.count ? [...Array(mine.count - 1).fill(null), mine.top] : mine.cards;
  const cards = [...pileOf(now.lies).map((code) => ({ code, isMine: false })), ...putting.map((code) => ({ code, isMine: true }))];
  if (!cards.length) return null;
  const first = Math.max(cards.length - SHOWN, 0);
  return html`<ol class="pile" aria-label=${t("The pile, top card last")}>
    ${cards.slice(first).map(({ code, isMine }, at) => html`<li key=${first + at} class=${isMine ? "mine" : ""}>
      <${Tile} deck=${deck} code=${code ?? undefined} down=${!code} drafted=${isMine} count=${code ? numberOf(deck, code) : undefined} />${!code && html`<span class="hidden">${t("not looked at")}</span>`}</li>`)}
  </ol>`;
}

/** How many cards lie on the pile and in the box. @param {{now: Standing}} its */
export const Heaps = ({ now: { lies } }) => lies.pile > 0 && html`<p class="heaps soft">${t("Pile {count}", { count: number(lies.pile) })} · ${t("Box {count}", { count: number(lies.box) })}</p>`;
