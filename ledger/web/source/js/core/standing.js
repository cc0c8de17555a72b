/**
 * Where a session stands, as the service said last, and what else it says of it.
 */
import { batch, computed, signal } from "@preact/signals";
import { Refused, Unreachable, call } from "./api.js";
import { discardAll } from "./drafts.js";
import { keep, keyOf } from "./keys.js";
import { store, stored } from "./storage.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").StoredEvent} StoredEvent */
/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Recorded} Recorded */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {import("./types.js").Round} Round */
/** @typedef {import("./types.js").Link} Link */

/** After so many milliseconds what could not be answered is asked again. */
const AGAIN = 2000;

/** So many of the last events are looked through first for one that happened at the table; then more of those before, up to a page. */
const BESIDE = 5;
const MOST_BESIDE = 500;

/** The last event that happened at the table; what an undo would be about. @param {StoredEvent[]} events */
const atTheTable = (events) => events.filter((each) => each.type !== "odds_switched").at(-1);

export class Standing {
  /** Null until the service has said it. */
  session = signal(/** @type {Session | null} */ (null));
  link = signal(/** @type {Link | null} */ (null));
  /** Why there is nothing to show: no such session, a dead link. */
  lost = signal(/** @type {Problem | null} */ (null));
  online = signal(true);
  /** The last event that was recorded, and the chips that it moved. */
  last = signal(/** @type {{event: StoredEvent, entries: Entry[]} | null} */ (null));
  /** The last round, while none is open. */
  ended = signal(/** @type {Round | null} */ (null));
  /** Grows whenever the log does, for views that read it. */
  seq = computed(() => this.session.value?.seq ?? 0);
  mayRecord = computed(() => this.link.value !== null && this.link.value.role !== "viewer");
  isOwner = computed(() => this.link.value?.role === "owner");
  /** The books were replaced by older ones, as when a backup is restored: the seq that this phone had seen, and theirs. */
  wentBack = signal(/** @type {{seen: number, now: number} | null} */ (null));
  /** How many books this page has seen: views begin anew with each. */
  books = signal(1);
  /** What is being sent: until it is answered, it is not known whether what the service says has it in it already. */
  sending = Promise.resolve();

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.path = `/v1/sessions/${encodeURIComponent(id)}`;
    this.kept = `fuda.stood.${id}`;
    const before = stored(this.kept);
    if (before) this.session.value = JSON.parse(before);
  }

  token = () => keyOf(this.id)?.token ?? null;

  /** Read something of this session; never from the browser's cache, where older books may have had the same ETag. @param {string} [below] @returns {Promise<any>} */
  read = (below = "") => call("GET", below.startsWith("/v1/") ? below : this.path + below, { token: this.token(), cache: "no-store" });

  /**
   * Ask for something of this session.
   * @param {string} method @param {string} below @param {unknown} [body] @param {Record<string, string>} [headers] @returns {Promise<any>}
   */
  ask = (method, below, body, headers) => call(method, this.path + below, { token: this.token(), body, headers });

  /** What would happen if these were reported; nothing is stored. @param {Event[]} events @returns {Promise<Recorded>} */
  wouldBe = (...events) => this.ask("POST", "/events?dry_run=true", { events });

  /**
   * Ask where the table stands. The last event comes into sight together with what it led to: an undo is about the one
   * that can be read. Only a page that knows of none yet does not wait for it; there nothing can be undone meanwhile.
   * @param {Promise<void>} [answered] what has to be answered before that counts @param {StoredEvent} [heard] the last one
   */
  refresh = async (answered, heard) => {
    const seen = this.seq.value;
    try {
      const now = /** @type {Session} */ (await this.read());
      const over = now.round || !now.rounds ? null : await this.read(`/rounds/${now.rounds}`);
      const newest = this.last.value && (heard?.seq === now.seq ? atTheTable([heard]) : await this.eventAt(now.seq));
      await (answered ?? this.sending);
      this.online.value = true;
      if (now.seq < seen && (await this.isGone(seen)) && seen === this.seq.value) this.beginAnew(now, seen);
      if (now.seq >= this.seq.value) batch(() => {
        this.stands(now);
        this.ended.value = over;
        this.isLast(newest);
      });
      if (!this.last.value) this.isLast(await this.eventAt(now.seq));
    } catch (failed) {
      this.unheard(failed);
      if (failed instanceof Refused && failed.passes) setTimeout(this.refresh, Math.max(failed.retryAfter * 1000, AGAIN));
    }
  };

  /**
   * Whether the service has lost an event that this phone has seen. An older answer alone does not say so: it may have been
   * asked for before, or come from a cache on the way.
   * @param {number} seq
   */
  async isGone(seq) {
    const page = await this.read(`/events?after=${seq - 1}&limit=1`);
    return page.events.length === 0;
  }

  /** Drop what is known of books that are gone. @param {Session} now @param {number} seen */
  beginAnew(now, seen) {
    batch(() => {
      this.session.value = null;
      this.last.value = null;
      this.ended.value = null;
      this.stands(now);
      this.wentBack.value = { seen, now: now.seq };
      this.books.value += 1;
    });
    discardAll(this.id);
  }

  /** The last event at the table up to a seq; nothing if that or a later one is in sight already. @param {number} seq @returns {Promise<StoredEvent | undefined>} */
  async eventAt(seq) {
    const seen = this.last.value?.event.seq ?? 0;
    for (let [upTo, many] = [seq, BESIDE]; upTo > seen; upTo -= many, many = Math.min(4 * many, MOST_BESIDE)) {
      const after = Math.max(seen, upTo - many);
      const found = atTheTable((await this.read(`/events?after=${after}&limit=${upTo - after}`)).events);
      if (found) return found;
    }
    return undefined;
  }

  /** Take note of the last event that was recorded. @param {StoredEvent | null | undefined} event */
  isLast(event) {
    if (event && event.seq > (this.last.value?.event.seq ?? 0)) this.last.value = { event, entries: [] };
  }

  /** Take what was recorded into where the table stands. @param {Recorded} answer */
  recorded(answer) {
    const { session } = answer;
    // a repeat is answered as the first time: where the table stands now may be further on
    if (session.seq >= this.seq.value) this.stands(session);
    else void this.refresh();
    this.online.value = true;
    const event = atTheTable(answer.events);
    if (event && event.seq >= (this.last.value?.event.seq ?? 0)) this.last.value = { event, entries: answer.entries };
    const over = answer.ended.at(-1);
    if (session.round || over) this.ended.value = session.round ? null : (over ?? null);
    else if (session.rounds) void this.refresh();
  }

  /** @param {Session} now */
  stands(now) {
    if (now.seq < this.seq.value) return;
    this.session.value = now;
    const people = now.players.filter((each) => each.active).map((each) => each.name);
    const known = keyOf(this.id);
    const told = [known?.name, known?.status, known?.game, known?.played, known?.people.join("\n")].join("\n");
    if (known && told !== [now.name, now.status, now.game, now.played_on, people.join("\n")].join("\n"))
      keep({ ...known, name: now.name, game: now.game, status: now.status, people, played: now.played_on });
    store(this.kept, JSON.stringify(now)); // without it a reload waits for the service
  }

  /** Ask which link this phone has, and believe meanwhile what it knows of it. */
  async whoAmI() {
    const kept = keyOf(this.id);
    if (kept) this.link.value = { id: "", role: kept.role, label: null, expires_at: null, created_at: "" };
    try {
      const link = /** @type {Link} */ (await this.read("/links/me"));
      this.link.value = link;
      if (kept && link.role !== kept.role) keep({ ...kept, role: link.role });
    } catch (failed) {
      this.unheard(failed);
    }
  }

  /** Take note that something was not answered as it should have been. @param {unknown} failed */
  unheard = (failed) => {
    if (failed instanceof Unreachable) this.online.value = false;
    else if (failed instanceof Refused && [401, 403, 404].includes(failed.problem.status)) this.lost.value = failed.problem;
    else if (!(failed instanceof Refused)) throw failed;
  };
}
