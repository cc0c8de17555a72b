/**
 * Kakkuri: who drops out, who trades hands, the pile's first card; then turn after turn, by cards or by counting.
 */
import { html, signal, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { kindOf, shortNameOf } from "../core/names.js";
import { say, t, tn } from "../core/words.js";
import { People } from "../parts/choices.js";
import { NumberPad, counted } from "./number_pad.js";
import { aboutOf, atTurn, marks, out, forget, numberOf, refused, standing, tap, tapped } from "./kakkuri_table.js";

export { Lying as Asked } from "./kakkuri_table.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").Expected} Expected */
/** @typedef {import("./kakkuri_table.js").Standing} Standing */

const HOOKS = /** @type {Record<string, string>} */ ({
  player_dropped_out: "dropped-out", hand_exchanged: "exchanged", three_ones_shown: "three-ones", three_pairs_declared: "three-pairs",
  starter_revealed: "starter", box_card_revealed: "box-card",
});
const TURN = "turn_played";
const COUNTS = [0, 1, 2, 3, 4, 5, 6];

/** What the scorekeeper wants to report, where it is not the first thing that may come; another phone does not end that. */
const wanted = signal({ key: "", type: "" });
/** @param {Play} play */
const keyOf = ({ sitting, round }) => [sitting.id, round.number, round.phase, sitting.made.value].join("/");

/** What is asked just now. @param {Play} play @param {Standing} now */
function asked(play, now) {
  const types = now.next.filter((each) => each.players?.length !== 0).map((each) => each.type);
  return wanted.value.key === keyOf(play) && types.includes(wanted.value.type) ? wanted.value.type : types[0];
}

/** Whose turn is being tapped, or else who is to play, or to turn a box card. @param {import("../core/guess.js").Guess | null} _ @param {{sitting: Play["sitting"]}} at */
export function turn(_, { sitting }) {
  const round = sitting.session.value?.round;
  if (!round) return null;
  const { next, lies } = standing({ round, sitting });
  const due = next.find((each) => each.type === TURN);
  return (due && tapped({ round, sitting }).player) ?? due?.player ?? (next.some((each) => each.type === "box_card_revealed") ? atTurn(lies, round.players) : null);
}

/** The turn that is being tapped. @param {{sitting: Play["sitting"]}} at */
export function draft({ sitting }) {
  const round = sitting.session.value?.round;
  if (!round) return null;
  const mine = tapped({ round, sitting });
  const player = turn(null, { sitting }) ?? undefined;
  return { about: aboutOf({ round, sitting }, player ?? null), event: mine.count || mine.cards.length ? { type: TURN, player, ...down(mine) } : null };
}

/** What went down, as a report has it. @param {import("./kakkuri_table.js").Turn} mine */
function down({ cards, count, top }) {
  if (cards.length) return { cards };
  return count ? { count, ...(top ? { top } : {}) } : {};
}

/** While a turn is asked for, another may be chosen than whose turn it is: that is part of the draft. @param {Play} play @param {string} player @returns {import("../parts/seats.js").SeatLook} */
export function seat(play, player) {
  const isOut = out(play, player);
  const look = { tokens: marks(play, player), state: /** @type {const} */ (isOut ? "out" : player === play.turn ? "due" : "") };
  if (!play.records || isOut || asked(play, standing(play)) !== TURN) return look;
  return { ...look, hook: `for-${player}`, tap: player === play.turn ? undefined : () => tap(play, { player }, refused.value) };
}

/** @param {Play} play */
export function Pad(play) {
  const now = standing(play);
  const type = asked(play, now);
  const others = now.next.filter((each) => each.type !== TURN && each.players?.length !== 0);
  const choose = (/** @type {string} */ next) => (wanted.value = { key: keyOf(play), type: next === type && now.next.some((each) => each.type === TURN) ? TURN : next });
  if (!type) return html`<section class="pad" aria-busy="true"></section>`;
  const tabs = others.length > 0 && html`<div class=${`modes n${others.length}`}>${others.map((each) => html`<button type="button" key=${each.type} class="quiet mode" data-test=${HOOKS[each.type]} aria-pressed=${each.type === type} onClick=${() => choose(each.type)}>${say(kindOf(play.game, each.type)?.label)}</button>`)}</div>`;
  if (type === TURN) return html`<section class="pad turn-pad"><${TakeTurn} ...${play} now=${now} tabs=${tabs} /></section>`;
  const expected = now.next.find((each) => each.type === type);
  const players = expected?.players;
  return html`<section class="pad">${tabs}${players ? html`<${Whom} ...${play} type=${type} among=${players} />` : html`<${OneCard} ...${play} type=${type} now=${now} />`}</section>`;
}

/** Something that a player did. @param {Play & {type: string, among: string[]}} its */
function Whom(its) {
  const { sitting, round, type, among } = its;
  const leaves = type === "player_dropped_out" && round.table?.starter;
  return html`<p class="ask"><b>${t("Who?")}</b></p>
    ${leaves && html`<p class="hint">${t("Pays a share into the pot ({chips}), has no more turns this round, and neither pays nor wins anything at its end.", { chips: round.rules.chips_per_share })}</p>`}
    <${People} among=${among} chosen=${[]} tap=${(/** @type {string} */ player) => sitting.report({ type, player })} at=${its} />`;
}

/** The cards that there are, with what was seen of them. @param {Play & {now: Standing, tap: (card: string) => void, may?: string[] | null, together?: Record<string, number>, mine?: string[]}} its */
function Cards({ deck, round, sitting, tap: tapCard, may, together, mine = [] }) {
  const waits = sitting.waiting.value.flatMap((each) => each.events).flatMap((each) => [each.card, each.top, ...(each.cards ?? [])]);
  return html`<${NumberPad} deck=${deck} codes=${Object.keys(round.cards?.left ?? {})} left=${round.cards?.left} gone=${counted([...mine, ...waits])} may=${may} together=${together} number=${(/** @type {string} */ code) => numberOf(deck, code)} tap=${tapCard} />`;
}

/** A card that was turned from the box. @param {Play & {type: string, now: Standing}} its */
function OneCard(its) {
  const { sitting, game, session, type, turn: player, round } = its;
  return html`${player && html`<p class="ask"><b dir="auto">${shortNameOf(session, player, game, 16)}</b></p>`}
    <${Cards} ...${its} may=${round.cards?.next[type]} tap=${(/** @type {string} */ card) => sitting.report({ type, card })} />`;
}

/** A turn: cards in their order, or how many went down; with neither a pass. @param {Play & {now: Standing, tabs: any}} its */
function TakeTurn(its) {
  const { sitting, session, game, now, turn: player, tabs } = its;
  const mine = tapped(its);
  const left = now.lies.hands.find((each) => each.player === player)?.left ?? 0;
  const fits = useWhatFits(its);
  useRefused(its);
  const add = (/** @type {string} */ card) => {
    if (mine.count) tap(its, { top: card });
    else tap(its, { cards: [...(refused.value ? [] : mine.cards), card], count: null });
  };
  const done = () => {
    if (!player) return;
    if (sitting.refusal.value) sitting.dropRefused();
    sitting.report({ type: TURN, player, ...down(mine) });
    forget(its);
  };
  const many = mine.count ?? mine.cards.length;
  return html`
    <div class="row turn-head"><p class="ask"><b dir="auto">${shortNameOf(session, player, game, 16)}</b><span class="soft">${tn("{count} card left", "{count} cards left", left)}</span></p>${tabs}</div>
    <${Cards} ...${its} may=${fits.codes} together=${mine.cards.length || !fits.codes ? undefined : its.round.cards?.together} mine=${[...mine.cards, ...(mine.top ? [mine.top] : [])]} tap=${add} />
    <div class="counts" role="group" aria-label=${t("How many cards went down")}>${COUNTS.map((count) => html`<button type="button" key=${count} class="quiet" data-test=${`count-${count}`} aria-pressed=${mine.count === count} disabled=${count > left}
      onClick=${() => tap(its, { cards: [], top: null, count })}>${count}</button>`)}</div>
    ${fits.why && !sitting.refusal.value && html`<p class="hint" role="status">${fits.why}</p>`}
    <button type="button" class="main wide" data-test="turn-done" onClick=${done}>${many ? tn("{count} card down", "{count} cards down", many) : t("No card: pass")}</button>`;
}

/** What was refused lies there again: a card begins the turn anew, the last one can be taken back. @param {Play} play */
function useRefused(play) {
  const refusal = play.sitting.refusal.value;
  const met = refusal?.report.events.find((each) => each.type === TURN);
  useEffect(() => {
    if (refusal && met?.cards) tap(play, { player: met.player ?? null, cards: met.cards, count: null, top: null }, refusal.report.key);
    else if (!refusal && refused.value) forget(play);
  }, [refusal?.report.key]);
}

/**
 * Which cards fit next: for the first what the round says; further on what the service says would fit on the cards tapped so
 * far, or why those alone would be refused.
 * @param {Play & {now: Standing}} its @returns {{codes: string[] | null, why: string}}
 */
function useWhatFits(its) {
  const { sitting, round, now, turn: player } = its;
  const mine = tapped(its);
  const [further, setFurther] = useState(/** @type {{of: string, codes: string[] | null, why: string}} */ ({ of: "", codes: null, why: "" }));
  const of = mine.cards.join();
  useEffect(() => {
    if (!of || !now.sure || !player) return undefined;
    let late = false;
    const told = (/** @type {string[] | null} */ codes, why = "") => !late && setFurther({ of, codes, why });
    sitting.wouldBe({ type: TURN, player, cards: mine.cards }).then(
      (answer) => told(answer.session.round?.cards?.next[TURN] ?? null),
      (failed) => told(null, failed instanceof Refused ? failed.problem.detail : ""),
    );
    return () => void (late = true);
  }, [of, player, now.sure]);
  if (of) return further.of === of ? further : { codes: null, why: "" };
  return { codes: now.sure && !mine.count ? (round.cards?.next[TURN] ?? null) : null, why: "" };
}
