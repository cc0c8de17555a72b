/**
 * One session as the views see it: where the table stands, what this phone has reported and the service has not
 * confirmed yet, and why something was refused.
 *
 *     report() -> the outbox -> POST, one after another -> where the table stands now
 *                                     the stream, which tells what other phones recorded -> the same
 *
 * Nothing here knows a rule: where the table stands is always what the service said last.
 */
import { batch, computed, signal } from "@preact/signals";
import { Refused, Unreachable, call, newKey } from "./api.js";
import { follow } from "./stream.js";
import { keep, keyOf } from "./keys.js";
import * as outbox from "./outbox.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").StoredEvent} StoredEvent */
/** @typedef {import("./types.js").Recorded} Recorded */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Link} Link */
/** @typedef {import("./outbox.js").Report} Report */
/** @typedef {{report: Report, problem: Problem}} Refusal a report that was refused, and why */
/** @typedef {{mine: Report[], theirs: StoredEvent[]}} Conflict what waited here while the table moved on elsewhere */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/** @param {string} id */
export function sit(id) {
  const path = `/v1/sessions/${encodeURIComponent(id)}`;
  /** Where the table stands, as the service said last; null until it has. */
  const session = signal(/** @type {Session | null} */ (null));
  const link = signal(/** @type {Link | null} */ (null));
  /** What the service has not confirmed yet, oldest first. */
  const waiting = signal(/** @type {Report[]} */ ([]));
  const refusal = signal(/** @type {Refusal | null} */ (null));
  const conflict = signal(/** @type {Conflict | null} */ (null));
  /** Why there is nothing to show: no such session, a dead link. */
  const lost = signal(/** @type {Problem | null} */ (null));
  const online = signal(true);
  /** The last event that was recorded, and the chips that it moved. */
  const last = signal(/** @type {{event: StoredEvent, entries: import("./types.js").Entry[]} | null} */ (null));
  /** The last round, while none is open. */
  const ended = signal(/** @type {Round | null} */ (null));
  /** Grows whenever the log does, for views that read it. */
  const seq = computed(() => session.value?.seq ?? 0);
  /** How many events there will be once what waits is recorded: it grows with each report, not when that is confirmed. */
  const tapped = computed(() => waiting.value.reduce((count, report) => count + report.events.length, seq.value));
  const mayRecord = computed(() => link.value !== null && link.value.role !== "viewer");
  const isOwner = computed(() => link.value?.role === "owner");

  let draining = false;
  /** What is being sent: until it is answered, it is not known whether what the service says has it in it already. */
  let sending = Promise.resolve();
  let wait = FIRST_WAIT;
  let timer = 0;
  const leaving = new AbortController();

  const token = () => keyOf(id)?.token ?? null;
  /** Read something of this session. @param {string} [below] @returns {Promise<any>} */
  const read = (below = "") => call("GET", below.startsWith("/v1/") ? below : path + below, { token: token() });
  /** Ask for something of this session. @param {string} method @param {string} below @param {unknown} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
  const ask = (method, below, body, headers) => call(method, path + below, { token: token(), body, headers });
  /** What would happen if these were reported; nothing is stored. @param {Event[]} events @returns {Promise<Recorded>} */
  const wouldBe = (...events) => ask("POST", "/events?dry_run=true", { events });

  /** @param {Session} now */
  function stands(now) {
    if (session.value && now.seq < session.value.seq) return;
    session.value = now;
    const people = now.players.filter((each) => each.active).map((each) => each.name);
    const known = keyOf(id);
    const told = [known?.name, known?.status, known?.game, known?.people.join("\n")].join("\n");
    if (known && told !== [now.name, now.status, now.game, people.join("\n")].join("\n"))
      keep({ ...known, name: now.name, game: now.game, status: now.status, people });
    try {
      localStorage.setItem(`fuda.stood.${id}`, JSON.stringify(now));
    } catch {
      // a full storage only means that a reload waits for the service
    }
  }

  /** Ask where the table stands. @param {Promise<void>} [answered] what has to be answered before that counts */
  async function refresh(answered) {
    try {
      const now = /** @type {Session} */ (await read());
      const over = now.round || !now.rounds ? null : await read(`/rounds/${now.rounds}`);
      await (answered ?? sending);
      if (now.seq >= seq.value) batch(() => {
        stands(now);
        ended.value = over;
      });
      online.value = true;
      if (now.seq > (last.value?.event.seq ?? 0)) {
        const newest = await read(`/events?after=${now.seq - 1}`);
        const event = newest.events.at(-1);
        if (event) last.value = { event, entries: [] };
      }
    } catch (failed) {
      unheard(failed);
    }
  }

  /** @param {unknown} failed */
  function unheard(failed) {
    if (failed instanceof Unreachable) online.value = false;
    else if (failed instanceof Refused && [401, 403, 404].includes(failed.problem.status)) lost.value = failed.problem;
    else if (!(failed instanceof Refused)) throw failed;
  }

  /**
   * Report what was seen; it stands on the page at once, and in the books as soon as there is network.
   * @param {Event[]} events recorded all or none
   */
  function report(...events) {
    const sent = outbox.numbered({ session: id, key: newKey(), events, known: seq.value });
    batch(() => {
      refusal.value = null;
      waiting.value = [...waiting.value, sent];
    });
    const onDisk = outbox.store(sent).catch(() => undefined);
    void onDisk.then(() => safely(drain));
  }

  /** Send what waits, in order; stops at the first refusal and keeps the rest. */
  async function drain() {
    if (draining || conflict.value) return;
    draining = true;
    clearTimeout(timer);
    let sent = () => {};
    sending = new Promise((resolve) => (sent = resolve));
    try {
      while (waiting.value[0] && !refusal.value && !conflict.value) await send(waiting.value[0]);
    } finally {
      draining = false;
      sent();
    }
  }

  /** Whether what waits was interrupted: then somebody else may have recorded meanwhile, and that is looked at. */
  let interrupted = false;

  /** @param {Report} report */
  async function send(report) {
    /** @type {Record<string, string>} */
    const headers = { "Idempotency-Key": report.key };
    if (interrupted) headers["If-Match"] = `"${report.known}"`;
    if (!report.tried) {
      report.tried = true;
      await outbox.store(report).catch(() => undefined);
    }
    try {
      const answer = /** @type {Recorded} */ (await ask("POST", "/events", { events: report.events }, headers));
      batch(() => taken(report, answer));
      wait = FIRST_WAIT;
    } catch (failed) {
      if (failed instanceof Unreachable || (failed instanceof Refused && failed.passes)) later(failed);
      else if (failed instanceof Refused && failed.problem.status === 412) await moved();
      else if (failed instanceof Refused) refused(report, failed.problem);
      else throw failed;
    }
  }

  /** @param {Report} report @param {Recorded} answer */
  function taken(report, answer) {
    const now = answer.events.at(-1)?.seq ?? 0;
    // a repeat is answered as the first time: where the table stands now may be further on
    if (answer.session.seq >= seq.value) stands(answer.session);
    online.value = true;
    const [gone, ...rest] = waiting.value;
    waiting.value = rest.map((each) => ({ ...each, known: Math.max(each.known, now) }));
    if (rest.length === 0) interrupted = false;
    else if (interrupted) for (const each of waiting.value) void outbox.store(each).catch(() => undefined);
    void outbox.remove(gone ?? report).catch(() => undefined);
    const event = answer.events.at(-1);
    if (event && event.seq >= (last.value?.event.seq ?? 0)) last.value = { event, entries: answer.entries };
    const over = answer.ended.at(-1);
    if (over || answer.session.round) ended.value = answer.session.round ? null : (over ?? null);
    else if (answer.session.rounds) void refresh();
  }

  /** @param {Refused | Unreachable} failed */
  function later(failed) {
    if (failed instanceof Unreachable) {
      online.value = false;
      interrupted = true;
    }
    const seconds = failed instanceof Refused ? failed.retryAfter * 1000 : 0;
    timer = window.setTimeout(() => safely(drain), Math.max(seconds, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT);
    throw new Pause();
  }

  /** The table moved on while this phone was cut off: both are shown, and somebody decides. */
  async function moved() {
    const mine = waiting.value;
    const since = mine[0]?.known ?? 0;
    const answer = await read(`/events?after=${since}&limit=500`);
    await refresh(Promise.resolve());
    conflict.value = { mine, theirs: answer.events };
  }

  /** @param {Report} report @param {Problem} problem */
  function refused(report, problem) {
    if ([401, 404].includes(problem.status)) {
      lost.value = problem;
      throw new Pause();
    }
    const rest = waiting.value.slice(1);
    batch(() => {
      refusal.value = { report, problem };
      if (rest.length === 0) waiting.value = [];
    });
    if (rest.length === 0) void outbox.remove(report).catch(() => undefined);
    if (rest.length === 0) interrupted = false;
  }

  /** Take the last report back: out of what waits, if it was certainly not heard yet, else by one more report. */
  function undo() {
    if (refusal.value && waiting.value.length) return dropRefused();
    const newest = waiting.value.at(-1);
    const isUnheard = newest && !newest.tried && (waiting.value.length > 1 || !draining);
    if (!isUnheard) return report({ type: "event_taken_back" });
    waiting.value = waiting.value.slice(0, -1);
    void outbox.remove(newest).catch(() => undefined);
  }

  /** Leave a refused report out, and go on with what waits behind it. */
  function dropRefused() {
    const gone = refusal.value?.report;
    batch(() => {
      refusal.value = null;
      if (gone) waiting.value = waiting.value.filter((each) => each.order !== gone.order);
    });
    if (gone) void outbox.remove(gone).catch(() => undefined);
    void safely(drain);
  }

  /** Report a refused event all the same, with the reason why the table played it so. @param {string} reason */
  function overrule(reason) {
    const gone = refusal.value;
    if (!gone) return;
    const index = gone.problem.index ?? 0;
    const events = gone.report.events.map((each, place) => (place === index ? { ...each, overrule: reason } : each));
    const again = { ...gone.report, key: newKey(), events, tried: false };
    const rest = waiting.value.filter((each) => each.order !== again.order);
    batch(() => {
      refusal.value = null;
      waiting.value = [again, ...rest];
    });
    void outbox.store(again).catch(() => undefined).then(() => safely(drain));
  }

  /** After a conflict: send what waits after what the others recorded, or leave it out. @param {"send" | "drop"} choice */
  function resolve(choice) {
    const mine = conflict.value?.mine ?? [];
    batch(() => {
      conflict.value = null;
      waiting.value = choice === "drop" ? [] : waiting.value.map((each) => ({ ...each, known: seq.value }));
    });
    if (choice === "drop") {
      interrupted = false;
      for (const each of mine) void outbox.remove(each).catch(() => undefined);
    } else {
      for (const each of waiting.value) void outbox.store(each).catch(() => undefined);
    }
    void safely(drain);
  }

  /** Take what is told as the end of a drain that goes on later. @param {() => Promise<void>} work */
  async function safely(work) {
    try {
      await work();
    } catch (failed) {
      if (!(failed instanceof Pause)) unheard(failed);
    }
  }

  /** Begin: show what this phone knows, ask what is true, send what waits, and follow along. */
  async function begin() {
    const before = localStorage.getItem(`fuda.stood.${id}`);
    if (before) session.value = JSON.parse(before);
    waiting.value = await outbox.waitingFor(id).catch(() => []);
    interrupted = waiting.value.length > 0;
    await Promise.all([refresh(), whoAmI()]);
    void safely(drain);
    void follow(path, token, () => seq.value, { recorded, unheard }, leaving.signal);
  }

  async function whoAmI() {
    const kept = keyOf(id);
    if (kept) link.value = { id: "", role: kept.role, label: null, expires_at: null, created_at: "" };
    try {
      link.value = /** @type {Link} */ (await read("/links/me"));
      if (kept && link.value.role !== kept.role) keep({ ...kept, role: link.value.role });
    } catch (failed) {
      unheard(failed);
    }
  }

  let refreshing = Promise.resolve();
  let due = 0;
  /** Somebody recorded something. @param {StoredEvent} event */
  function recorded(event) {
    online.value = true;
    if (waiting.value.length) void safely(drain);
    if (event.seq <= seq.value) return;
    due = event.seq;
    refreshing = refreshing.then(() => (due > seq.value ? refresh() : undefined));
  }

  const awake = () => {
    if (document.visibilityState === "hidden") return;
    wait = FIRST_WAIT;
    void safely(drain);
    void refresh();
  };
  addEventListener("online", awake, { signal: leaving.signal });
  document.addEventListener("visibilitychange", awake, { signal: leaving.signal });

  const ready = begin();
  return {
    id, path, session, link, waiting, refusal, conflict, lost, online, last, ended, seq, tapped, mayRecord, isOwner, ready,
    token, read, ask, wouldBe, refresh, undo, overrule, dropRefused, resolve,
    report: (/** @type {Event[]} */ ...events) => report(...events),
    leave: () => leaving.abort(),
  };
}

/** The drain goes on later. */
class Pause extends Error {}

/** @typedef {ReturnType<typeof sit>} Sitting */
