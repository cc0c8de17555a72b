/**
 * What others record, as they do: server-sent events, read with fetch because a browser's own reader sends no token.
 */
import { Refused, Unreachable, request } from "./api.js";

/** @typedef {import("./types.js").StoredEvent} StoredEvent */

const AGAIN = 500;
const LONGEST = 10000;
/** A comment comes each quarter of a minute; who hears nothing for longer is cut off. In milliseconds. */
const SILENCE = 40000;
/** Longer than that out of sight is sleep, in milliseconds. */
const SLEPT = 5000;

/**
 * Follow a session until `leaving` says otherwise; after sleep or a lost connection it goes on where it was.
 * @param {string} path @param {() => string | null} token @param {() => number} seen the last seq that is known
 * @param {{recorded: (event: StoredEvent) => void, unheard: (failed: unknown) => void, ahead: () => Promise<void>}} listener `ahead` hears that the log ends before what was seen @param {AbortSignal} leaving
 */
export async function follow(path, token, seen, listener, leaving) {
  let wait = AGAIN;
  while (!leaving.aborted) {
    const connection = new AbortController();
    const cut = () => connection.abort();
    leaving.addEventListener("abort", cut, { once: true });
    addEventListener("online", cut);
    document.addEventListener("visibilitychange", wakes(cut), { signal: connection.signal });
    try {
      const options = { token: token(), signal: connection.signal, headers: { Accept: "text/event-stream" } };
      const answer = await request("GET", `${path}/stream?after=${seen()}`, options);
      for await (const event of events(answer, connection)) {
        wait = AGAIN;
        listener.recorded(event);
      }
    } catch (failed) {
      if (leaving.aborted) return;
      if (failed instanceof Unreachable || failed instanceof Refused) listener.unheard(failed);
      if (failed instanceof Refused && failed.problem.code === "no_such_event") await listener.ahead();
      if (failed instanceof Refused && [401, 403, 404].includes(failed.problem.status)) return;
      wait = Math.min(wait * 2, LONGEST);
    } finally {
      leaving.removeEventListener("abort", cut);
      removeEventListener("online", cut);
      connection.abort();
    }
    await pause(wait, leaving);
  }
}

/** Who slept may hold a connection that is dead without knowing it: begin anew. @param {() => void} anew */
function wakes(anew) {
  let since = 0;
  return () => {
    if (document.visibilityState === "hidden") since = Date.now();
    else if (since && Date.now() - since > SLEPT) anew();
  };
}

/** @param {Response} answer @param {AbortController} connection @returns {AsyncGenerator<StoredEvent>} */
async function* events(answer, connection) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const deaf = setTimeout(() => connection.abort(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(deaf));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const told = text.split("\n\n");
    text = told.pop() ?? "";
    for (const each of told) {
      const data = each.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
      if (data.length) yield JSON.parse(data.join("\n"));
    }
  }
}

/** Wait, or until the network or the reader is back. @param {number} milliseconds @param {AbortSignal} leaving */
function pause(milliseconds, leaving) {
  return new Promise((resolve) => {
    const heard = new AbortController();
    const wake = () => {
      clearTimeout(timer);
      heard.abort();
      resolve(undefined);
    };
    const timer = setTimeout(wake, milliseconds);
    addEventListener("online", wake, { signal: heard.signal });
    document.addEventListener("visibilitychange", wake, { signal: heard.signal });
    leaving.addEventListener("abort", wake, { once: true, signal: heard.signal });
  });
}
