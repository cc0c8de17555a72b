/**
 * Keys at the table: arrows go from seat to seat and card to card, and the focus stays at the table when what had it is drawn no
 * more; on a desk `p` is the plain card, `u` the undo,
 * and digits are the amount of a bid.
 */
import { useEffect } from "../core/html.js";

const DESK = matchMedia("(min-width: 1200px)");
const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
const LETTERS = /** @type {Record<string, string>} */ ({ p: "card-plain", u: "undo" });
const DUE = ".room .pad .main:enabled, .room .pad button:enabled, .room .due button";
const REACHED = ".seats button, .pad button:enabled, .bid-row button:enabled, .asks button";

export function useTableKeys() {
  useEffect(() => {
    const heard = new AbortController();
    addEventListener("keydown", pressed, { signal: heard.signal });
    keepFocus(heard.signal);
    return () => heard.abort();
  }, []);
}

/** What was tapped by a key often makes way for something else: its place has the focus then, or the pad. @param {AbortSignal} over */
function keepFocus(over) {
  /** @type {HTMLElement | null} */
  let held = null;
  addEventListener("focusin", ({ target }) => void (held = /** @type {Element} */ (target).closest(".room button")), { signal: over });
  const drawn = new MutationObserver(() => {
    if (!held || held.isConnected || document.activeElement !== document.body) return;
    const same = held.dataset.once && document.querySelector(`.room [data-once="${CSS.escape(held.dataset.once)}"]`);
    const next = same || document.querySelector(DUE) || document.querySelector(".room h1");
    if (next instanceof HTMLHeadingElement) next.tabIndex = -1;
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
  });
  drawn.observe(document.body, { childList: true, subtree: true });
  over.addEventListener("abort", () => drawn.disconnect());
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const target = /** @type {Element} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || target.closest?.("input, textarea, select") || document.querySelector("dialog:modal")) return;
  const way = ARROWS[event.key];
  if (way ? goes(target, way) : DESK.matches && acts(event)) event.preventDefault();
}

/** What a key does on a desk. @param {KeyboardEvent} event */
function acts({ key, repeat }) {
  const amount = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-test=bid-amount]"));
  if (/^\d$/.test(key) && amount) {
    amount.focus();
    amount.select();
    return false; // the digit is typed into it
  }
  const button = LETTERS[key] && !repeat && /** @type {HTMLElement | null} */ (document.querySelector(`[data-test="${LETTERS[key]}"]`));
  if (button) button.click();
  return Boolean(button);
}

/** The nearest button that way has the focus then; what lies straight ahead is nearer than what lies aside. @param {Element} from @param {[number, number]} way */
function goes(from, [right, down]) {
  const begin = from === document.body ? document.querySelector(DUE) : from;
  if (!begin?.closest(".room")) return false;
  const middle = (/** @type {Element} */ of) => {
    const { x, y, width, height } = of.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x = 0, y = 0] = middle(begin);
  const far = (/** @type {Element} */ other) => {
    const [toX = 0, toY = 0] = middle(other);
    const ahead = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    return ahead > 1 ? ahead + 3 * aside : Infinity;
  };
  const others = [...document.querySelectorAll(REACHED)].filter((each) => each !== begin && each.checkVisibility());
  const nearest = others.reduce((/** @type {Element | null} */ best, each) => (far(each) < (best ? far(best) : Infinity) ? each : best), null);
  /** @type {HTMLElement | null} */ (nearest)?.focus();
  return nearest !== null;
}
