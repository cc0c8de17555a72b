/**
 * Correcting an event: what it should have been, or that it was not at all, or what was forgotten after it. Before
 * anything counts it is shown what that changes; where one correction alone is refused, those that it needs are added. An
 * evening that is closed is reopened for it and closed again, all in one report.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Tile } from "../cards/tile.js";
import { Refused } from "../core/api.js";
import { keptForm } from "../core/drafts.js";
import { kindOf } from "../core/names.js";
import { address } from "../core/router.js";
import { say, t, time, tn } from "../core/words.js";
import { Changes } from "../parts/changes.js";
import { leadsToMarked } from "../parts/number_input.js";
import { Sheet } from "../parts/sheet.js";
import { DraftNote } from "../parts/task.js";
import { changedPlaces, correctionOf, draftOf, inTheWay, isComplete, swapped } from "./drafts.js";
import { DraftForm } from "./form.js";
import { finder, sayEvent } from "./say.js";

/** @typedef {import("./drafts.js").Draft} Draft */
/** @typedef {import("../core/types.js").Problem} Problem */
/** @typedef {import("../core/types.js").StoredEvent} StoredEvent */
/** @typedef {{changes?: any, problem?: Problem, cutOff?: boolean, reopens?: boolean}} Answer `reopens` if the evening is closed */

/** @param {{at: any, wanted: import("./row.js").Wanted, events: StoredEvent[], close: () => void, looksUp?: boolean}} its `looksUp` where the log is elsewhere */
export function CorrectSheet({ at, wanted, events, close, looksUp = false }) {
  const { sitting, game } = at;
  const { event, part } = wanted;
  const begun = draftOf(wanted.act === "correct" ? "amend" : "take-back", event, events, part);
  const kept = keptForm(sitting.id, `${wanted.act}/${event.seq}.${part ?? 0}`, { drafts: [begun], note: "", pot: "" }, JSON.stringify(begun.was)); // of what counts now, or none
  const { drafts, note, pot } = kept.form;
  const [hadNote] = useState(note !== "");
  const [field, setField] = useState("player");
  const setDrafts = (/** @type {Draft[]} */ next) => kept.change({ drafts: next });
  const setPot = (/** @type {string} */ choice) => kept.change({ pot: choice });
  const exchange = changedPlaces(drafts, events);
  const answer = usePreview(sitting, game, exchange ?? drafts, pot);
  const first = /** @type {Draft} */ (drafts[0]);
  const put = (/** @type {number} */ index, /** @type {Draft | null} */ draft) => setDrafts(drafts.flatMap((each, place) => (place !== index ? [each] : draft ? [draft] : [])));
  const add = (/** @type {Draft[]} */ ...more) => setDrafts([...drafts, ...more]);
  const confirm = () => {
    if (leadsToMarked(document.querySelector("[data-test=correction]"))) return;
    const correction = correctionOf(exchange ?? drafts, note);
    sitting.report(...(answer?.reopens ? reopened(correction, pot) : [correction]));
    kept.discard();
    close();
  };
  const find = finder(events);
  const isDealt = first.was.player !== undefined && first.was.card !== undefined;
  const acts = { act: first.act, set: (/** @type {import("./drafts.js").Act} */ act) => put(0, draftOf(act, event, events, part)) };
  return html`<${Sheet} title=${titleOf(event, wanted.act)} close=${close} hook="correction">
    <div class="sheet-body">
    <${Recorded} at=${at} event=${event} was=${first.was} said=${sayEvent(at, part ? { ...first.was } : event, find)} looksUp=${looksUp} />
    ${wanted.act === "correct" && html`<${Wrong} ...${acts} parts=${isDealt ? { player: t("the person"), card: t("the card") } : null} field=${field} choose=${setField} />`}
    ${drafts.map((draft, index) => html`<${Drafted} only=${isDealt && draft.act === "amend" && index === 0 ? field : undefined} key=${`${draft.about.seq}-${draft.part ?? 0}-${draft.act}`} ...${{ at, draft, index, find }} set=${(/** @type {any} */ said) => put(index, { ...draft, event: said })} drop=${index ? () => put(index, null) : null} />`)}
    ${exchange && html`<p class="soft">${t("The two cards change places, and each takes its bids along.")}</p>`}
    <${DraftNote} draft=${kept} />
    <details class="correct-note" open=${hadNote}><summary>${t("Add a note")}</summary><label><span class="hidden">${t("Note")}</span><input data-test="note" maxlength="500" value=${note} onInput=${(/** @type {any} */ typed) => kept.change({ note: typed.target.value })} /></label></details>
    </div>
    <footer class="sheet-foot"><${Preview} ...${{ at, answer, drafts, events, add, pot, setPot }} overrule=${(/** @type {string} */ reason) => put(0, { ...first, event: { ...first.event, type: first.event?.type ?? "", overrule: reason } })} />
      <button type="button" class="main wide" data-test="confirm" disabled=${!answer?.changes} onClick=${confirm}>${drafts.length > 1 ? t("Correct these together") : first.act === "take-back" ? t("Take it back") : t("Correct it this way")}</button></footer>
  <//>`;
}

/** @param {StoredEvent} event @param {"correct" | "take-back"} act */
function titleOf(event, act) {
  if (act === "take-back") return event.type === "event_taken_back" ? t("Put back") : t("Take back");
  return event.round ? t("Correct round {number}", { number: event.round }) : t("Correct");
}

/** What was recorded, with its card, when and by whom. @param {{at: any, event: StoredEvent, was: import("../core/types.js").Event, said: string, looksUp: boolean}} its */
function Recorded({ at, event, was, said, looksUp }) {
  const known = at.deck.cards.some((/** @type {{code: string}} */ each) => each.code === was.card);
  return html`<div class="recorded">${known && html`<${Tile} deck=${at.deck} code=${was.card} size="pad" quiet />`}
    <p><small class="soft">${[time(event.recorded_at), event.recorded_by_label].filter(Boolean).join(" · ")}</small><span dir="auto">${said}</span>
      ${looksUp && html`<a class="link" data-test="in-log" href=${address(at.sitting.id, "log", event.seq)}>${t("Show it in the log")}</a>`}</p></div>`;
}

/**
 * What was wrong: of a card that was dealt, the person or the card.
 * @param {{act: string, set: (act: import("./drafts.js").Act) => void, parts: Record<string, string> | null, field: string, choose: (field: string) => void}} its
 */
function Wrong({ act, set, parts, field, choose }) {
  const mends = (/** @type {string} */ name) => {
    choose(name);
    if (act !== "amend") set("amend");
  };
  const chip = (/** @type {string} */ hook, /** @type {boolean} */ on, /** @type {() => void} */ tap, /** @type {string} */ said) => html`<button type="button" key=${hook} class="chip" data-test=${hook} aria-pressed=${on} onClick=${tap}>${said}</button>`;
  return html`<div class="only wraps" role="group" aria-label=${t("What was wrong")}>
    ${parts ? Object.entries(parts).map(([name, said]) => chip(`wrong-${name}`, act === "amend" && field === name, () => mends(name), said)) : chip("act-amend", act === "amend", () => set("amend"), t("It was different"))}
    ${chip("wrong-all", act === "take-back", () => set("take-back"), t("all of it"))}
    ${chip("act-insert", act === "insert", () => set("insert"), t("Missing after it"))}</div>`;
}

/** One of the corrections. @param {any} its */
function Drafted({ at, draft, index, find, set, drop, only }) {
  const heading = draft.act === "take-back" ? t("Taken back as well: {what}", { what: sayEvent(at, draft.was, find) }) : t("Corrected as well: {what}", { what: sayEvent(at, draft.was, find) });
  return html`<section class="draft" data-test=${`draft-${draft.about.seq}`}>
    ${index > 0 && html`<header class="row"><p class="grow"><small class="soft">${t("Event {seq}", { seq: draft.about.seq })}</small> <span dir="auto">${heading}</span></p>
      <button type="button" class="quiet" data-test=${`draft-drop-${draft.about.seq}`} aria-label=${t("Leave it as it was")} onClick=${drop}>×</button></header>`}
    ${draft.act !== "take-back" && html`<${DraftForm} at=${at} draft=${draft} set=${set} folded=${index > 0} only=${only} />`}
  </section>`;
}

/** What is reported to correct an evening that is closed. @param {any} correction @param {string} pot what becomes of the pot, if there is one */
const reopened = (correction, pot) => [{ type: "session_reopened" }, correction, { type: "session_closed", ...(pot ? { pot } : {}) }];

/** What the service says would come of the drafts; null until they are complete. @param {import("../core/sitting.js").Sitting} sitting @param {any} game @param {Draft[]} drafts @param {string} pot */
function usePreview(sitting, game, drafts, pot) {
  const [answer, setAnswer] = useState(/** @type {Answer | null} */ (null));
  const said = drafts.every((each) => isComplete(each, game)) ? JSON.stringify(correctionOf(drafts)) : "";
  useEffect(() => {
    setAnswer(null);
    if (!said) return undefined;
    let late = false;
    const timer = setTimeout(async () => {
      const found = await ask(sitting, JSON.parse(said), pot);
      if (!late) setAnswer(found);
    }, 120);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [said, pot, sitting.seq.value]);
  return said ? answer : null;
}

/** @param {import("../core/sitting.js").Sitting} sitting @param {any} correction @param {string} pot @returns {Promise<Answer>} */
async function ask(sitting, correction, pot) {
  const alone = await wouldBe(sitting, [correction]);
  if (alone.problem?.code !== "session_is_closed") return alone;
  return { ...(await wouldBe(sitting, reopened(correction, pot))), reopens: true };
}

/** @param {import("../core/sitting.js").Sitting} sitting @param {any[]} events @returns {Promise<Answer>} */
async function wouldBe(sitting, events) {
  try {
    return { changes: (await sitting.wouldBe(...events)).changes };
  } catch (failed) {
    return failed instanceof Refused ? { problem: failed.problem } : { cutOff: true };
  }
}

/** What the correction changes, or why it cannot be so and what would help. @param {any} its */
function Preview({ at, answer, drafts, events, add, overrule, pot, setPot }) {
  const first = drafts[0];
  const asks = first.act !== "take-back" && !isComplete(first, at.game);
  return html`<section class="preview" data-test="preview" aria-live="polite" aria-busy=${!asks && !answer}>
    <h3>${t("What this changes")}</h3>
    ${asks && html`<p class="soft">${first.act === "amend" ? t("Say what it should have been; nothing counts before you confirm it.") : t("Say what was forgotten; nothing counts before you confirm it.")}</p>`}
    ${answer?.reopens && html`<p class="soft" data-test="reopens">${t("The evening is closed: it is reopened, corrected and closed again.")}</p>`}
    ${answer?.reopens && (pot || answer.problem?.code === "pot_is_waiting") && html`<${Pot} ...${{ at, pot, setPot }} />`}
    ${answer?.changes && html`<${Changes} session=${at.session} game=${at.game} changes=${answer.changes} />`}
    ${answer?.cutOff && html`<p data-test="problem">${t("What it changes can only be shown with a connection.")}</p>`}
    ${answer?.problem && html`<${Refusal} ...${{ at, problem: answer.problem, drafts, events, add, overrule }} />`}
  </section>`;
}

/** What becomes of a pot that the correction leaves. @param {any} its */
function Pot({ at, pot, setPot }) {
  const field = kindOf(at.game, "session_closed")?.fields.find((each) => each.name === "pot");
  return html`<fieldset class="choices"><legend>${say(field?.label)}</legend>
    ${(field?.values ?? []).map((each) => html`<label key=${each} class="check"><input type="radio" name="pot" data-test=${`pot-${each}`} checked=${pot === each} onChange=${() => setPot(each)} /><span>${say(field?.value_labels?.[each])}</span></label>`)}</fieldset>`;
}

/** @param {any} its */
function Refusal({ at, problem, drafts, events, add, overrule }) {
  const [reason, setReason] = useState("");
  const first = drafts[0];
  const conflicts = inTheWay(problem);
  const others = useEvents(at.sitting, conflicts.map((each) => each.seq), events);
  const free = conflicts.filter((each) => !drafts.some((/** @type {Draft} */ draft) => draft.about.seq === each.seq && (draft.part ?? 0) === (each.part ?? 0)));
  const giveWay = first.event && !conflicts.length && problem.status === 409 && problem.code !== "pot_is_waiting";
  const backs = () => add(...[...free].reverse().flatMap((each) => { const other = others.get(each.seq); return other ? [draftOf("take-back", other, events, each.part)] : []; }));
  return html`<div class="draft-refused"><p data-test="problem">${conflicts.length > 1 ? tn("{count} later event would not be possible then.", "{count} later events would not be possible then.", conflicts.length) : problem.detail}</p>
    ${problem.errors && html`<ul>${problem.errors.map((/** @type {any} */ each) => html`<li>${each.detail}</li>`)}</ul>`}
    ${free.length > 0 && html`<h3>${t("Correct together with it")}</h3>`}
    <ul class="ways">${free.slice(0, 20).map((each) => {
      const other = others.get(each.seq);
      return other && html`<${Way} key=${`${each.seq}-${each.part ?? 0}`} ...${{ at, first, other, part: each.part, events, add }} why=${conflicts.length > 1 && each.detail} />`;
    })}</ul>
    ${free.length > 1 && html`<button type="button" class="quiet wide" data-test="take-all-back" onClick=${backs}>${t("Take all {count} back as well", { count: free.length })}</button>`}
    ${giveWay && html`<form class="row" onSubmit=${(/** @type {any} */ sent) => { sent.preventDefault(); if (reason.trim()) overrule(reason.trim()); }}>
      <label class="grow"><span class="hidden">${t("Why the table played it so")}</span><input data-test="reason" value=${reason} maxlength="500" placeholder=${t("Why the table played it so")} onInput=${(/** @type {any} */ typed) => setReason(typed.target.value)} /></label>
      <button class="quiet" data-test="overrule" disabled=${!reason.trim()}>${t("We played it so")}</button></form>`}
  </div>`;
}

/** An event that stands in the way: swap the two, correct it too, or take it back too. @param {any} its */
function Way({ at, first, other, why, part, events, add }) {
  const draft = draftOf("amend", other, events, part);
  const exchange = swapped(first, draft.was);
  const seq = other.seq;
  return html`<li class="way"><p><small class="soft">${t("Event {seq}", { seq })}</small> <span dir="auto">${sayEvent(at, draft.was, finder(events))}</span>${why && html` <span class="soft">${why}</span>`}</p>
    ${exchange && html`<button type="button" class="main wide" data-test=${`swap-${seq}`} onClick=${() => add({ ...draft, event: exchange })}>${t("The two were swapped: {what}", { what: sayEvent(at, exchange, finder(events)) })}</button>`}
    <div class="row"><button type="button" class="quiet grow" data-test=${`also-correct-${seq}`} onClick=${() => add(draft)}>${t("Correct this too")}</button>
      <button type="button" class="quiet grow" data-test=${`also-take-back-${seq}`} onClick=${() => add(draftOf("take-back", other, events, part))}>${t("Take this back too")}</button></div></li>`;
}

/** Events by their numbers: those at hand, and the others asked for. @param {import("../core/sitting.js").Sitting} sitting @param {number[]} seqs @param {StoredEvent[]} events */
function useEvents(sitting, seqs, events) {
  const [asked, setAsked] = useState(/** @type {StoredEvent[]} */ ([]));
  const known = new Map([...asked, ...events].map((each) => [each.seq, each]));
  const unknown = seqs.filter((seq) => !known.has(seq)).slice(0, 20);
  useEffect(() => {
    void Promise.all(unknown.map((seq) => sitting.read(`/events?after=${seq - 1}&limit=1`))).then((pages) => unknown.length && setAsked([...asked, ...pages.flatMap((each) => each.events)]), () => undefined);
  }, [unknown.join()]);
  return known;
}
