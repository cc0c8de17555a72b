/**
 * What a round came to for everybody.
 */
import { all } from "../core/api.js";
import { html, useEffect, useState } from "../core/html.js";
import { t } from "../core/words.js";
import { isCorrection } from "../log/say.js";

/** @typedef {import("../core/types.js").Entry} Entry */
/** @typedef {import("../core/types.js").Round} Round */

/** The chips that a round moved. @param {import("../core/sitting.js").Sitting} sitting @param {number} number @returns {Promise<any[]>} step by step */
export const stepsOf = (sitting, number) => all(`${sitting.path}/rounds/${number}/replay?limit=500`, "steps", { token: sitting.token() });

/** What everyone who played gained or lost. @param {Entry[]} moved @param {string[]} players */
export function netOf(moved, players) {
  const net = new Map(players.map((each) => [each, 0]));
  for (const { from, to, amount } of moved) {
    net.set(from, (net.get(from) ?? 0) - amount);
    net.set(to, (net.get(to) ?? 0) + amount);
  }
  return net;
}

/**
 * The chips that the last round moved: undefined until they are known, null where nobody can tell.
 * @param {import("../core/sitting.js").Sitting} sitting @param {Round | null} round
 */
function useMoved(sitting, round) {
  const [told, tell] = useState({ number: 0, moved: /** @type {Entry[] | null} */ (null) });
  const number = round?.number ?? 0;
  useEffect(() => {
    let isLate = false;
    if (number) stepsOf(sitting, number).then(
      (steps) => !isLate && tell({ number, moved: steps.flatMap((step) => step.moved) }),
      () => tell((known) => (known.number === number ? known : { number, moved: null })),
    );
    return () => void (isLate = true);
  }, [number, sitting.seq.value, sitting.online.value]);
  return told.number === number ? told.moved : undefined;
}

/** Whether the last event is one of that round, and no correction. @param {import("../core/sitting.js").Sitting} sitting @param {Round | null | undefined} ended */
export function isLastOf(sitting, ended) {
  const event = sitting.last.value?.event;
  return Boolean(ended && event && event.round === ended.number && !isCorrection(event));
}

/**
 * What the seats show between rounds: the round that is over, or the evening so far, which is what anything else recorded changes.
 * @param {import("../core/sitting.js").Sitting} sitting @param {Round | null} ended
 * @returns {{moved: Entry[] | null | undefined, net: Map<string, number> | null, tabs: any}} a net without players until it is known
 */
export function useRoundNet(sitting, ended) {
  const moved = useMoved(sitting, ended);
  const [isEvening, setEvening] = useState(false);
  const last = sitting.last.value?.event.seq;
  useEffect(() => setEvening(Boolean(last) && !isLastOf(sitting, ended)), [ended?.number, last]);
  const ofRound = !isEvening && moved !== null;
  const tabs = ended && html`<div class="tabs" role="group" aria-label=${t("What the seats show")}>
    <button type="button" class="tab" data-test="this-round" aria-pressed=${ofRound} disabled=${moved === null} onClick=${() => setEvening(false)}>${t("this round")}</button>
    <button type="button" class="tab" data-test="the-evening" aria-pressed=${!ofRound} onClick=${() => setEvening(true)}>${t("the evening")}</button></div>`;
  return { moved, tabs, net: ended && ofRound ? netOf(moved ?? [], moved ? ended.players : []) : null };
}
