/**
 * The address under which other phones reach this service, and links with it.
 */
import { signal } from "@preact/signals";
import { address } from "./router.js";
import { store, stored } from "./storage.js";

const KEPT = "fuda.origin";
const ALONE = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];

/** Whether this page was opened by an address that means this very device on any other. */
export const alone = ALONE.includes(location.hostname) || location.hostname.endsWith(".localhost");

/** What was said to be the address for others. */
export const told = signal(alone ? (stored(KEPT) ?? "") : "");

/** @param {string} text as somebody typed it, as 192.168.1.5 @returns {string | null} an origin */
export function originOf(text) {
  const typed = text.trim();
  if (!typed) return null;
  try {
    const full = new URL(/^https?:\/\//i.test(typed) ? typed : `http://${typed}`);
    if (!/^https?:\/\//i.test(typed) && !full.port && location.port) full.port = location.port;
    return full.origin;
  } catch {
    return null;
  }
}

/** @param {string} text */
export function tell(text) {
  told.value = text;
  store(KEPT, text);
}

/** A link to a session, as it is shown or read by another phone. The token stands behind `#`, which no server sees. @param {string} session @param {string} token */
export const linkTo = (session, token) => `${originOf(told.value) ?? location.origin}/${address(session)}?t=${token}`;
