/**
 * One session as the views see it: where the table stands (`standing.js`), what this phone has reported and the service
 * has not confirmed yet (`sending.js`), what of it is taken back and put back (`undoing.js`), and what others record
 * meanwhile (`stream.js`).
 *
 * Nothing here knows a rule: where the table stands is always what the service said last.
 */
import { follow } from "./stream.js";
import { Sending } from "./sending.js";
import { Standing } from "./standing.js";
import { Undoing } from "./undoing.js";

/** @typedef {import("./types.js").StoredEvent} StoredEvent */
/** @typedef {import("./sending.js").Refusal} Refusal */

/** Sit down at a table: show what this phone knows, ask what is true, send what waits, and follow along. @param {string} id */
export function sit(id) {
  const standing = new Standing(id);
  const sending = new Sending(standing);
  const undoings = new Undoing(standing, sending);
  const leaving = new AbortController();
  let refreshing = Promise.resolve();

  /** Somebody recorded something. @param {StoredEvent} event */
  function recorded(event) {
    standing.online.value = true;
    if (sending.waiting.value.length) void sending.drain();
    refreshing = refreshing.then(() => (event.seq > standing.seq.value ? standing.refresh(undefined, event) : undefined));
  }

  const awake = () => {
    if (document.visibilityState === "hidden") return;
    sending.wake();
    void standing.refresh();
  };
  addEventListener("online", awake, { signal: leaving.signal });
  document.addEventListener("visibilitychange", awake, { signal: leaving.signal });

  async function begin() {
    await sending.begin();
    await Promise.all([standing.refresh(), standing.whoAmI()]);
    void sending.drain();
    const listener = { recorded, unheard: standing.unheard, ahead: () => standing.refresh() };
    void follow(standing.path, standing.token, () => standing.seq.value, listener, leaving.signal);
  }

  const { path, session, link, lost, online, last, ended, seq, mayRecord, isOwner, token, read, ask, wouldBe, refresh, wentBack, books } = standing;
  const { waiting, refusal, conflict, tapped, made, report, again, dropRefused, resolve } = sending;
  const { undoing, undo, takeBack, takeReportBack, takenBack, canPutBack, putBack } = undoings;
  return {
    id, path, session, link, lost, online, last, ended, seq, mayRecord, isOwner, token, read, ask, wouldBe, refresh, wentBack, books,
    waiting, refusal, conflict, tapped, made, report, again, dropRefused, resolve,
    undoing, undo, takeBack, takeReportBack, takenBack, canPutBack, putBack,
    ready: begin(), leave: () => leaving.abort(),
  };
}

/** @typedef {ReturnType<typeof sit>} Sitting */
