/**
 * Chips slide from who pays to the pot, or to whom they are paid, so that an eye sees where they went. What a winner takes
 * out of the pot lands in the result. Nothing slides where movement is not wanted.
 */
import { useEffect, useRef } from "../core/html.js";

const HOW_LONG = 320;
/** More would only be a flurry. */
const MOST = 24;

/** @param {{sitting: import("../core/sitting.js").Sitting}} its */
export function SlidingChips({ sitting }) {
  const seen = useRef(sitting.last.peek()?.event.seq ?? 0);
  const last = sitting.last.value;
  useEffect(() => {
    const seq = last?.event.seq ?? 0;
    const lands = sitting.ended.peek()?.outcome?.winner;
    if (seq > seen.current && !matchMedia("(prefers-reduced-motion: reduce)").matches)
      for (const entry of last?.entries.filter((each) => !lands || each.from !== "pot").slice(0, MOST) ?? []) slide(entry.from, entry.to);
    seen.current = Math.max(seen.current, seq);
  }, [last?.event.seq]);
  return null;
}

/** @param {string} account */
const placeOf = (account) => document.querySelector(`[data-test="${account === "pot" ? "pot" : `balance-${CSS.escape(account)}`}"]`)?.getBoundingClientRect();

/** @param {string} from @param {string} to */
function slide(from, to) {
  const start = placeOf(from);
  const end = placeOf(to);
  if (!start || !end) return;
  const chip = document.createElement("span");
  chip.className = "sliding-chip";
  chip.setAttribute("aria-hidden", "true");
  document.body.append(chip);
  const at = (/** @type {DOMRect} */ place) => ({ transform: `translate(${place.x + place.width / 2}px, ${place.y + place.height / 2}px)` });
  chip.animate([at(start), at(end)], { duration: HOW_LONG, easing: "ease-in-out" }).finished.finally(() => chip.remove());
}
