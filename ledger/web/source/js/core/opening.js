/**
 * Opening an evening: a new one, or the next one of the same people. The key that comes with it is kept on this phone.
 */
import { signal } from "@preact/signals";
import { call } from "./api.js";
import { keep } from "./keys.js";
import { store, stored } from "./storage.js";

/** @typedef {import("./types.js").Session} Session */

const OPERATORS = "fuda.opening-key";
const UNKEPT = "fuda.unkept";

/** The operator's key, where a service asks for one before anybody opens a session; kept only if that is wished. */
export const operatorsKey = signal(stored(OPERATORS) ?? "");

/** @param {string} key @param {boolean} forLong */
export function rememberOperatorsKey(key, forLong) {
  operatorsKey.value = key;
  store(OPERATORS, forLong ? key : null);
}

/** A sample, in the round notation: its people have sat down and something is recorded. @typedef {{sample: string}} Sample */

/**
 * @param {Record<string, unknown> | Sample} body @param {Record<string, string>} headers with a key, so that nothing is opened twice
 * @returns {Promise<string>} the session's id
 */
export async function openEvening(body, headers) {
  const { sample } = /** @type {Partial<Sample>} */ (body);
  const asked = sample ? { body: sample, headers: { ...headers, "Content-Type": "text/plain" } } : { body, headers };
  const { session, link } = await call("POST", sample ? "/v1/sessions/import" : "/v1/sessions", { ...asked, token: operatorsKey.value || null });
  keep({ id: session.id, token: link.token, role: link.role, name: session.name, game: session.game, status: session.status, people: seated(session), played: session.played_on, sample: Boolean(sample) });
  if (sample) return session.id;
  unkept.value = [...unkept.value, session.id].slice(-5);
  store(UNKEPT, JSON.stringify(unkept.value));
  return session.id;
}

/** @param {Session} session */
const seated = (session) => session.players.filter((each) => each.active).map((each) => each.name);

/** Sessions whose key nobody has put anywhere else yet. @type {import("@preact/signals").Signal<string[]>} */
export const unkept = signal(JSON.parse(stored(UNKEPT) ?? "[]"));

/** The key was kept, or nobody wants to. @param {string} id */
export function keyIsKept(id) {
  unkept.value = unkept.value.filter((each) => each !== id);
  store(UNKEPT, JSON.stringify(unkept.value));
}
