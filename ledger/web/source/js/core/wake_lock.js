/**
 * A screen that stays on while a view is shown, where a browser lets a page ask for it; it lets go whenever the page is hidden.
 */
import { useEffect } from "./html.js";

export function useWakeLock() {
  useEffect(() => {
    /** @type {WakeLockSentinel | null} */
    let held = null;
    let over = false;
    const hold = async () => {
      if (over || document.visibilityState === "hidden" || !navigator.wakeLock) return;
      held = await navigator.wakeLock.request("screen").catch(() => null);
      if (over) void held?.release();
    };
    void hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", hold);
      void held?.release();
    };
  }, []);
}
