/**
 * The public API over fetch, as any other client uses it. A token stands in a header and nowhere else.
 */
import { language, heard } from "./words.js";

/** @typedef {import("./types.js").Problem} Problem */

/** The service said no, and why. */
export class Refused extends Error {
  /** @param {Problem} problem @param {number} retryAfter in seconds, 0 if nothing was said */
  constructor(problem, retryAfter = 0) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed a little later. */
  get passes() {
    return this.problem.status === 429 || this.problem.status >= 500;
  }
}

/** Nobody answered: no network, or the service is down. Whether the request was heard is not known. */
export class Unreachable extends Error {}

/** @typedef {{token?: string | null, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal, patience?: number, cache?: RequestCache}} Asked */

/**
 * Ask, and give the answer as it is; a refusal is thrown.
 * @param {string} method @param {string} path below the service's address, as "/v1/games"
 * @param {Asked} [asked] @returns {Promise<Response>}
 */
export async function request(method, path, { token, body, headers = {}, signal, patience = 15000, cache } = {}) {
  /** @type {Record<string, string>} */
  const said = { "Accept-Language": language.value, ...headers };
  if (token) said.Authorization = `Bearer ${token}`;
  if (body !== undefined) said["Content-Type"] ??= "application/json";
  const late = signal ?? AbortSignal.timeout(patience);
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: said,
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      signal: late,
      cache,
      referrerPolicy: "no-referrer",
      credentials: "omit",
    });
  } catch (failed) {
    if (signal?.aborted) throw failed;
    throw new Unreachable(String(failed));
  }
  if (answer.ok || answer.status === 304) return answer;
  const wait = Number(answer.headers.get("Retry-After")) || 0;
  throw new Refused(await problemOf(answer), wait);
}

/** @param {Response} answer @returns {Promise<Problem>} */
async function problemOf(answer) {
  try {
    return JSON.parse(heard(await answer.text()));
  } catch {
    return { status: answer.status, code: "unknown", title: answer.statusText, detail: answer.statusText };
  }
}

/** Ask, and give what the body says. @param {string} method @param {string} path @param {Asked} [asked] @returns {Promise<any>} */
export async function call(method, path, asked) {
  const answer = await request(method, path, asked);
  if (answer.status === 204) return null;
  try {
    return await answer.json();
  } catch (failed) {
    throw new Unreachable(String(failed));
  }
}

/** A key that nobody can guess, for a request that must not count twice. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** All of a list, page by page. @param {string} path @param {string} name of the list in an answer @param {Asked} [asked] */
export async function all(path, name, asked) {
  const found = [];
  for (let next = path; next; ) {
    const page = await call("GET", next, asked);
    found.push(...page[name]);
    next = page.next;
  }
  return found;
}
