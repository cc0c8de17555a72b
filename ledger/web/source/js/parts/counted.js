/**
 * The statistics of a session, asked again when a round has ended or something was corrected.
 */
import { useEffect, useState } from "../core/html.js";
import { isCorrection } from "../log/say.js";

/** @param {import("../core/sitting.js").Sitting} sitting @returns {any} null until they are here */
export function useStatistics(sitting) {
  const [statistics, setStatistics] = useState(null);
  const [corrected, setCorrected] = useState(0);
  const session = sitting.session.value;
  const last = sitting.last.value?.event;
  useEffect(() => {
    if (last && (isCorrection(last) || last.round === null)) setCorrected(last.seq);
  }, [last?.seq]);
  useEffect(() => void sitting.read("/statistics").then(setStatistics, () => undefined), [session?.rounds, session?.round === null, session?.status, corrected]);
  return statistics;
}
