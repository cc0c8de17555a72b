/**
 * What a phone is told once: whether it was, by its name.
 */
import { signal } from "@preact/signals";
import { store, stored } from "./storage.js";

const KEPT = "fuda.told";

/** @type {import("@preact/signals").Signal<string[]>} */
const told = signal((stored(KEPT) ?? "").split(" "));

/** @param {string} what */
export const isTold = (what) => told.value.includes(what);

/** @param {string} what */
export function wasTold(what) {
  told.value = [...told.value, what];
  store(KEPT, told.value.join(" ").trim());
}
