/**
 * The page's own words, in the reader's language, and how that language writes numbers and days.
 *
 * English stands in the code and is the key; other languages come from the service's catalogues. Texts of the rules come
 * from the API in every language (`say`), so a new game brings its own.
 */
import { computed, signal } from "@preact/signals";
import { store, stored } from "./storage.js";

/** @typedef {{en: string, ja: string}} Texts what the API says in every language */
/** @typedef {string | number} Word */

export const LANGUAGES = /** @type {const} */ (["en", "ja"]);
/** @typedef {(typeof LANGUAGES)[number]} Language */

const KEPT = "fuda.language";
const TABLE = "fuda.table-words";

/** @type {import("@preact/signals").Signal<Language>} */
export const language = signal(chosen());

/** @type {import("@preact/signals").Signal<Record<string, string | string[]>>} */
const catalogue = signal({});

/** Whether a table's own words stand for those of the books, where the language has such. */
export const tableWords = signal(stored(TABLE) === "yes");
/** @type {import("@preact/signals").Signal<Record<string, string>>} */
const instead = signal({});
/** The names of those at the table, which are never read as words. @type {import("@preact/signals").Signal<string[]>} */
export const namesHere = signal([]);

/** The words of the page in another language; English needs none. The build says where they are (`WORDS`). */
async function learn(/** @type {Language} */ wanted) {
  [catalogue.value, instead.value] = await Promise.all([wordsAt(WORDS[wanted]), wordsAt(tableWords.value && WORDS[`${wanted}-table`])]);
}

/** @param {string | false | undefined} address */
async function wordsAt(address) {
  const answer = address ? await fetch(address) : null;
  return answer?.ok ? answer.json() : {};
}

export function toggleTableWords() {
  tableWords.value = !tableWords.value;
  store(TABLE, tableWords.value ? "yes" : null);
  void speak();
}

const literally = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const words = computed(() => Object.keys(instead.value));
/** A text as the table says it, before a name is in it. @param {string} text @param {string[]} names to leave as they are */
const spoken = (text, names = []) => (words.value.length ? text.replace(new RegExp([...names.map(literally), ...words.value].join("|"), "g"), (word) => (names.includes(word) ? word : (instead.value[word] ?? word))) : text);
/** What the service said, as the table says it. @param {string} sentence */
export const heard = (sentence) => spoken(sentence, namesHere.value);

/** @returns {Language} by hand, or else as the browser prefers */
function chosen() {
  const kept = stored(KEPT);
  const wanted = kept ? [kept] : navigator.languages;
  for (const each of wanted) {
    const short = LANGUAGES.find((known) => each.toLowerCase().startsWith(known));
    if (short) return short;
  }
  return "en";
}

/** Have the page in a language from now on; without one, as it was chosen before. */
export async function speak(/** @type {Language} */ wanted = language.value, byHand = false) {
  if (byHand) store(KEPT, wanted);
  await learn(wanted).catch(() => {});
  language.value = wanted;
  document.documentElement.lang = wanted;
}

/** @param {string} text @param {Record<string, Word>} facts */
function filled(text, facts) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const fact = facts[name];
    return fact === undefined ? whole : typeof fact === "number" ? number(fact) : fact;
  });
}

/** Say one of the page's own texts. @param {string} text @param {Record<string, Word>} [facts] */
export function t(text, facts = {}) {
  const known = catalogue.value[text];
  return filled(spoken(typeof known === "string" ? known : text), facts);
}

/**
 * Say one of the page's own texts that counts something; `{count}` in it is how many.
 * @param {string} one @param {string} other @param {number} count @param {Record<string, Word>} [facts]
 */
export function tn(one, other, count, facts = {}) {
  const forms = [catalogue.value[one] ?? [one, other]].flat();
  const which = plurals.value.select(count) === "one" ? 0 : forms.length - 1;
  return filled(spoken(forms[which] ?? other), { count, ...facts });
}

/** What the API says, in the reader's language. @param {Texts | null | undefined} texts */
export const say = (texts) => (texts ? spoken(texts[language.value] ?? texts.en) : "");

const plurals = computed(() => new Intl.PluralRules(language.value));
const plain = computed(() => new Intl.NumberFormat(language.value));
const withSign = computed(() => new Intl.NumberFormat(language.value, { signDisplay: "exceptZero" }));
const moments = computed(() => new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }));
const days = computed(() => new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeZone: "UTC" }));
const clock = computed(() => new Intl.DateTimeFormat(language.value, { timeStyle: "short" }));
const lists = computed(() => new Intl.ListFormat(language.value, { type: "conjunction" }));

/** @param {number} count */
export const number = (count) => plain.value.format(count).replace("-", "−");
/** A gain or a loss, with its sign. @param {number} chips */
export const signed = (chips) => withSign.value.format(chips).replace("-", "−");
/** A day and a time. @param {string} at as the API writes it */
export const moment = (at) => moments.value.format(new Date(at));
/** A day. @param {string} day as the API writes it: 2026-11-20 */
export const dayOf = (day) => days.value.format(new Date(`${day}T00:00:00Z`));
/** A time of the day. @param {string} at */
export const time = (at) => clock.value.format(new Date(at));
/** Several names. @param {Iterable<string>} names */
export const listed = (names) => lists.value.format(names);
