/**
 * The card pad: every card that may still come is a button, and one that was seen leaves its place empty.
 *
 * Where only some cards are worth noting (`matters`), those stand first and large, with "plain" for the rest, which lie
 * below them; "exact" shows the whole deck at once. What may come is what the service says (`round.cards`); what it would refuse is dimmed but can be tapped, so that
 * the table hears why, and may say that it was played so.
 */
import { html, useState } from "../core/html.js";
import { cardName } from "../core/names.js";
import { t, tn } from "../core/words.js";
import { CardFace, Mark } from "./face.js";
import { byName, grouped, hasRankNames, toggleNames } from "./reading.js";

/** @typedef {import("../core/types.js").Deck} Deck */
/**
 * @typedef {{deck: Deck, tap: (code: string) => void, codes?: string[] | null, left?: Record<string, number> | null,
 *   may?: string[] | null, gone?: Map<string, number>, matters?: string[] | null, plain?: string | null, picked?: string[],
 *   count?: (code: string) => string | number | undefined, label?: string, dense?: boolean}} Pad
 *   `codes` are the cards played with (by default those in `left`, else the deck), `left` how many of each were not seen
 *   yet, `may` those that are accepted now, `gone` what this phone has reported and the service has not confirmed,
 *   `plain` what the button says for a card that need not be noted, `picked` what was chosen here but not yet reported,
 *   `count` what the game reads a hanafuda card as, `dense` where there is little room
 */

/** @param {Pad} its */
export function CardPad(its) {
  const { deck, matters = null, plain = null, label = t("Cards"), dense = false } = its;
  const [exact, setExact] = useState(false);
  const all = its.codes ?? (its.left ? Object.keys(its.left) : deck.cards.map((each) => each.code));
  const few = matters && !exact ? all.filter((code) => matters.includes(code)) : null;
  const rest = few ? all.filter((code) => !few.includes(code)) : [];
  const others = html`<${Plain} ...${its} />${matters && html`<${Exact} set=${setExact} exact=${exact} />`}`;
  return html`<div class=${`cardpad ${few ? "some" : "all"} ${dense ? "dense" : ""}`} role="group" aria-label=${label}>
    <div class="cards-within">
      ${few
        ? html`<${Cards} ...${its} codes=${few} shape="few" first=${dense ? others : null} /><${Cards} ...${its} codes=${rest} shape="rest" />`
        : html`<${Cards} ...${its} codes=${all} first=${dense ? others : null} />`}
    </div>
    ${plain && !dense && html`<div class="row plain-row">${others}</div>`}
  </div>`;
}

/** @param {Pad & {codes: string[], shape?: string, first?: any}} its */
function Cards(its) {
  const { deck, codes, shape = deck.deck === "kabufuda" ? "by-number" : "suits", first } = its;
  if (deck.deck === "hanafuda") return html`<${Months} ...${its} />`;
  return html`<div class=${`cards ${shape}`}>${first}
    ${grouped(deck, codes).flatMap((suit) => suit.codes.map((code) => html`<${Place} key=${code} ...${its} code=${code} />`))}
  </div>`;
}

/** @param {Pad} its */
function Plain({ tap, plain, may }) {
  if (!plain) return null;
  const never = may && !may.includes("plain");
  return html`<button type="button" class=${`main plain ${never ? "unlikely" : ""}`} data-test="card-plain" onClick=${() => tap("plain")}>${plain}</button>`;
}

/** @param {{exact: boolean, set: (exact: boolean) => void}} its */
const Exact = ({ exact, set }) => html`<button type="button" class="quiet exact" data-test="exact" aria-pressed=${exact} onClick=${() => set(!exact)}>${exact ? t("fewer") : t("exact…")}</button>`;

/** How many of a card may still be seen. @param {Pad} its @param {string} code */
function leftOf({ deck, left, gone }, code) {
  const copies = left ? (left[code] ?? 0) : (deck.cards.find((each) => each.code === code)?.copies ?? 1);
  return copies - (gone?.get(code) ?? 0);
}

/** A card that can be tapped, or the place where one was. @param {Pad & {code: string}} its */
function Place(its) {
  const { deck, code, tap, may, picked, count } = its;
  const left = leftOf(its, code) - (picked?.filter((each) => each === code).length ?? 0);
  const copies = deck.cards.find((each) => each.code === code)?.copies ?? 1;
  const chosen = picked?.includes(code) ?? false;
  const gone = left <= 0 && !chosen;
  const look = html`<${CardFace} deck=${deck} code=${code} count=${count?.(code)} ghost=${gone} />`;
  if (gone) return html`<span class="card gone" data-gone=${code}>${look}<span class="hidden">${cardName(deck, code)}, ${t("seen already")}</span></span>`;
  const unlikely = may && !may.includes(code);
  return html`<button type="button" class=${`card ${unlikely ? "unlikely" : ""}`} data-test=${`card-${code}`} aria-pressed=${picked ? chosen : undefined} onClick=${() => tap(code)}>
    ${look}${copies > 1 && html`<span class="copies"><span aria-hidden="true">${"•".repeat(Math.max(left, 0))}</span><span class="hidden">${tn("{count} left", "{count} left", left)}</span></span>`}
  </button>`;
}

/** Hanafuda: a column a month, six months beside one another, the classes below one another. @param {Pad & {codes: string[]}} its */
function Months(its) {
  const { deck, codes, count } = its;
  const months = grouped(deck, codes);
  const halves = months.length > 6 ? [months.slice(0, Math.ceil(months.length / 2)), months.slice(Math.ceil(months.length / 2))] : [months];
  return halves.map((half, at) => html`<div key=${at} class=${`cards months wide-${half.length}`}>
    ${half.map(({ group, codes: cards }) => html`<div key=${group} class="month">
      ${count && html`<span class="month-head" aria-hidden="true"><${Mark} name=${group} />${count(cards[0] ?? "")}</span>`}
      ${cards.map((code) => html`<${Place} key=${code} ...${its} code=${code} count=${undefined} />`)}
    </div>`)}
  </div>`);
}

/** Turns ranks into their names and back, in decks where these say more. @param {{deck: Deck}} its */
export function NamesToggle({ deck }) {
  if (!hasRankNames(deck)) return null;
  return html`<button type="button" class="quiet names-toggle" data-test="names-toggle" aria-pressed=${byName.value} onClick=${toggleNames}>${t("names")}</button>`;
}
