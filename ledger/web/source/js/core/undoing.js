/**
 * What was recorded last is taken back by one tap, and put back by another, with and without a network.
 */
import { computed, effect, signal } from "@preact/signals";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").StoredEvent} StoredEvent */
/** @typedef {import("./outbox.js").Report} Report */
/** @typedef {{event: Event | undefined, report?: Report}} Newest what was recorded last; a `report` waits */

export class Undoing {
  /** Whether somebody wants to undo what has to be looked at first. */
  undoing = signal(false);
  /** A report that an undo took out of what waits, and how many events there were after that. */
  dropped = signal(/** @type {{report: Report, tapped: number} | null} */ (null));
  /** Events by books and seq: what an undo may have taken back. @type {Map<string, StoredEvent>} */
  known = new Map();
  /** How many those are, for who waits for one. */
  learned = signal(0);

  /** @param {import("./standing.js").Standing} standing @param {import("./sending.js").Sending} sending */
  constructor(standing, sending) {
    this.standing = standing;
    this.sending = sending;
    effect(() => {
      const last = standing.last.value?.event;
      if (last) this.know(last);
      void this.lookUp(this.newest());
    });
    effect(() => {
      if (sending.conflict.value) this.dropped.value = null;
    });
  }

  /** @returns {Newest} */
  newest() {
    const report = this.sending.waiting.value.at(-1);
    return report ? { report, event: report.events.at(-1) } : { event: this.standing.last.value?.event };
  }

  /** @param {Event | undefined} event */
  know(event) {
    if (event?.seq) this.known.set(this.keyOf(event.seq), /** @type {StoredEvent} */ (event));
    this.learned.value = this.known.size;
  }

  /** @param {number} seq */
  keyOf = (seq) => `${this.standing.books.value}/${seq}`;

  /** @param {Newest} newest */
  async lookUp({ event, report }) {
    const seq = event?.type === "event_taken_back" && !report?.undoes ? aboutOf(event) : 0;
    if (!seq || this.known.has(this.keyOf(seq))) return;
    const page = await this.standing.read(`/events?after=${seq - 1}&limit=1`).catch(() => null);
    this.know(page?.events[0]);
  }

  /** What an undo took out of what waits, while nothing was recorded since. */
  unsent = computed(() => (this.dropped.value?.tapped === this.sending.tapped.value ? this.dropped.value.report : null));

  /** The event that was taken back last, whoever did; null where something else was recorded since. */
  takenBack = computed(() => {
    const unsent = this.unsent.value?.events.at(-1);
    if (unsent) return unsent;
    const { event, report } = this.newest();
    if (event?.type !== "event_taken_back") return null;
    const found = report?.undoes ? this.sending.waiting.value.find((each) => each.order === report.undoes)?.events.at(-1) : this.of(event);
    return found && found.type !== "event_taken_back" ? found : null;
  });

  /** The event that another one takes back, if it is known. @param {Event} event @returns {Event | undefined} */
  of(event) {
    const about = this.learned.value ? this.known.get(this.keyOf(aboutOf(event))) : undefined;
    return event.part ? about?.corrections?.[event.part - 1]?.event : about;
  }

  /** Whether this phone took it back, and may put it back. */
  canPutBack = computed(() => {
    const { sending, standing } = this;
    const isMine = this.unsent.value !== null || sending.waiting.value.length > 0 || standing.last.value?.event.recorded_by === standing.link.value?.id;
    return isMine && this.takenBack.value !== null && standing.mayRecord.value && !sending.refusal.value && !sending.conflict.value;
  });

  /**
   * Take the last report back: out of what waits, if it was certainly not heard yet, else by one more report, which names the
   * event that is in sight. Where none is, it is a correction or a closing, or another phone recorded it, somebody looks
   * first at what would go.
   */
  undo = () => {
    const { sending, standing } = this;
    if (sending.refusal.value && sending.waiting.value.length) return sending.dropRefused();
    const { event, report } = this.newest();
    if (report && sending.isUnheard(report) && event?.type !== "event_taken_back") {
      sending.withdraw(report);
      this.dropped.value = { report, tapped: sending.tapped.value };
    } else if (!report && event && !isAboutAnother(event) && event.recorded_by === standing.link.value?.id) this.takeBack(event.seq);
    else this.undoing.value = true;
  };

  /** Have what the last undo took back as it was, in one report at most. */
  putBack = () => {
    if (!this.canPutBack.value) return;
    const { sending } = this;
    const { event, report } = this.newest();
    if (this.unsent.value) sending.put({ events: this.unsent.value.events });
    else if (!report) this.takeBack(/** @type {StoredEvent} */ (event).seq);
    else if (sending.isUnheard(report)) sending.withdraw(report);
    else this.takeReportBack(report);
  };

  /** Take an event back, if nobody has recorded since. @param {number} seq @param {number} [known] the last seq when it was looked at */
  takeBack = (seq, known = this.standing.seq.value) => this.sending.put({ events: [{ type: "event_taken_back", seq }], known, looks: true });

  /** Take back the last event of a report that may have been heard: once it is known which one that is. @param {Report} report */
  takeReportBack = (report) => {
    const { sending } = this;
    const seq = sending.recorded.get(report.order);
    if (seq) this.takeBack(seq);
    else if (sending.waiting.value.some((each) => each.order === report.order)) sending.put({ events: [{ type: "event_taken_back" }], undoes: report.order, looks: true });
  };
}

/** The seq of what an event takes back, reported or recorded. @param {Event} event @returns {number} */
const aboutOf = (event) => event.target ?? event.seq ?? 0;

/** Whether an event is about another one. @param {Event} event */
export const isAboutAnother = ({ type }) => type.startsWith("event_") || ["corrections_made", "player_erased", "session_closed", "session_reopened"].includes(type);
