/**
 * Who still has to pay whom, who has paid, and when the evening was closed: read again with whatever is recorded.
 */
import { useEffect, useState } from "./html.js";
import { Refused } from "./api.js";
import { t } from "./words.js";
import { inEffect } from "../log/say.js";

/** @typedef {{from: string, to: string, amount: number, money?: string, remainder?: string}} Payment */
/** @typedef {{payments: Payment[], exact: boolean, via: string | null, currency: string | null, remainder: string | null}} Settled */
/** @typedef {Payment & {seq?: number, at?: string, isPaid?: boolean}} Row one that waits to be confirmed is paid and has no seq */

/** Payments are looked for among so many events, the newest: they come at the end. */
const LOOKED_AT = 500;

/** @param {import("./sitting.js").Sitting} sitting @param {string} [via] */
export function useSettled(sitting, via = "") {
  const [settled, setSettled] = useState(/** @type {Settled | null} */ (null));
  const [paid, setPaid] = useState(/** @type {Row[]} */ ([]));
  const [closedAt, setClosedAt] = useState("");
  const [upTo, setUpTo] = useState(0);
  const [problem, setProblem] = useState("");
  const seq = sitting.seq.value;
  useEffect(() => {
    let late = false;
    const look = async () => {
      const after = Math.max(0, seq - LOOKED_AT);
      const [found, log] = await Promise.all([sitting.read(`/settlement${via ? `?via=${via}` : ""}`), sitting.read(`/events?after=${after}&limit=${LOOKED_AT}`)]);
      if (late) return;
      const standing = log.events.filter((/** @type {any} */ each) => each.status !== "taken_back");
      const struck = standing.filter((/** @type {any} */ each) => inEffect(each, log.events).type === "settlement_paid");
      setSettled(found);
      setUpTo(seq);
      setPaid(struck.map((/** @type {any} */ each) => ({ ...pick(inEffect(each, log.events)), seq: each.seq, at: each.recorded_at, isPaid: true })));
      setClosedAt(standing.findLast((/** @type {any} */ each) => each.type === "session_closed")?.recorded_at ?? "");
      setProblem("");
    };
    look().catch((failed) => setProblem(failed instanceof Refused ? failed.problem.detail : settled ? "" : t("Without a connection this cannot be shown.")));
    return () => {
      late = true;
    };
  }, [seq, via]);
  const rows = settled ? rowsOf(sitting, settled, paid) : null;
  return { settled, rows, closedAt, isOld: upTo < seq, problem };
}

/** @param {any} event @returns {Payment} */
const pick = ({ from, to, amount }) => ({ from, to, amount });

/** Each payment once, as this phone has reported it by now. @param {import("./sitting.js").Sitting} sitting @param {Settled} settled @param {Row[]} paid @returns {Row[]} */
function rowsOf(sitting, settled, paid) {
  const waiting = sitting.waiting.value.flatMap((report) => report.events);
  const reported = waiting.filter((each) => each.type === "settlement_paid").map((each) => ({ ...pick(each), isPaid: true }));
  const isReported = (/** @type {Row} */ row) => reported.some((each) => each.from === row.from && each.to === row.to && each.amount === row.amount);
  const isUndone = (/** @type {Row} */ row) => waiting.some((each) => each.type === "event_taken_back" && each.seq === row.seq);
  return [...settled.payments.filter((each) => !isReported(each)), ...reported, ...paid.filter((each) => !isUndone(each))];
}
