/**
 * What will most likely be reported next while the service has not answered yet, so that nobody has to wait for it: the
 * same again for whoever sits next. It is a guess; where the table stands is what the service says a moment later.
 */

/** @typedef {import("./types.js").Expected} Expected */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {{next: Expected[], gone: Map<string, number>, guessed: boolean}} Guess
 *   `gone` are cards that were named in what waits, and how often */

/** @param {Round | null | undefined} round @param {{events: Event[]}[]} waiting @returns {Guess} */
export function guess(round, waiting) {
  const events = waiting.flatMap((report) => report.events);
  /** @type {Map<string, number>} */
  const gone = new Map();
  for (const event of events) for (const word of words(event)) gone.set(word, (gone.get(word) ?? 0) + 1);
  const next = events.reduce((before, event) => after(before, event, round?.players ?? []), round?.next ?? []);
  return { next, gone, guessed: events.length > 0 };
}

/** @param {Expected[]} next @param {Event} event @param {string[]} seats @returns {Expected[]} */
function after(next, event, seats) {
  return next.map((expected) => {
    if (expected.type !== event.type) return expected;
    const { player } = event;
    if (expected.player !== undefined && player) return { ...expected, player: toTheRight(seats, player) };
    if (expected.players) return { ...expected, players: expected.players.filter((each) => each !== player) };
    if (expected.amount_at_least !== undefined)
      return { ...expected, amount_at_least: event.amount + 1, not_players: [...(expected.not_players ?? []), player] };
    return expected;
  });
}

/** @param {string[]} seats @param {string} player */
export const toTheRight = (seats, player) => seats[(seats.indexOf(player) + 1) % seats.length] ?? player;

/** Every text in a report, among them the codes of its cards. @param {unknown} said @returns {string[]} */
function words(said) {
  if (typeof said === "string") return [said];
  if (Array.isArray(said)) return said.flatMap(words);
  return said && typeof said === "object" ? Object.values(said).flatMap(words) : [];
}
