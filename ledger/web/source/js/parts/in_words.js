/**
 * A round so far, in words: what counts of it, the newest first.
 */
import { html } from "../core/html.js";
import { told } from "../core/names.js";
import { address } from "../core/router.js";
import { t, tn } from "../core/words.js";
import { useLog } from "../log/pages.js";
import { inEffect, isCorrection } from "../log/say.js";

/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: any, deck: any, session: import("../core/types.js").Session}} At */

const SHOWN = 8;

/** @param {At} at */
export function InWords(at) {
  const { sitting, session } = at;
  const { pages } = useLog(sitting);
  const lines = sentences(at, pages?.events ?? []);
  return html`<section class="in-words"><h2>${session.rounds ? t("The round in words") : t("The evening so far")}</h2>
    <ol aria-busy=${pages ? undefined : "true"} data-test="in-words">${lines.slice(0, SHOWN).map(({ seq, said }) => html`<li key=${seq} dir="auto">${said}</li>`)}</ol>
    <p><a class="quiet wide button" data-test="log" href=${address(sitting.id, "log")}>${t("What happened")}</a></p></section>`;
}

/** What counts of the last round; plain cards in a row are counted. @param {At} at @param {StoredEvent[]} events */
function sentences(at, events) {
  const ofRound = events.filter((each) => each.status !== "taken_back" && !isCorrection(each) && (each.round ?? 0) === at.session.rounds);
  /** @type {{seq: number, said: string, plain: number}[]} */
  const lines = [];
  for (const each of ofRound) {
    const event = inEffect(each, events);
    const last = lines.at(-1);
    const isPlain = event.type === "card_dealt" && event.card === "plain";
    const plain = isPlain ? (last?.plain ?? 0) + 1 : 0;
    if (plain > 1) lines.pop();
    lines.push({ seq: each.seq, said: plain ? tn("{count} plain card", "{count} plain cards", plain) : told(at, event), plain });
  }
  return lines.reverse();
}
