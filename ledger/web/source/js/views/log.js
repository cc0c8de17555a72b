/**
 * Everything that was recorded, newest first, a round a fold: what settles an argument. What is wrong is corrected here.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { address, go } from "../core/router.js";
import { nameOf, seated, told } from "../core/names.js";
import { number, t } from "../core/words.js";
import { byRounds, useLog } from "../log/pages.js";
import { CorrectSheet } from "../log/correct.js";
import { Fold, useRounds } from "../log/fold.js";
import { Lines } from "../log/lines.js";
import { concerns, finder } from "../log/say.js";
import { Leaf } from "../parts/leaf.js";

/** @typedef {import("../log/row.js").Wanted} Wanted */

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, about: string | null}} its `about` is the event that is looked up */
export default function Log({ sitting, game, deck, about }) {
  const at = { sitting, game, deck, session: sitting.session.value };
  const wantedSeq = about && /^\d+$/.test(about) ? Number(about) : null;
  const { pages, earlier } = useLog(sitting, wantedSeq);
  const rounds = useRounds(sitting);
  const [shown, setShown] = useState(/** @type {number | null} */ (wantedSeq));
  const [wanted, setWanted] = useState(/** @type {Wanted | null} */ (null));
  const [only, setOnly] = useState(/** @type {string | null} */ (null));
  const [folds, setFolds] = useState(/** @type {Record<string, boolean>} */ ({}));
  const events = pages?.events ?? [];
  useLookedUp(wantedSeq, events);
  const lookUp = (/** @type {number} */ seq) => {
    setShown(seq);
    setOnly(null);
    if (seq === wantedSeq) document.getElementById(`event-${seq}`)?.scrollIntoView({ block: "center" });
    else go(address(sitting.id, "log", seq));
  };
  const groups = byRounds(only ? events.filter((event) => concerns(event, events, only)) : events);
  const newest = groups.find((group) => group.round)?.round;
  const isOpen = (/** @type {import("../log/pages.js").Group} */ { round, events: of }) => folds[String(round)] ?? (only !== null || round === newest || of.some((event) => event.seq === wantedSeq));
  const lines = { at, find: finder(events), events, want: sitting.mayRecord.value ? setWanted : null, shown, show: setShown, lookUp };
  return html`<${Leaf} sitting=${sitting} title=${t("What happened")} hook="log-view">
    <${Only} session=${at.session} only=${only} choose=${setOnly} />
    <${Waiting} ...${at} />
    ${pages && groups.length === 0 && html`<p class="soft">${t("Nothing recorded yet")}</p>`}
    ${groups.map((group) => {
      const key = `${group.round}-${group.events.at(-1)?.seq}`;
      if (!group.round) return html`<${Lines} key=${key} ...${lines} of=${group.events} />`;
      return html`<${Fold} key=${key} ...${lines} number=${group.round} round=${rounds.get(group.round)} of=${group.events} open=${isOpen(group)} toggle=${() => setFolds({ ...folds, [String(group.round)]: !isOpen(group) })} />`;
    })}
    ${pages && pages.from > 0 && html`<${Earlier} key=${pages.from} left=${pages.from} more=${earlier} />`}
    ${wanted && html`<${CorrectSheet} key=${`${wanted.act}${wanted.event.seq}`} at=${at} wanted=${wanted} events=${events} close=${() => setWanted(null)} />`}
  <//>`;
}

/** Of everyone, or of one person only. @param {{session: import("../core/types.js").Session | null, only: string | null, choose: (player: string | null) => void}} its */
function Only({ session, only, choose }) {
  if (!session) return null;
  const people = [...seated(session), ...session.players.filter((each) => !each.active)];
  return html`<div class="only" role="group" aria-label=${t("Of whom")}>
    <button type="button" class="chip" data-test="only-everyone" aria-pressed=${only === null} onClick=${() => choose(null)}>${t("everyone")}</button>
    ${people.map((each) => html`<button type="button" key=${each.id} class="chip" data-test=${`only-${each.id}`} aria-pressed=${only === each.id} dir="auto" onClick=${() => choose(only === each.id ? null : each.id)}>${nameOf(session, each.id)}</button>`)}</div>`;
}

/** Bring an event that was looked up into sight, once it is there. @param {number | null} seq @param {import("../core/types.js").StoredEvent[]} events */
function useLookedUp(seq, events) {
  const seen = useRef(/** @type {number | null} */ (null));
  const here = seq !== null && events.some((event) => event.seq === seq);
  useEffect(() => {
    if (!here || seen.current === seq) return;
    seen.current = seq;
    document.getElementById(`event-${seq}`)?.scrollIntoView({ block: "center" });
  }, [here, seq]);
}

/** What this phone has reported and the service has not confirmed yet. @param {any} at */
function Waiting(at) {
  const waiting = at.sitting.waiting.value.flatMap((/** @type {any} */ report) => report.events);
  if (!waiting.length) return null;
  return html`<section class="log-round"><h2>${t("Not yet confirmed")}</h2><ol class="log">${[...waiting].reverse().map((/** @type {any} */ event, /** @type {number} */ index) => html`<li key=${index} class="log-row waits"><div class="log-line"><span class="log-words">${told(at, event.event ?? event)}</span></div></li>`)}</ol></section>`;
}

/** What was before: by its button, or by scrolling there. @param {{left: number, more: () => Promise<void>}} its */
function Earlier({ left, more }) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => {
    if (!button.current) return undefined;
    const seen = new IntersectionObserver((found) => found.some((each) => each.isIntersecting) && void more(), { rootMargin: "600px" });
    seen.observe(button.current);
    return () => seen.disconnect();
  }, []);
  return html`<button type="button" ref=${button} class="quiet wide" data-test="earlier" onClick=${() => void more()}>${t("Earlier ({left})", { left: number(left) })}</button>`;
}
