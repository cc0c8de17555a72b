/**
 * Choosing people and cards by a tap.
 */
import { html, useState } from "../core/html.js";
import { cardName, nameOf, shortNameOf, worded } from "../core/names.js";
import { t } from "../core/words.js";
import { CardFace } from "../cards/face.js";
import { CardPad } from "./card_pad.js";

/**
 * People as buttons, those `chosen` marked; whoever is not among those who can be meant is not there.
 * @param {{among: string[], chosen: string[], tap: (player: string) => void, at: import("./field.js").At, hook?: string}} its
 */
export function People({ among, chosen, tap, at, hook = "for" }) {
  return html`<div class="people">${among.map((each) => html`<button type="button" key=${each} class="quiet person" data-test=${`${hook}-${each}`} aria-pressed=${chosen.includes(each)}
    title=${nameOf(at.session, each, at.game)} onClick=${() => tap(each)}><span dir="auto">${shortNameOf(at.session, each, at.game)}</span></button>`)}</div>`;
}

/** Whether it is a card, and not a word in a card's place. @param {import("./field.js").At} at @param {string | null} code */
const isDrawn = ({ deck }, code) => deck?.cards.some((each) => each.code === code && each.copies > 0);

/** Cards that were chosen, in order, each of which a tap takes back. @param {{cards: (string | null)[], at: import("./field.js").At, back?: (place: number) => void, hook?: string}} its */
export function Chosen({ cards, at, back, hook = "chosen" }) {
  if (cards.length === 0) return null;
  return html`<ol class="chosen">${cards.map((each, place) => html`<li key=${place}><button type="button" class="quiet" data-test=${`${hook}-${place}`} disabled=${!back} onClick=${() => back?.(place)}>${isDrawn(at, each) ? html`<${CardFace} deck=${at.deck} code=${each} />` : cardName(at.deck, each) || t("not looked at")}<span aria-hidden="true"> ×</span><span class="hidden">${t("Take back")}</span></button></li>`)}</ol>`;
}

/** The words that may stand where a card could (`plain`, `hidden`). @param {import("./field.js").KindProps & {tap: (word: string) => void}} its */
function Words({ field, value, tap, at }) {
  return html`${(field.or ?? []).map((each) => html`<button type="button" key=${each} class="quiet" data-test=${`card-${each}`} aria-pressed=${value === each} onClick=${() => tap(each)}>${worded(at, field, each)}</button>`)}`;
}

/** The cards that can be meant: those that may come now, or all of the deck. @param {{field: import("./field.js").Asked, at: import("./field.js").At}} its */
export const codesFor = ({ field, at }) => (field.codes ?? at.deck?.cards.map((each) => each.code) ?? []).filter((each) => !(field.or ?? []).includes(each));

/** One card. @param {import("./field.js").KindProps} its */
export function CardField(its) {
  const { field, value, set, at } = its;
  const [open, setOpen] = useState(!at.editing || at.unfolded);
  const tap = (/** @type {string} */ code) => {
    set(code);
    setOpen(false);
  };
  const left = at.editing ? undefined : at.round?.cards?.left;
  return html`${value !== undefined && html`<${Chosen} cards=${[value]} at=${wording(at, field)} back=${() => { set(undefined); setOpen(true); }} />`}
    ${(open || value === undefined) && html`<div class="card-choice"><${CardPad} deck=${at.deck} codes=${codesFor(its)} left=${left} tap=${tap} matters=${its.field.matters?.[at.deck?.deck ?? ""]} />
      <div class="row"><${Words} ...${its} tap=${tap} />${field.nullable && html`<button type="button" class="quiet" data-test="card-none" onClick=${() => tap(/** @type {any} */ (null))}>${t("not looked at")}</button>`}</div></div>`}`;
}

/** Words beside cards have names too. @param {import("./field.js").At} at @param {import("./field.js").Asked} field @returns {import("./field.js").At} */
function wording(at, field) {
  if (!at.deck || !field.or?.length) return at;
  const words = field.or.map((code) => ({ code, copies: 0, name: field.value_labels?.[code] ?? { en: code, ja: code } }));
  return { ...at, deck: { ...at.deck, cards: [...at.deck.cards, ...words] } };
}
