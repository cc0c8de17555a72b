/**
 * What is tapped in a turn at Kakkuri: the next number in its suits, wilds beside, all other cards behind a button; or only
 * how many went down.
 */
import { html } from "../core/html.js";
import { cardName, shortNameOf } from "../core/names.js";
import { t, tn } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { mend } from "../parts/mending.js";
import { NumberCard, NumberPad, counted } from "./number_pad.js";
import { cardsOf, isWild, numberOf, numbersNext, useWhatFits } from "./kakkuri_cards.js";
import { addCard, record, takeBack, tap, tapped, together, useRefused } from "./kakkuri_draft.js";
import { showAll, showsAll } from "./kakkuri_mode.js";
import { handOf } from "./kakkuri_standing.js";
import { Tray } from "./tray.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./kakkuri_standing.js").Standing} Standing */

const COUNTS = [0, 1, 2, 3, 4, 5, 6];

/** @param {{play: Play, now: Standing}} its */
export function TakeTurn({ play, now }) {
  const { round, deck } = play;
  const mine = tapped(play);
  const fits = useWhatFits(play, now, mine);
  useRefused(play);
  const hand = handOf(now, play.turn) ?? 0;
  const left = hand - (mine.count ?? mine.cards.length);
  const numbers = numbersNext(play, now, mine, fits);
  const isOpen = showsAll(play) || numbers === null;
  const codes = Object.keys(round.cards?.left ?? {});
  const rows = (numbers ?? []).map((each) => cardsOf(play, each));
  const wilds = codes.filter((each) => isWild(deck, each) && !rows.flat().includes(each));
  const shown = isOpen ? [] : [...rows.flat(), ...wilds];
  const pad = { ...cardsAt(play), may: mine.set ? null : fits.codes, together: mine.cards.length ? undefined : fits.together };
  return html`<section class=${`pad turn-pad ${isOpen ? "opened" : ""}`}>
    ${fits.why && !play.sitting.refusal.value && html`<p class="pad-why" role="status">${fits.why}</p>`}
    <div class="pad-head"><b>${headOf(mine, numbers)}</b><span class="soft">${tn("{count} card left in hand", "{count} cards left in hand", left)}</span></div>
    <${Tray} open=${isOpen} show=${() => showAll(play, true)} low=${html`<${NumberPad} ...${pad} codes=${codes.filter((each) => !shown.includes(each))} label=${t("All cards")} />`}>
      ${!isOpen && html`<div class="next-cards">
        ${rows.map((row, at) => html`<div key=${at} class="suits" role="group" aria-label=${t("Next: {number}", { number: numbers?.[at] ?? "" })}>${row.map((code) => html`<${NumberCard} key=${code} ...${pad} code=${code} large />`)}</div>`)}
        <div class="beside">${wilds.map((code) => html`<${NumberCard} key=${code} ...${pad} code=${code} large>${!pad.together?.[code] && html`<span class="wild">${t("wild")}</span>`}<//>`)}<${Together} play=${play} number=${numbers?.[0] ?? 0} left=${left} />
          <button type="button" class="quiet other-cards" data-test="other-cards" onClick=${() => showAll(play, true)}>${t("other …")}</button></div></div>`}<//>
    <${Counts} play=${play} hand=${hand} />
    <${Bar} play=${play} isOpen=${isOpen && numbers !== null} />
  </section>`;
}

/** @param {import("./kakkuri_draft.js").Turn} mine @param {number[] | null} numbers */
function headOf({ count, set }, numbers) {
  if (count) return t("Top card, if seen");
  if (set) return t("Which {number}s?", { number: set });
  const [number, other] = numbers ?? [];
  if (number === undefined) return t("Next: any card");
  return other === undefined ? t("Next: {number}", { number }) : t("Next: {number} or {other}", { number, other });
}

/** What a pad of cards shows of them. @param {Play} play */
export function cardsAt(play) {
  const { deck, round, sitting } = play;
  const { cards, top } = tapped(play);
  const waits = sitting.waiting.value.flatMap((each) => each.events).flatMap((each) => [each.card, each.top, ...(each.cards ?? [])]);
  return { deck, left: round.cards?.left, gone: counted([...cards, top, ...waits]), number: (/** @type {string} */ code) => numberOf(deck, code), tap: (/** @type {string} */ card) => addCard(play, card), mend: (/** @type {string} */ card) => mend(play, card) };
}

/** Three of a number at once, where the table plays so. @param {{play: Play, number: number, left: number}} its */
function Together({ play, number, left }) {
  const { round } = play;
  const mine = tapped(play);
  const { gone } = cardsAt(play);
  const unseen = cardsOf(play, number).filter((each) => (round.cards?.left[each] ?? 0) - (gone.get(each) ?? 0) > 0);
  const may = round.rules.sequence !== "plain" && together(play) === 3 && !mine.set && !mine.count && left >= 3 && unseen.length >= 3;
  if (!may) return null;
  return html`<button type="button" class="quiet" data-test="three-alike" onClick=${() => tap(play, { set: number })}>${t("three {number}s", { number })}</button>`;
}

/** Only how many went down. @param {{play: Play, hand: number}} its */
function Counts({ play, hand }) {
  const { count } = tapped(play);
  return html`<div class="counts" role="group" aria-label=${t("How many cards went down")}><span class="counts-label soft">${t("or only how many")}</span>
    ${COUNTS.map((each) => html`<button type="button" key=${each} class="quiet" data-test=${`count-${each}`} aria-pressed=${count === each} disabled=${each > hand} onClick=${() => tap(play, { cards: [], top: null, set: null, count: each })}>${each}</button>`)}</div>`;
}

/** @param {{play: Play, isOpen: boolean}} its */
function Bar({ play, isOpen }) {
  const { session, game, turn, deck } = play;
  const { cards, count, top, set } = tapped(play);
  const many = count ?? cards.length;
  const name = shortNameOf(session, turn, game, 12);
  const last = top ?? cards.at(-1);
  const back = () => (isOpen && !last && count === null ? showAll(play, false) : takeBack(play));
  return html`<div class="pad-bar">
    <button type="button" class="quiet" data-test="take-card-back" disabled=${!last && count === null && set === null && !isOpen} aria-label=${last ? t("Take back {card}", { card: cardName(deck, last) }) : t("Back")} onClick=${back}><${Icon} name="close" /></button>
    <button type="button" class="main" data-test="turn-done" data-once="turn-done" onClick=${() => record(play)}>${many ? tn("Done: {name} laid {count} card", "Done: {name} laid {count} cards", many, { name }) : t("Done: {name} passes", { name })}</button></div>`;
}
