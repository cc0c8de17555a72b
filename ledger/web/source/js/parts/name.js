/**
 * A name in a box of its own: as much of it as has room, measured, and never the same as another's.
 */
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { shortNames } from "../core/short_names.js";

/** What may stand in a box, from the whole name to the shortest. @type {WeakMap<Element, string[]>} */
const choices = new WeakMap();

/** The first that has room, for all boxes that changed at once: each step is measured together. @param {Element[]} boxes */
function fit(boxes) {
  for (let [step, open] = [0, boxes]; open.length; step += 1) {
    for (const box of open) box.textContent = choices.get(box)?.[step] ?? "";
    open = open.filter((box) => box.scrollWidth > box.clientWidth && step + 1 < (choices.get(box)?.length ?? 0));
  }
}

const sized = new ResizeObserver((entries) => fit(entries.map((each) => each.target)));

/** @param {{names: string[], own: number, kind?: string}} its everyone's names, and whose this is */
export function Name({ names, own, kind = "" }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const mine = shortNames(names)[own] ?? [];
  useLayoutEffect(() => {
    const shown = box.current;
    if (!shown) return undefined;
    choices.set(shown, mine);
    shown.textContent = mine[0] ?? "";
    sized.observe(shown);
    return () => sized.unobserve(shown);
  }, [mine.join("\n")]);
  return html`<span ref=${box} class=${`name ${kind}`} dir="auto"></span>`;
}

/** A player's name among those of a session. @param {{session: import("../core/types.js").Session, player: string, kind?: string}} its */
export function PlayerName({ session, player, kind }) {
  return html`<${Name} names=${session.players.map((each) => each.name)} own=${session.players.findIndex((each) => each.id === player)} kind=${kind} />`;
}
