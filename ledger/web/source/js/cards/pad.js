/**
 * The cards of a form: each that may be meant is a button, and one that was seen leaves its place empty. Where only some are
 * worth noting (`matters`), those stand first and large.
 */
import { html } from "../core/html.js";
import { cardName } from "../core/names.js";
import { t, tn } from "../core/words.js";
import { CardFace } from "./face.js";
import { grouped } from "./reading.js";

/** @typedef {import("../core/types.js").Deck} Deck */
/**
 * @typedef {{deck: Deck, tap: (code: string) => void, codes?: string[] | null, left?: Record<string, number> | null,
 *   gone?: Map<string, number>, matters?: string[] | null, label?: string}} Pad
 *   `codes` are the cards that may be meant (by default those in `left`, else the deck), `left` how many of each were not
 *   seen yet, `gone` what was chosen or reported here and is not confirmed
 */

/** @param {Pad} its */
export function CardPad(its) {
  const { deck, matters = null, label = t("Cards") } = its;
  const all = its.codes ?? (its.left ? Object.keys(its.left) : deck.cards.map((each) => each.code));
  const few = matters ? all.filter((code) => matters.includes(code)) : [];
  const rest = all.filter((code) => !few.includes(code));
  return html`<div class=${`cardpad ${few.length ? "some" : ""}`} role="group" aria-label=${label}>
    ${few.length > 0 && html`<${Cards} ...${its} codes=${few} shape="few" />`}<${Cards} ...${its} codes=${rest} />
  </div>`;
}

/** @param {Pad & {codes: string[], shape?: string}} its */
function Cards(its) {
  const { deck, codes, shape = deck.deck === "kabufuda" ? "by-number" : "" } = its;
  if (deck.deck === "hanafuda") return html`<${Months} ...${its} />`;
  return html`<div class=${`cards ${shape}`}>${grouped(deck, codes).flatMap((suit) => suit.codes.map((code) => html`<${Place} key=${code} ...${its} code=${code} />`))}</div>`;
}

/** A card that can be tapped, or the place where one was. @param {Pad & {code: string}} its */
function Place({ deck, code, tap, left, gone }) {
  const copies = deck.cards.find((each) => each.code === code)?.copies ?? 1;
  const more = (left ? (left[code] ?? 0) : copies) - (gone?.get(code) ?? 0);
  if (more <= 0) return html`<span class="card gone" data-gone=${code}><${CardFace} deck=${deck} code=${code} ghost /><span class="hidden">${cardName(deck, code)}, ${t("seen already")}</span></span>`;
  return html`<button type="button" class="card" data-test=${`card-${code}`} onClick=${() => tap(code)}>
    <${CardFace} deck=${deck} code=${code} />${copies > 1 && html`<span class="copies"><span aria-hidden="true">${"•".repeat(more)}</span><span class="hidden">${tn("{count} left", "{count} left", more)}</span></span>`}
  </button>`;
}

/** Hanafuda: a column a month, six months beside one another, the classes below one another. @param {Pad & {codes: string[]}} its */
function Months(its) {
  const months = grouped(its.deck, its.codes);
  const halves = months.length > 6 ? [months.slice(0, Math.ceil(months.length / 2)), months.slice(Math.ceil(months.length / 2))] : [months];
  return halves.map((half, at) => html`<div key=${at} class="cards months">
    ${half.map(({ group, codes }) => html`<div key=${group} class="month">${codes.map((code) => html`<${Place} key=${code} ...${its} code=${code} />`)}</div>`)}
  </div>`);
}
