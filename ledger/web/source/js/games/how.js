/**
 * How the games are played, in a few lines each, as it holds under the house rules in force. `at` are the phases that a
 * line is about, `cards` what is drawn beside it, as mekurifuda or by their number.
 */
import { t, tn } from "../core/words.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {{text: string, at?: string[], cards?: string[]}} Line */
/** @typedef {{game: Game, rules: Record<string, any>, called: (card: string) => string}} Told `called` is what a card is called in the deck on the table */

/** @param {Told} told @returns {(Line | false)[]} */
function shirinma({ rules }) {
  return [
    { text: t("Everyone puts {ante} into the pot. The strongest good card of the trump suit wins it.", { ante: rules.ante }) },
    { text: t("Good cards are 12, 11, 10 and 1, strongest first. All others are plain."), at: ["dealing", "showdown"], cards: ["cups-12", "cups-11", "cups-10", "cups-1"] },
    { text: t("The first card lies open on the table: the field card. No player owns it, and its suit cannot win."), at: ["field_due"] },
    { text: t("Each player gets one open card, the dealer first, counter-clockwise; then everyone gets a second one."), at: ["field_due", "dealing"] },
    { text: t("As a good card is dealt, its owner pays into the pot: {king} for a 12, {horse} for an 11, {maid} for a 10, {dragon} for a 1.", rules.payments), at: ["dealing"] },
    { text: t("Half of each good card is auctioned as it is dealt. Everyone but its owner may bid. The highest bidder pays into the pot and rides on the card."), at: ["auction"] },
    rules.third_deal === "none_received"
      ? { text: t("With 12 to 15 players there is a third deal if no good card came in the second."), at: ["dealing"] }
      : { text: t("With 12 to 15 players there is a third deal if no good card came in the first two."), at: ["dealing"] },
    { text: t("The bottom card of the deck then shows trump. The winner takes the pot, or shares it half and half with the back-rider."), at: ["showdown"] },
    { text: t("The pot stays for the next round if the bottom card is a 2 or a 3, if it has the field card's suit, or if no good card of its suit was dealt."), at: ["showdown"] },
    rules.dealer_on_forfeit === "rotate" && { text: t("The player to the dealer's right deals next.") },
  ];
}

/** @param {Told} told @returns {(Line | false)[]} */
function shippin({ rules }) {
  return [
    { text: t("Four hands lie on the table. You bet that one of them beats the dealer's.") },
    { text: t("The dealer lays four cards face down in a row, and one for the dealer's own hand.") },
    rules.must_bet === "no"
      ? { text: t("Starting at the dealer's right, each player bets {bet} on a column of their own, or sits the round out.", { bet: rules.bet }), at: ["betting"] }
      : { text: t("Starting at the dealer's right, each player bets {bet} on a column of their own.", { bet: rules.bet }), at: ["betting"] },
    { text: t("Each column and the dealer get a second card, face up. Then the first cards are turned over."), at: ["betting", "showdown"] },
    { text: t("A hand counts the last digit of its sum: 9 and 10 make 9, 4 and 6 make 0. Nine is best."), at: ["showdown"] },
    rules.karami_vs_karami === "compare_totals"
      ? { text: t("Karami: a hand with a 4 or a 1 beats every hand without one. Of two such hands the higher total wins."), at: ["showdown"], cards: ["4", "1"] }
      : { text: t("Karami: a hand with a 4 or a 1 beats every hand without one."), at: ["showdown"], cards: ["4", "1"] },
    { text: t("Shippin: the dealer's first card is a 4 and the second a 1. That beats all four hands."), at: ["showdown"] },
    rules.tie === "push"
      ? { text: t("If your hand wins, your bet comes back with as much from the dealer; if it loses, the dealer takes it; in a tie it comes back."), at: ["showdown"] }
      : { text: t("If your hand wins, your bet comes back with as much from the dealer; otherwise the dealer takes it."), at: ["showdown"] },
    rules.dealer_role === "on_total_loss" && { text: t("A dealer who loses to all four hands passes the deal to the right."), at: ["showdown"] },
  ];
}

/** @param {Told} told @returns {(Line | false)[]} */
function kakkuri({ rules, called }) {
  const full = rules.sequence === "full";
  const wilds = { one: called("clubs-1"), two: called("coins-2") };
  return [
    { text: t("Everyone gets six cards; the other six are the box. The first player without cards wins.") },
    { text: t("With eight players, the one who is dealt the {card} drops out, and those six cards are the box.", { card: called("clubs-3") }), at: ["drop_out_due"] },
    { text: t("Before looking, each other player may trade the whole hand for the dealer's, once."), at: ["swapping"] },
    { text: t("{one}, {two} and {three} in one hand, shown before play, end the round: three shares from each other player.", { one: called("swords-1"), two: called("cups-1"), three: called("coins-1") }), at: ["swapping"] },
    { text: t("The dealer turns a card from the box. From the dealer on, counter-clockwise, each player lays the next number, and then may go on."), at: ["swapping", "turn"] },
    full && (rules.after_king === "any"
      ? { text: t("On a 1 or a 2 the same number goes, too, and on a 12 any card. Three of a number may go down together."), at: ["turn"] }
      : { text: t("On a 1 or a 2 the same number goes, too, and on a 12 only a 1. Three of a number may go down together."), at: ["turn"] }),
    rules.sequence !== "off" && { text: t("The {one} and the {two} are wild: from the hand they go on anything, and anything goes on them.", wilds), at: ["turn", "lead_any"], cards: ["clubs-1", "coins-2"] },
    full && { text: t("Three pairs may be declared before the first card of that hand; from then on it is played in pairs."), at: ["swapping"] },
    rules.empty_turn_shares > 0 && { text: tn("A turn without a card costs {count} chip, into the pot.", "A turn without a card costs {count} chips, into the pot.", rules.empty_turn_shares * rules.chips_per_share), at: ["turn", "lead_any"] },
    { text: t("If all others have passed, the player who laid last turns a card from the box, and then plays."), at: ["box_due"] },
    rules.dropping_out === "one_share" && { text: t("Before your first card you may drop out on your turn, for one share into the pot."), at: ["turn"] },
    { text: tn("The winner gets the pot and a share of {count} chip from each other player still in; two shares for all six cards in one turn: guri. The winner deals next.", "The winner gets the pot and a share of {count} chips from each other player still in; two shares for all six cards in one turn: guri. The winner deals next.", rules.chips_per_share) },
  ];
}

/** @type {Record<string, (told: Told) => (Line | false)[]>} */
const TOLD = { shirinma, shippin, kakkuri };

/** @param {Told} told @returns {Line[]} nothing of a game that the page does not know */
export const linesOf = (told) => /** @type {Line[]} */ ((TOLD[told.game.name]?.(told) ?? []).filter(Boolean));

/** The house rules that matter in a phase, by game. @type {Record<string, Record<string, string[]>>} */
const MATTERS = {
  shirinma: { field_due: ["ante"], dealing: ["payments", "third_deal"], auction: ["min_bid", "min_increment"], showdown: ["odd_chip", "dealer_on_forfeit"] },
  shippin: { betting: ["bet", "must_bet"], showdown: ["karami_vs_karami", "tie", "dealer_role"] },
  kakkuri: { drop_out_due: [], swapping: ["chips_per_share"], turn: ["sequence", "after_king", "empty_turn_shares", "dropping_out"], lead_any: ["empty_turn_shares"], box_due: ["box_empty"] },
};

/** Their names; of a game that the page does not know, and between rounds, null: any of them. @param {string} game @param {string | undefined} phase */
export const matteringIn = (game, phase) => (phase ? (MATTERS[game]?.[phase] ?? null) : null);
