/**
 * Where a round of Kakkuri stands: the pile, the box, how many cards everyone holds; with it what this phone has reported and
 * the service has not confirmed.
 */
/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("../core/types.js").Event} Event */
/** @typedef {import("../core/types.js").Expected} Expected */
/** @typedef {{player: string, count: number, cards?: string[] | null, box_card?: string | null, top?: string | null}} TurnTaken */
/**
 * @typedef {{dealer: string, hands: {player: string, left: number}[], box: number, pile: number, starter: string | null,
 *   three_pairs: string[], box_card: string | null, turns: TurnTaken[]}} Lies
 * @typedef {{lies: Lies, next: Expected[], sure: boolean}} Standing `sure` unless something waits
 */

/** Where a round stands, what waits included, as far as this phone can tell. @param {Pick<Play, "round" | "sitting">} play @returns {Standing} */
export function standing({ round, sitting }) {
  const waiting = sitting.waiting.value.flatMap((each) => each.events);
  const seats = round.players;
  return waiting.reduce((before, event) => after(before, event, seats), /** @type {Standing} */ ({ lies: round.table, next: round.next, sure: waiting.length === 0 }));
}

/** @param {Standing} before @param {Event} event @param {string[]} seats @returns {Standing} */
function after(before, event, seats) {
  const { lies, next } = before;
  const player = event.player ?? "";
  switch (event.type) {
    case "player_dropped_out": {
      return droppedOut(before, player, seats);
    }
    case "hand_exchanged":
      return { ...before, next: withoutIn(next, event.type, player) };
    case "three_pairs_declared":
      return { ...before, lies: { ...lies, three_pairs: [...lies.three_pairs, player] }, next: withoutIn(next, event.type, player) };
    case "three_ones_shown":
      return { ...before, next: [] };
    case "starter_revealed":
      return { ...before, lies: { ...lies, starter: event.card, pile: 1 }, next: [turnOf(lies, lies.dealer)] };
    case "box_card_revealed":
      return { ...before, lies: { ...lies, box_card: event.card, pile: lies.pile + 1 }, next: [turnOf(lies, atTurn(lies, seats))] };
    case "turn_played":
      return played(before, event, seats);
    default:
      return before;
  }
}

/** Once a player. @param {Expected[]} next @param {string} type @param {string} player */
const withoutIn = (next, type, player) => next.map((each) => (each.type === type ? { ...each, players: each.players?.filter((other) => other !== player) } : each));

/**
 * Of eight one drops out before anything else; later players do on their turn, and a dealer who has the pile leaves it to the next.
 * @param {Standing} before @param {string} player @param {string[]} seats @returns {Standing}
 */
function droppedOut(before, player, seats) {
  const { next } = before;
  const hands = before.lies.hands.filter((each) => each.player !== player);
  if (!before.lies.starter) return { ...before, lies: { ...before.lies, hands }, next: [{ type: "starter_revealed" }] };
  const untouched = before.lies.turns.every((each) => each.count === 0);
  const lies = { ...before.lies, hands };
  if (untouched && player === lies.dealer) lies.dealer = rightOf(player, lies, seats);
  if (hands.length === 1) return { ...before, lies, next: [] };
  const due = next.find((each) => each.type === "box_card_revealed");
  return { ...before, lies, next: due ? [due] : [turnOf(lies, atTurn(lies, seats))] };
}

/** The next who is still in. @param {string} player @param {Lies} lies @param {string[]} seats */
function rightOf(player, lies, seats) {
  const place = seats.indexOf(player);
  const others = [...seats.slice(place + 1), ...seats.slice(0, place)];
  return others.find((each) => lies.hands.some((hand) => hand.player === each)) ?? lies.dealer;
}

/** @param {Lies} lies @param {string} player @returns {Expected} */
const turnOf = (lies, player) => ({ type: "turn_played", player, at_most: lies.hands.find((each) => each.player === player)?.left });

/** @param {Standing} before @param {Event} event @param {string[]} seats @returns {Standing} */
function played(before, event, seats) {
  const count = event.cards?.length ?? event.count ?? 0;
  const hands = before.lies.hands.map((each) => (each.player === event.player ? { ...each, left: each.left - count } : each));
  const taken = { player: event.player ?? "", count, cards: event.cards ?? null, top: event.top ?? null, box_card: before.lies.box_card };
  const lies = { ...before.lies, hands, pile: before.lies.pile + count, box_card: null, turns: [...before.lies.turns, taken] };
  const over = hands.some((each) => each.left <= 0);
  return { ...before, lies, next: over ? [] : [turnOf(lies, atTurn(lies, seats))] };
}

/** Whose turn it is: whoever of those still in sits to the right of the last one. @param {Lies} lies @param {string[]} seats */
export function atTurn(lies, seats) {
  const last = lies.turns.at(-1)?.player;
  return last ? rightOf(last, lies, seats) : lies.dealer;
}

/** The cards of the pile from below, null where nobody saw one. @param {Lies} lies @returns {(string | null)[]} */
export function pileOf(lies) {
  const all = [lies.starter, ...lies.turns.flatMap(laid), ...(lies.box_card ? [lies.box_card] : [])];
  return lies.starter ? all.slice(-lies.pile) : [];
}

/** @param {TurnTaken} taken @returns {(string | null)[]} */
function laid({ count, cards, box_card: box, top }) {
  const down = cards ?? [...Array(Math.max(count - 1, 0)).fill(null), ...(count ? [top ?? null] : [])];
  return box ? [box, ...down] : down;
}

/** How many cards somebody still holds; nothing of those who are out. @param {Standing} now @param {string | null} player */
export const handOf = ({ lies }, player) => lies.hands.find((each) => each.player === player)?.left;
