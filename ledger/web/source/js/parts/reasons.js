/**
 * Why a round ended as it did, in three lines: the pot, the trump, the highest card. Of other games it is what the service
 * says; where the hands are shown already, only who deals next.
 */
import { html } from "../core/html.js";
import { SuitMark } from "../cards/face.js";
import { cardName, nameOf } from "../core/names.js";
import { language, number, say, heard, t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { inRows } from "../games/shirinma_table.js";

/** @typedef {import("../core/types.js").Entry} Entry */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {{session: import("../core/types.js").Session, game: import("../core/types.js").Game, deck: Deck, round: import("../core/types.js").Round, moved: Entry[] | null | undefined}} Its `moved` are the round's chips, null where they are not known */

const ROWS = 3;
const CARD_PAYMENTS = ["dragon_payment", "maid_payment", "horse_payment", "king_payment"];

/** @param {Its} its */
export function Reasons(its) {
  const lines = its.round.outcome?.explanation[language.value].map(heard) ?? [];
  const isShowdown = its.round.outcome?.result !== "void" && its.round.table && "trump" in its.round.table;
  const shown = isShowdown ? [] : padOf(its.game.name)?.Hands ? lines.slice(-1) : lines.slice(0, ROWS);
  const rest = lines.filter((line) => !shown.includes(line));
  return html`<div class="grounds" data-test="reasons">
    ${isShowdown ? html`<dl>${showdown(its, lines[0] ?? "").map(([label, text]) => html`<div key=${label} class="reason"><dt>${label}</dt><dd dir="auto">${text}</dd></div>`)}</dl>`
      : html`<ul>${shown.map((line) => html`<li key=${line} class="reason" dir="auto">${line}</li>`)}</ul>`}
    ${rest.length > 0 && html`<details class="more" onToggle=${showsWhatOpened}><summary data-test="more">${t("more")}</summary><ul>${rest.map((line) => html`<li key=${line} dir="auto">${line}</li>`)}</ul></details>`}
  </div>`;
}

/** It opens below the lower edge of a phone. @param {{currentTarget: HTMLDetailsElement}} toggled */
function showsWhatOpened({ currentTarget: details }) {
  if (details.open) details.querySelector("ul")?.scrollIntoView({ block: "nearest" });
}

/** @param {Its} its @param {string} first what the service says of the pot @returns {[string, any][]} */
function showdown({ session, game, deck, round, moved }, first) {
  const { field_card: field, bottom_card: bottom, trump } = round.table;
  const { sum, parts } = madeOf(round, moved ?? [], game);
  const pot = moved ? `${say(game.accounts.pot)} ${number(sum)}` : say(game.accounts.pot);
  /** @type {[string, any][]} */
  const rows = [[pot, moved ? parts.join(t(", ")) : moved === null && first]];
  if (bottom) rows.push([t("Trump"), html`<${SuitMark} deck=${deck} suit=${trump} /> ${t("bottom card")} <b>${cardName(deck, bottom)}</b>`]);
  if (round.outcome?.card) rows.push([t("Highest"), highest({ session, game, deck, round }, round.outcome.card)]);
  else if (field) rows.push([t("Field"), html`<b>${cardName(deck, field)}</b>`]);
  return rows;
}

/** What was put into the pot, and what for. @param {Its["round"]} round @param {Entry[]} moved @param {Its["game"]} game */
function madeOf(round, moved, game) {
  /** @type {Map<string, number>} */
  const sums = new Map(round.carried ? [["carried", round.carried]] : []);
  for (const { amount, reason } of moved.filter((each) => each.to === "pot")) {
    const kind = CARD_PAYMENTS.includes(reason) ? "cards" : reason;
    sums.set(kind, (sums.get(kind) ?? 0) + amount);
  }
  return { sum: [...sums.values()].reduce((one, other) => one + other, 0), parts: [...sums].map(([kind, chips]) => put(game, kind, chips)) };
}

/** @param {Its["game"]} game @param {string} kind a reason, all cards together @param {number} chips */
function put(game, kind, chips) {
  if (kind === "carried") return t("carried over {chips}", { chips });
  if (kind === "ante") return t("antes {chips}", { chips });
  if (kind === "cards") return t("cards {chips}", { chips });
  if (kind === "winning_bid") return t("bids {chips}", { chips });
  return `${say(game.reasons[kind])} ${number(chips)}`;
}

/** Whose card is the highest of its suit, and over whose. @param {Omit<Its, "moved">} its @param {string} card */
function highest({ session, game, deck, round }, card) {
  const rows = inRows(game, deck);
  const below = rows.slice(rows.indexOf(card) + 1).filter((each) => suitOf(deck, each) === suitOf(deck, card));
  const holder = (/** @type {string} */ code) => round.table.dealt.find((/** @type {{card: string}} */ each) => each.card === code)?.player;
  const beaten = below.find(holder);
  const facts = { name: nameOf(session, holder(card), game), card: rankOf(deck, card) };
  if (!beaten) return t("{name}'s {card}, the only one", facts);
  return t("{name}'s {card}, over {other}'s {lesser}", { ...facts, other: nameOf(session, holder(beaten), game), lesser: rankOf(deck, beaten) });
}

/** @param {Deck} deck @param {string} code */
const suitOf = (deck, code) => (deck.cards.find((each) => each.code === code)?.stands_for ?? code).split("-")[0];

/** A card's name without its suit, where that can be left out, and its number where that is not in it: Maid (10). @param {Deck} deck @param {string} code */
function rankOf(deck, code) {
  const rank = cardName(deck, code).split(language.value === "ja" ? "の" : " of ").at(language.value === "ja" ? -1 : 0) ?? code;
  return language.value === "en" && deck.deck === "mekurifuda" && /\D/.test(rank) ? `${rank} (${code.split("-")[1]})` : rank;
}
