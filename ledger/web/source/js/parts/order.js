/**
 * People in seat order, four in a row as at the table. One is moved by dragging, or chosen and moved a seat by buttons.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { number, t } from "../core/words.js";
import { shortNames } from "../core/short_names.js";
import { Name } from "./name.js";

/** How long a finger rests before it drags, in milliseconds, and how far it may tremble; a mouse drags at once. */
const REST = 220;
const TREMBLE = 8;

/** @param {readonly any[]} list @param {number} from @param {number} to */
export function moved(list, from, to) {
  const others = list.filter((_, place) => place !== from);
  return [...others.slice(0, to), list[from], ...others.slice(to)];
}

/** @typedef {{id: string, name: string}} Sitter */

/**
 * @param {{people: Sitter[], change: (people: Sitter[]) => void, removable?: boolean, session?: import("../core/types.js").Session | null}} its
 *   `session` where they sit already, so that each is called as at the table
 */
export function Order({ people, change, removable = false, session = null }) {
  const [chosen, setChosen] = useState(/** @type {string | null} */ (null));
  const place = people.findIndex((each) => each.id === chosen);
  /** @param {number} from @param {number} to */
  const move = (from, to) => {
    if (to >= 0 && to < people.length && to !== from) change(moved(people, from, to));
  };
  const { list, dragged, down } = useDrag(people, move, setChosen);
  const remove = () => {
    change(people.filter((_, at) => at !== place));
    setChosen(null);
  };
  const named = session?.players ?? people;
  const names = named.map((each) => each.name);
  const ownOf = (/** @type {string} */ id) => named.findIndex((each) => each.id === id);
  const somebody = people[place] && shortNames(names)[ownOf(people[place].id)]?.[0];
  return html`<div class="order">
    <ol ref=${list} class="order-seats" aria-label=${t("Seats, in order")}>
      ${people.map((each, at) => html`<li key=${each.id} data-place=${at}>
        <button type="button" class=${`order-seat ${dragged === each.id ? "dragged" : ""}`} aria-pressed=${chosen === each.id} data-test=${`place-${at + 1}`}
          onPointerDown=${(/** @type {PointerEvent} */ event) => down(event, at)} onClick=${() => setChosen(chosen === each.id ? null : each.id)}
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => byKey(event, at, move)}>
          <span class="order-place">${number(at + 1)}</span><${Name} names=${names} own=${ownOf(each.id)} kind="order-name" />
        </button></li>`)}
    </ol>
    <p class="hidden" role="status">${somebody ? t("{name}, seat {seat} of {count}", { name: somebody, seat: place + 1, count: people.length }) : ""}</p>
    ${somebody
      ? html`<div class="row order-tools"><span class="grow order-who" dir="auto">${somebody}</span>
          <button type="button" class="quiet" data-test="earlier" disabled=${place === 0} onClick=${() => move(place, place - 1)}>${t("Earlier")}</button>
          <button type="button" class="quiet" data-test="later" disabled=${place === people.length - 1} onClick=${() => move(place, place + 1)}>${t("Later")}</button>
          ${removable && html`<button type="button" class="quiet" data-test="remove" onClick=${remove}>${t("Remove")}</button>`}
        </div>`
      : people.length > 1 && html`<p class="soft small">${t("Hold and drag a name to another seat, or tap it.")}</p>`}
  </div>`;
}

/** Arrows move whoever has the focus. @param {KeyboardEvent} event @param {number} at @param {(from: number, to: number) => void} move */
function byKey(event, at, move) {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (!step || !event.altKey) return;
  event.preventDefault();
  move(at, at + step);
}

/** @param {Sitter[]} people @param {(from: number, to: number) => void} move @param {(id: string | null) => void} choose */
function useDrag(people, move, choose) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const [dragged, setDragged] = useState(/** @type {string | null} */ (null));
  const now = useRef({ people, move, on: false });
  now.current = { people, move, on: now.current.on };
  useEffect(() => {
    /** @param {TouchEvent} event */
    const hold = (event) => now.current.on && event.preventDefault();
    const seats = list.current;
    seats?.addEventListener("touchmove", hold, { passive: false });
    return () => seats?.removeEventListener("touchmove", hold);
  }, []);

  /** @param {PointerEvent} event @param {number} at */
  const down = (event, at) => {
    const id = people[at]?.id;
    if (!id || event.button !== 0) return;
    const { clientX, clientY, pointerType } = event;
    const over = new AbortController();
    const begin = () => {
      now.current.on = true;
      setDragged(id);
      choose(null);
    };
    const timer = pointerType === "mouse" ? 0 : setTimeout(begin, REST);
    const end = () => {
      clearTimeout(timer);
      over.abort();
      if (now.current.on) addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true, signal: AbortSignal.timeout(50) });
      now.current.on = false;
      setDragged(null);
    };
    /** @param {PointerEvent} here */
    const going = (here) => {
      if (!now.current.on) {
        if (Math.hypot(here.clientX - clientX, here.clientY - clientY) < TREMBLE) return;
        if (pointerType !== "mouse") return end();
        begin();
      }
      const under = document.elementFromPoint(here.clientX, here.clientY)?.closest("[data-place]");
      if (!(under instanceof HTMLElement) || !list.current?.contains(under)) return;
      now.current.move(now.current.people.findIndex((each) => each.id === id), Number(under.dataset.place));
    };
    addEventListener("pointermove", going, { signal: over.signal });
    addEventListener("pointerup", end, { signal: over.signal });
    addEventListener("pointercancel", end, { signal: over.signal });
  };
  return { list, dragged, down };
}
