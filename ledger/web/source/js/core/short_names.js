/**
 * Names where room is short, such that no two people at a table are called the same.
 */

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const letters = (/** @type {string} */ text) => [...segmenter.segment(text)].map((each) => each.segment);

/** The least that a name is shortened to, in letters. */
const LEAST = 3;

/**
 * A name that is too long loses its middle, so that both ends can still be told apart.
 * @param {string} name @param {number} most
 */
export function shortened(name, most = 12) {
  const all = letters(name);
  if (all.length <= most) return name;
  const front = Math.ceil((most - 1) / 2);
  return `${all.slice(0, front).join("")}…${all.slice(all.length - (most - 1 - front)).join("")}`;
}

/** Names without the surname that others share, before or behind; where that leaves nothing or two of the same, as they are. @param {string[]} names */
function bare(names) {
  const words = names.map((name) => name.split(/\s+/u).filter(Boolean));
  const shared = (/** @type {number} */ own, /** @type {number} */ place) => words.some((each, at) => at !== own && each.length > 1 && each.at(place) === words[own]?.at(place));
  const without = names.map((name, own) => {
    const mine = words[own] ?? [];
    if (mine.length < 2) return name;
    return shared(own, 0) ? mine.slice(1).join(" ") : shared(own, -1) ? mine.slice(0, -1).join(" ") : name;
  });
  return without.map((short, own) => (without.some((each, at) => at !== own && (each === short || names[at] === short)) ? (names[own] ?? "") : short));
}

/**
 * Names of at most so many letters each. Those that would be the same are numbered in their order (Aki 1, Aki 2); a number
 * that makes somebody else's name is passed over.
 * @param {string[]} names @param {number} [most] @returns {string[]}
 */
export function uniqueNames(names, most = Infinity) {
  const short = names.map((name) => shortened(name, most));
  const seen = short.map(lookalikeKey);
  const taken = new Set(seen);
  if (taken.size === short.length) return short;
  return short.map((name, own) => {
    if (seen.every((each, at) => at === own || each !== seen[own])) return name;
    let number = 1;
    while (taken.has(lookalikeKey(numbered(names[own] ?? "", number, most)))) number += 1;
    const free = numbered(names[own] ?? "", number, most);
    taken.add(lookalikeKey(free));
    return free;
  });
}

/** The same key for names that look the same. @param {string} name */
const lookalikeKey = (name) => name.normalize("NFKC").trim().replace(/\s+/gu, " ");

/** A name that ends with a number, in at most so many letters. @param {string} name @param {number} number @param {number} most */
function numbered(name, number, most) {
  const all = letters(name);
  const room = most - 1 - String(number).length;
  return all.length <= room ? `${name.trim()} ${number}` : `${all.slice(0, Math.max(1, room)).join("")}…${number}`;
}

/** Those of one table, worked out last. */
let last = { key: "", all: /** @type {string[][]} */ ([]) };

/** Everyone's names, from the whole one to the shortest. @param {string[]} names @returns {string[][]} */
export function shortNames(names) {
  const key = names.join("\n");
  if (key !== last.key) last = { key, all: ladders(names) };
  return last.all;
}

/** @param {string[]} names @returns {string[][]} */
function ladders(names) {
  const without = bare(names);
  const whole = uniqueNames(names);
  const less = uniqueNames(without);
  const most = Math.max(LEAST, ...less.map((each) => letters(each).length));
  /** @type {string[][]} */
  const shorter = [];
  for (let size = most - 1; size >= LEAST; size -= 1) shorter.push(uniqueNames(without, size));
  return names.map((name, own) => [...new Set([whole[own] ?? name, less[own] ?? name, ...shorter.map((each) => each[own] ?? name)])]);
}

/** One of these names in at most so many letters. @param {string[]} names @param {number} own @param {number} most */
export function shortName(names, own, most) {
  const all = shortNames(names)[own] ?? [];
  return all.find((each) => letters(each).length <= most) ?? all.at(-1) ?? "";
}
