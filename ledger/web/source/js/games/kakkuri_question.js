/**
 * What is asked at Kakkuri just now, in words: whose turn it is and what was tapped for it, which card, or who did what.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { say, t, tn } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { numberOf } from "./kakkuri_cards.js";
import { tapped } from "./kakkuri_draft.js";
import { HOOKS, TURN, askedOf, choose } from "./kakkuri_mode.js";
import { Heaps, Pile } from "./kakkuri_pile.js";
import { standing } from "./kakkuri_standing.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./kakkuri_standing.js").Standing} Standing */

/** @param {Play} play */
export function Question(play) {
  const now = standing(play);
  const type = askedOf(play, now);
  const [small, what] = type === TURN ? turnAsked(play) : [before(play, type), said(type)];
  return html`<div class="question pile-asked"><${Pile} play=${play} now=${now} />
    <div class="question-text" aria-live="polite"><p class="soft" dir="auto">${small}</p>
      <h2 class="question-what" dir="auto">${what}</h2><${Below} play=${play} now=${now} type=${type} /></div></div>
    ${play.records && html`<${Modes} ...${play} now=${now} type=${type} />`}`;
}

/** What is to be known of it: that nothing is recorded yet, what it costs, or what lies there. @param {{play: Play, now: Standing, type: string | undefined}} its */
function Below({ play, now, type }) {
  if (type === TURN && isBegun(play)) return html`<p class="not-yet">${t("Not recorded yet")}</p>`;
  if (type !== "player_dropped_out" || !now.lies.starter) return html`<${Heaps} now=${now} />`;
  return html`<p class="soft">${t("Pays a share into the pot ({chips}), has no more turns this round, and neither pays nor wins anything at its end.", { chips: play.round.rules.chips_per_share })}</p>`;
}

/** @param {Play} play */
const isBegun = (play) => Boolean(tapped(play).cards.length || tapped(play).count);

/** Whose turn it is, or what is tapped for it. @param {Play} play */
function turnAsked(play) {
  const { session, game, turn, deck } = play;
  const { cards, count, top } = tapped(play);
  if (!isBegun(play)) return [t("Whose turn"), turn ? html`<${PlayerName} session=${session} player=${turn} kind="question-name" />` : ""];
  const numbers = cards.map((each) => numberOf(deck, each)).join(t(", "));
  const laid = cards.length ? t("lays {cards}", { cards: numbers }) : tn("lays {count} card", "lays {count} cards", count ?? 0);
  return [t("{name}'s turn", { name: nameOf(session, turn, game) }), top ? `${laid} (${numberOf(deck, top)})` : laid];
}

/** @param {string | undefined} type */
function said(type) {
  switch (type) {
    case "player_dropped_out": return t("Who drops out?");
    case "hand_exchanged": return t("Who trades hands?");
    case "three_ones_shown": return t("Who shows the three 1s?");
    case "three_pairs_declared": return t("Who has three pairs?");
    case "starter_revealed": return t("Which card opens the pile?");
    case "box_card_revealed": return t("Which box card?");
    default: return "";
  }
}

/** The same on a button. @param {string} type */
function short(type) {
  switch (type) {
    case "player_dropped_out": return t("Drop out");
    case "hand_exchanged": return t("Trade hands");
    case "three_ones_shown": return t("Three 1s");
    case "three_pairs_declared": return t("Three pairs");
    case "starter_revealed": return t("Open the pile");
    default: return t("Box card");
  }
}

/** What goes before a question. @param {Play} play @param {string | undefined} type */
function before({ session, game, round, turn }, type) {
  if (type === "box_card_revealed" && turn) return nameOf(session, turn, game);
  if (type === "hand_exchanged") return t("With {name}, who deals", { name: nameOf(session, round.table.dealer, game) });
  return say(game.phases[round.phase]);
}

/** What else may be reported than what is asked first. @param {Play & {now: Standing, type: string | undefined}} its */
function Modes(its) {
  const { now, type } = its;
  const others = now.next.filter((each) => each.type !== TURN && each.players?.length !== 0);
  if (!others.length) return null;
  return html`<div class="modes">${others.map((each) => html`<button type="button" key=${each.type} class="quiet mode" data-test=${HOOKS[each.type]} aria-pressed=${each.type === type} onClick=${() => choose(its, now, each.type)}>${short(each.type)}</button>`)}</div>`;
}
