/**
 * Drafts: what was typed or tapped and is not recorded yet. The phone stores each until it is recorded or discarded, so
 * that neither a reload nor another view loses it. The start has one, each session, and each form of a session
 * (`{session}/{form}`).
 */
import { signal } from "@preact/signals";
import { store, stored, storedUnder } from "./storage.js";

/** @typedef {import("@preact/signals").Signal<Record<string, any> | null>} Draft */

/** @type {Map<string, Draft>} */
const drafts = new Map();

/** @param {string} name @returns {Draft} */
function of(name) {
  let draft = drafts.get(name);
  if (!draft) {
    draft = signal(read(name));
    drafts.set(name, draft);
  }
  return draft;
}

/** @param {string} name @returns {Record<string, any> | null} */
function read(name) {
  try {
    return JSON.parse(stored(`fuda.draft.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** The draft of a session, if there is one about this: a round's turn, a card's auction. @param {string} name @param {string} about */
export function draftOf(name, about) {
  const draft = of(name).value;
  return draft?.about === about ? draft : null;
}

/** @param {string} name @param {string} about @param {Record<string, any>} draft */
export function saveDraft(name, about, draft) {
  of(name).value = { ...draft, about };
  store(`fuda.draft.${name}`, JSON.stringify(of(name).value));
}

/** It was recorded, or nobody wants it, or it makes no sense any more. @param {string} name */
export function discardDraft(name) {
  of(name).value = null;
  store(`fuda.draft.${name}`, null);
}

/** A session's own and those of its forms. @param {string} session */
export function discardAll(session) {
  const stored = storedUnder(`fuda.draft.${session}/`).map((each) => each.slice("fuda.draft.".length));
  const known = [...drafts.keys()].filter((each) => each.startsWith(`${session}/`));
  for (const name of new Set([session, ...known, ...stored])) discardDraft(name);
}

/**
 * A form of a session as it was left; `sent` is with what key it was sent and not answered yet (`once.js`).
 * @template {Record<string, any>} F
 * @param {string} session @param {string} name @param {F} blank @param {string} [about] what it is about: of anything else there is none
 */
export function keptForm(session, name, blank, about = "") {
  const key = `${session}/${name}`;
  const kept = draftOf(key, about);
  return {
    isKept: kept !== null,
    form: /** @type {F & {sent?: [string, string]}} */ ({ ...blank, ...kept }),
    change: (/** @type {Partial<F> & {sent?: [string, string]}} */ part) => saveDraft(key, about, { ...blank, ...draftOf(key, about), ...part }),
    discard: () => discardDraft(key),
  };
}

/** @typedef {Pick<ReturnType<typeof keptForm>, "isKept" | "form" | "change" | "discard">} Kept */
