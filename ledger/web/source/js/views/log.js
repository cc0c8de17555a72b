/**
 * Everything that was recorded, newest first, by rounds: what settles an argument. What is wrong is corrected here.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { address, go } from "../core/router.js";
import { told } from "../core/names.js";
import { number, t } from "../core/words.js";
import { byRounds, useLog } from "../log/pages.js";
import { CorrectSheet } from "../log/correct.js";
import { Row } from "../log/row.js";
import { finder } from "../log/say.js";
import { Leaf } from "../parts/leaf.js";

/** @typedef {import("../log/row.js").Wanted} Wanted */

/** @param {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, about: string | null}} its `about` is the event that is looked up */
export default function Log({ sitting, game, deck, about }) {
  const at = { sitting, game, deck, session: sitting.session.value };
  const wantedSeq = about && /^\d+$/.test(about) ? Number(about) : null;
  const { pages, earlier } = useLog(sitting, wantedSeq);
  const [shown, setShown] = useState(/** @type {number | null} */ (wantedSeq));
  const [wanted, setWanted] = useState(/** @type {Wanted | null} */ (null));
  useLookedUp(wantedSeq, pages);
  const find = finder(pages?.events ?? []);
  const want = sitting.mayRecord.value ? setWanted : null;
  const lookUp = (/** @type {number} */ seq) => {
    setShown(seq);
    if (seq === wantedSeq) document.getElementById(`event-${seq}`)?.scrollIntoView({ block: "center" });
    else go(address(sitting.id, "log", seq));
  };
  const groups = byRounds(pages?.events ?? []);
  return html`<${Leaf} sitting=${sitting} title=${t("Everything recorded")} hook="log-view">
    <${Waiting} ...${at} />
    ${pages && pages.events.length === 0 && html`<p class="soft">${t("Nothing recorded yet")}</p>`}
    ${groups.map((group) => html`<section key=${`${group.round}-${group.events.at(-1)?.seq}`} class="log-round">
      <h2>${group.round ? html`<a href=${address(sitting.id, "round", group.round)}>${t("Round {number}", { number: group.round })}</a>` : t("Between rounds")}</h2>
      <ol class="log">${group.events.map((event) => html`<${Row} key=${event.seq} at=${at} event=${event} find=${find} want=${want} shown=${shown === event.seq}
        show=${() => setShown(shown === event.seq ? null : event.seq)} lookUp=${lookUp} />`)}</ol>
    </section>`)}
    ${pages && pages.from > 0 && html`<${Earlier} key=${pages.from} left=${pages.from} more=${earlier} />`}
    ${wanted && html`<${CorrectSheet} key=${`${wanted.act}${wanted.event.seq}`} at=${at} wanted=${wanted} events=${pages?.events ?? []} close=${() => setWanted(null)} />`}
  <//>`;
}

/** Bring an event that was looked up into sight, once it is there. @param {number | null} seq @param {import("../log/pages.js").Pages | null} pages */
function useLookedUp(seq, pages) {
  const seen = useRef(/** @type {number | null} */ (null));
  const here = seq !== null && pages !== null && pages.events.some((event) => event.seq === seq);
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
