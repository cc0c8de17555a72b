/**
 * What this phone reports, on its way into the books: one after another, each once, however bad the network is.
 *
 *     report -> the outbox -> POST with a key of its own -> where the table stands now
 *
 * It stops at the first refusal and keeps the rest. After an interruption it looks whether the table moved on meanwhile
 * (`If-Match`), and then shows both and asks; in good network two phones that record at once are no conflict.
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { Refused, Unreachable, newKey } from "./api.js";
import { RECORDED, feel } from "./felt.js";
import * as outbox from "./outbox.js";
import { recordedAlready } from "./same.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").StoredEvent} StoredEvent */
/** @typedef {import("./types.js").Recorded} Recorded */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {import("./outbox.js").Report} Report */
/** @typedef {{report: Report, problem: Problem}} Refusal a report that was refused, and why */
/** @typedef {{mine: Report[], theirs: StoredEvent[], cutOff?: boolean}} Conflict what waited here while the table moved on elsewhere; `cutOff` where this phone heard nothing of it */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/** The drain goes on later. */
class Pause extends Error {}

export class Sending {
  /** What the service has not confirmed yet, oldest first. */
  waiting = signal(/** @type {Report[]} */ ([]));
  refusal = signal(/** @type {Refusal | null} */ (null));
  conflict = signal(/** @type {Conflict | null} */ (null));
  /** The seq of the last event of each report that was recorded, by the report's order. @type {Map<number, number>} */
  recorded = new Map();
  /** How many reports this phone has made since the page was opened. */
  made = signal(0);
  isDraining = false;
  /** Whether what waits was interrupted: then somebody else may have recorded meanwhile, and that is looked at. */
  isInterrupted = false;
  wait = FIRST_WAIT;
  timer = 0;

  /** @param {import("./standing.js").Standing} standing */
  constructor(standing) {
    this.standing = standing;
    /** How many events there will be once what waits is recorded: it grows with each report, not when that is confirmed. */
    effect(() => {
      if (standing.books.value > 1) this.hold();
    });
    this.tapped = computed(() => this.waiting.value.reduce((count, each) => count + each.events.length, standing.seq.value));
  }

  /** What waits was reported at a table that is no more: somebody looks before it is sent. */
  hold = () => {
    this.refusal.value = null;
    if (this.waiting.peek().length) this.conflict.value = { mine: this.waiting.peek(), theirs: [] };
  };

  /** Take up what waited before the page was opened. */
  async begin() {
    const before = await outbox.waitingFor(this.standing.id).catch(() => []);
    const since = this.waiting.value.filter((each) => before.every((kept) => kept.order !== each.order));
    this.waiting.value = [...before, ...since];
    this.isInterrupted = before.length > 0;
  }

  /** Report what was seen; it stands on the page at once, and in the books as soon as there is network. @param {Event[]} events all or none */
  report = (...events) => this.put({ events });

  /** @param {Pick<Report, "events" | "looks" | "undoes"> & {known?: number}} said */
  put(said) {
    const { id, seq } = this.standing;
    const sent = outbox.numbered({ session: id, key: newKey(), known: seq.value, ...said });
    batch(() => {
      this.refusal.value = null;
      this.waiting.value = [...this.waiting.value, sent];
      this.made.value += 1;
    });
    void store(sent).then(this.drain);
    feel(RECORDED);
  }

  /** Send what waits, in order. */
  drain = async () => {
    if (this.isDraining || this.conflict.value || this.standing.link.value?.role === "viewer") return;
    this.isDraining = true;
    clearTimeout(this.timer);
    let sent = () => {};
    this.standing.sending = new Promise((resolve) => (sent = resolve));
    try {
      while (this.waiting.value[0] && !this.refusal.value && !this.conflict.value) await this.send(this.waiting.value[0]);
    } catch (failed) {
      if (!(failed instanceof Pause)) this.standing.unheard(failed);
    } finally {
      this.isDraining = false;
      sent();
    }
  };

  /** Try again at once: the network or the reader is back. */
  wake = () => {
    this.wait = FIRST_WAIT;
    void this.drain();
  };

  /** Whether nobody can have heard a report yet. @param {Report} report */
  isUnheard = (report) => !report.tried && (this.waiting.value.length > 1 || !this.isDraining);

  /** Take a report out of what waits. @param {Report} report */
  withdraw(report) {
    this.waiting.value = without(this.waiting.value, report);
    forget(report);
  }

  /** @param {Report} report */
  async send(report) {
    /** @type {Record<string, string>} */
    const headers = { "Idempotency-Key": report.key };
    if (this.isInterrupted || report.looks) headers["If-Match"] = `"${report.known}"`;
    if (!report.tried) {
      report.tried = true;
      await store(report);
    }
    try {
      const answer = /** @type {Recorded} */ (await this.standing.ask("POST", "/events", { events: report.events }, headers));
      this.wait = FIRST_WAIT;
      batch(() => this.taken(report, answer));
    } catch (failed) {
      if (failed instanceof Unreachable || (failed instanceof Refused && failed.passes)) this.later(failed);
      else if (failed instanceof Refused && failed.problem.status === 412) await this.moved();
      else if (failed instanceof Refused) this.refused(report, failed.problem);
      else throw failed;
    }
  }

  /** @param {Report} report @param {Recorded} answer */
  taken(report, answer) {
    this.standing.recorded(answer);
    const now = answer.events.at(-1)?.seq ?? 0;
    const found = (/** @type {Report} */ each) => (each.undoes === report.order ? { undoes: undefined, events: [{ type: "event_taken_back", seq: now }] } : {});
    this.recorded.set(report.order, now);
    this.waiting.value = without(this.waiting.value, report).map((each) => ({ ...each, known: Math.max(each.known, now), ...found(each) }));
    if (this.isInterrupted || this.waiting.value.some((each) => each.looks)) this.waiting.value.forEach(store);
    forget(report);
    this.isInterrupted &&= this.waiting.value.length > 0;
  }

  /** @param {Refused | Unreachable} failed @returns {never} */
  later(failed) {
    if (failed instanceof Unreachable) {
      this.standing.online.value = false;
      this.isInterrupted = true;
    }
    const asked = failed instanceof Refused ? failed.retryAfter * 1000 : 0;
    this.timer = window.setTimeout(this.drain, Math.max(asked, this.wait));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    throw new Pause();
  }

  /** The table moved on while this phone was cut off. What both recorded is there already; of what differs both are shown, and somebody decides. */
  async moved() {
    const page = await this.standing.read(`/events?after=${this.waiting.value[0]?.known ?? 0}&limit=500`);
    await this.standing.refresh(Promise.resolve());
    const all = /** @type {StoredEvent[]} */ (page.events);
    const seqs = recordedAlready(this.waiting.value, all);
    const known = seqs.at(-1) ?? 0;
    const same = this.waiting.value.slice(0, seqs.length);
    same.forEach((each, place) => this.recorded.set(each.order, /** @type {number} */ (seqs[place])));
    const mine = this.waiting.value.slice(seqs.length).map((each) => ({ ...each, known: Math.max(each.known, known) }));
    const theirs = all.filter((each) => each.seq > known);
    batch(() => {
      this.waiting.value = mine;
      if (mine.length && theirs.length) this.conflict.value = { mine, theirs, cutOff: this.isInterrupted };
    });
    mine.forEach(store);
    same.forEach(forget);
    this.isInterrupted &&= mine.length > 0;
  }

  /** @param {Report} report @param {Problem} problem */
  refused(report, problem) {
    if ([401, 404].includes(problem.status)) {
      this.standing.lost.value = problem;
      throw new Pause();
    }
    if (problem.status === 403 && this.standing.link.value?.role === "viewer") throw new Pause();
    const isAlone = this.waiting.value.length === 1;
    batch(() => {
      this.refusal.value = { report, problem };
      if (isAlone) this.waiting.value = [];
    });
    if (!isAlone) return;
    this.isInterrupted = false;
    forget(report);
  }

  /** Leave a refused report out, and go on with what waits behind it. */
  dropRefused = () => {
    const gone = this.refusal.value?.report;
    if (!gone) return;
    const before = [gone, ...this.waiting.value];
    batch(() => {
      this.refusal.value = null;
      this.waiting.value = without(this.waiting.value, gone).filter((each) => each.undoes !== gone.order);
    });
    before.filter((one) => !this.waiting.value.includes(one)).forEach(forget);
    void this.drain();
  };

  /** Report a refused event with something else in it: why the table played it so, or for whom it was. @param {Partial<Event>} instead */
  again = (instead) => {
    const gone = this.refusal.value;
    if (!gone) return;
    const index = gone.problem.index ?? 0;
    const events = gone.report.events.map((each, place) => (place === index ? { ...each, ...instead } : each));
    const changed = { ...gone.report, key: newKey(), events, tried: false };
    batch(() => {
      this.refusal.value = null;
      this.waiting.value = [changed, ...without(this.waiting.value, changed)];
    });
    void store(changed).then(this.drain);
  };

  /** After a conflict: send what waits after what the others recorded, or leave it out. @param {"send" | "drop"} choice */
  resolve = (choice) => {
    const mine = this.conflict.value?.mine ?? [];
    const known = this.standing.seq.value;
    batch(() => {
      this.conflict.value = null;
      this.standing.wentBack.value = null;
      this.waiting.value = choice === "drop" ? [] : this.waiting.value.map((each) => ({ ...each, known }));
    });
    if (choice === "drop") mine.forEach(forget);
    this.waiting.value.forEach(store);
    this.isInterrupted = this.waiting.value.length > 0;
    void this.drain();
  };
}

/** @param {Report[]} reports @param {Report} one */
const without = (reports, one) => reports.filter((each) => each.order !== one.order);

/** Keep it on the phone, if the phone keeps anything. @param {Report} report */
const store = (report) => outbox.store(report).catch(() => undefined);

/** @param {Report} report */
const forget = (report) => void outbox.remove(report).catch(() => undefined);
