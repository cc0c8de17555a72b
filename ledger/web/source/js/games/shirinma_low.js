/**
 * What is seldom tapped at Shirinma: the cards from 2 to 9, and in an auction somebody else than whose turn it is.
 */
import { html } from "../core/html.js";
import { CardFace } from "../cards/face.js";
import { grouped } from "../cards/reading.js";
import { shortNameOf } from "../core/names.js";
import { t } from "../core/words.js";
import { Seen } from "../parts/seen.js";

/** @typedef {import("./pads.js").Play} Play */

/** The cards from 2 to 9. @param {{play: Play, codes: string[], may: string[] | null, tap: (card: string) => void, mend: (card: string) => void}} its */
export function Low({ play, codes, may, tap, mend }) {
  const { deck, round, guessed } = play;
  const card = (/** @type {string} */ code) => {
    const face = html`<${CardFace} deck=${deck} code=${code} small />`;
    if ((round.cards?.left[code] ?? 1) - (guessed.gone.get(code) ?? 0) <= 0) return html`<${Seen} key=${code} deck=${deck} code=${code} look="low-card" mend=${mend}>${face}<//>`;
    return html`<button type="button" key=${code} class=${`low-card ${may && !may.includes(code) ? "unlikely" : ""}`} data-test=${`card-${code}`} data-once=${code} onClick=${() => tap(code)}>${face}</button>`;
  };
  return html`<div class="low" role="group" aria-label=${t("Cards from 2 to 9")}>${grouped(deck, codes).flatMap((suit) => suit.codes.map(card))}</div>`;
}

/** Whom the next card is for, while the seats are the bidders. @param {{play: Play}} its */
export const Whose = ({ play }) => html`<div class="whose low" role="group" aria-label=${t("Card for")}>${play.round.players.map((each) => html`<button type="button" key=${each} class="quiet" data-test=${`for-${each}`} aria-current=${each === play.turn ? "true" : undefined}
  onClick=${() => play.choose(each)}>${shortNameOf(play.session, each, play.game, 8)}</button>`)}</div>`;
