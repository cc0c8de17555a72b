/**
 * A name in a box of its own: as much of it as has room, measured, and never the same as another's.
 */
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { shortNames } from "../core/short_names.js";

/** @typedef {[text: string, look: "" | "smaller" | "smallest" | "fades"]} Step */

/** What may stand in a box, from the largest to the smallest. @type {WeakMap<Element, Step[]>} */
const choices = new WeakMap();

const LOOKS = ["smaller", "smallest", "fades"];
/** So many letters at least can be read of a name that fades. */
const READ = 3;

/**
 * The whole name, then without a surname that others share, then that in smaller letters; then it fades, or where another's
 * begins alike loses its middle.
 * @param {string[]} names @param {number} own @returns {Step[]}
 */
function stepsOf(names, own) {
  const ladders = shortNames(names);
  const written = (/** @type {number} */ at) => (ladders[at] ?? []).filter((each) => !each.includes("…"));
  const bare = written(own).at(-1) ?? "";
  const isAlone = names.every((_, at) => at === own || !written(at).at(-1)?.startsWith(bare.slice(0, READ)));
  const cut = isAlone ? [] : (ladders[own] ?? []).filter((each) => each.includes("…"));
  return [[written(own)[0] ?? bare, ""], [bare, ""], [bare, "smaller"], [bare, "smallest"], ...cut.map((each) => /** @type {Step} */ ([each, "smallest"])), [cut.at(-1) ?? bare, "fades"]];
}

/** The first that has room, for all boxes that changed at once: each step is measured together. @param {Element[]} boxes */
function fit(boxes) {
  for (let [step, open] = [0, boxes]; open.length; step += 1) {
    for (const box of open) {
      const [text, look] = choices.get(box)?.[step] ?? ["", ""];
      box.textContent = text;
      for (const each of LOOKS) box.classList.toggle(each, each === look || (each === "smallest" && look === "fades"));
    }
    open = open.filter((box) => box.scrollWidth > box.clientWidth && step + 1 < (choices.get(box)?.length ?? 0));
  }
}

const sized = new ResizeObserver((entries) => fit(entries.map((each) => each.target)));

/** @param {{names: string[], own: number, kind?: string}} its everyone's names, and whose this is */
export function Name({ names, own, kind = "" }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const shown = box.current;
    if (!shown) return undefined;
    choices.set(shown, stepsOf(names, own));
    shown.textContent = choices.get(shown)?.[0]?.[0] ?? "";
    sized.observe(shown);
    return () => sized.unobserve(shown);
  }, [names.join("\n"), own]);
  return html`<span ref=${box} class=${`name ${kind}`} dir="auto"></span>`;
}

/** A player's name among those of a session. @param {{session: import("../core/types.js").Session, player: string, kind?: string}} its */
export function PlayerName({ session, player, kind }) {
  return html`<${Name} names=${session.players.map((each) => each.name)} own=${session.players.findIndex((each) => each.id === player)} kind=${kind} />`;
}
