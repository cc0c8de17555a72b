/**
 * Everyone at the table, in seat order: name, chips, and a third line for cards or a word, so that nothing moves.
 */
import { html } from "../core/html.js";
import { nameOf, seated } from "../core/names.js";
import { signed, t } from "../core/words.js";
import { Figures } from "./figures.js";
import { PlayerName } from "./name.js";

/** @typedef {import("../core/types.js").Session} Session */
/**
 * @typedef {{hook?: string, tap?: () => void, state?: "due" | "sold" | "may" | "bids" | "drafted" | "ahead" | "out" | "won" | "", word?: any, tokens?: any, pressed?: boolean, once?: string}} SeatLook
 *   how somebody's seat looks now and what a tap on it does; `word` or `tokens` is its third line
 */

/** A longer amount is written smaller. */
const DIGITS = 5;

/** How many seats lie beside one another on a phone. @param {number} people */
const columnsFor = (people) => (people <= 5 ? people : people <= 12 ? 4 : people <= 15 ? 5 : 6);

/** The fewer, the larger. @param {number} people */
const sizeFor = (people) => (people <= 4 ? "few" : people <= 12 ? "some" : people <= 15 ? "many" : "most");

/** Where each sits around a table, counter-clockwise from the upper right corner: columns and rows of a frame, and a place in it. @param {number} people */
export function ring(people) {
  const half = Math.max(4, Math.ceil(people / 2) + 2);
  const [wide, high] = [Math.max(3, Math.ceil(half / 2)), Math.max(3, Math.floor(half / 2))];
  const frame = [
    ...Array.from({ length: wide }, (_, at) => [wide - at, 1]),
    ...Array.from({ length: high - 2 }, (_, at) => [1, at + 2]),
    ...Array.from({ length: wide }, (_, at) => [at + 1, high]),
    ...Array.from({ length: high - 2 }, (_, at) => [wide, high - 1 - at]),
  ];
  return { wide, high, places: Array.from({ length: people }, (_, at) => frame[Math.floor((at * frame.length) / people)] ?? [1, 1]) };
}

/**
 * @param {{session: Session, look: (player: string) => SeatLook, ask: (player: string) => void, net?: Map<string, number> | null}} its
 *   `ask` says why somebody stands as they do; `net` is what a round came to for those who played, shown instead of what was won
 */
export function Seats({ session, look, ask, net = null }) {
  const people = seated(session);
  const dealer = session.round?.dealer ?? session.dealer;
  const around = ring(people.length);
  return html`<ol class=${`seats ${sizeFor(people.length)}`} style=${{ "--columns": columnsFor(people.length) }} aria-label=${t("The table")}>
    ${people.map((each, at) => {
      const { hook = `seat-${each.id}`, tap, state = "", word, tokens, pressed, once } = look(each.id);
      const [column, row] = around.places[at] ?? [1, 1];
      const shown = net?.get(each.id);
      const isLong = signed(shown ?? each.won).length > DIGITS;
      return html`<li key=${each.id} class=${`seat ${state} ${dealer === each.id ? "deals" : ""}`} style=${{ "--column": column, "--row": row }}>
        <button type="button" class="seat-button" data-test=${hook} data-once=${once} aria-current=${state === "due" ? "true" : undefined} aria-pressed=${pressed} onClick=${tap ?? (() => ask(each.id))}>
          <${PlayerName} session=${session} player=${each.id} kind="seat-name" />
          <span class=${`seat-balance ${isLong ? "long" : ""} ${(net ? (shown ?? 0) : each.won) > 0 ? "gain" : ""}`}>${net ? html`${shown !== undefined && html`<span data-test=${`net-${each.id}`}>${signed(shown)}</span>`}<span class="hidden"> ${t("Won")} <${Figures} of=${each} /></span>` : html`<${Figures} of=${each} />`}</span>
          <span class="seat-third">${word ? html`<span class="seat-word">${word}</span>` : tokens && html`<span class="tokens">${tokens}</span>`}</span>
          ${dealer === each.id && html`<span class="dealer-corner" data-test="dealer" data-player=${each.id} title=${t("Dealer")}><span class="hidden">${t("Dealer")} ${nameOf(session, each.id)}</span></span>`}
        </button>
      </li>`;
    })}
  </ol>`;
}
