/**
 * Drafts: what was typed or tapped and is not recorded yet. The phone stores each until it is recorded or discarded, so
 * that neither a reload nor another view loses it. The start has one, and each session.
 */
import { signal } from "@preact/signals";
import { store, stored } from "./storage.js";

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
