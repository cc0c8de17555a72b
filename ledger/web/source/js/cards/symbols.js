/**
 * The drawn marks of every deck, each on a square of 24 by 24: put into the page once, used everywhere (`<use>`).
 *
 * Colours come from the classes around and within them (`css/cards.css`), so that they follow the paper, light or dark.
 */

/** Something turned around the middle, several times. @param {number} times @param {string} shape @param {number} [from] in degrees @param {number} [height] of the middle */
const around = (times, shape, from = 0, height = 12) =>
  Array.from({ length: times }, (_, turn) => `<g transform="rotate(${from + (turn * 360) / times} 12 ${height})">${shape}</g>`).join("");

/** Dots, each with its own middle. @param {number} radius @param {[number, number][]} middles @param {string} [ink] */
const dots = (radius, middles, ink = "") => middles.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${radius}" class="${ink}"/>`).join("");

/** @type {Record<string, string>} */
const SUITS = {
  swords: `<path d="M12 .8 15 5.2V14.2H9V5.2Z"/><path d="M12 3.6V14.2" class="m-cut"/><path d="M6.2 14.2H17.8V16.8H6.2Z"/><path d="M10.6 16.8H13.4V20.6H10.6Z"/><circle cx="12" cy="21.6" r="1.9"/>`,
  cups: `<path d="M4.6 2.4H19.4C19.6 9 17.4 13.3 13.5 14.4V18.4C15.6 18.8 17 19.8 17.4 21.6H6.6C7 19.8 8.4 18.8 10.5 18.4V14.4C6.6 13.3 4.4 9 4.6 2.4Z"/><path d="M7.3 5.3C7.6 8.2 8.3 10 9.6 11.2" class="m-cut"/>`,
  coins: `<path fill-rule="evenodd" d="M12 1.8A10.2 10.2 0 1 1 12 22.2 10.2 10.2 0 0 1 12 1.8ZM8.7 8.7V15.3H15.3V8.7Z"/><circle cx="12" cy="12" r="7.9" class="m-cut"/>`,
  clubs: `<g transform="rotate(45 12 12)"><path d="M8.7 3.2A3.3 3.3 0 0 1 15.3 3.2V20.8A3.3 3.3 0 0 1 8.7 20.8Z"/><path d="M15 8.6 18.6 6.6 17.6 10.6 15 12.4ZM9 15.4 5.4 13.4 6.4 17.4 9 19.2Z"/><path d="M10.2 6.8H13.8M10.2 12H13.8M10.2 17.2H13.8" class="m-cut"/></g>`,
  spades: `<path d="M12 1.4C9.8 5.8 3 9.2 3 14.1A4.5 4.5 0 0 0 10.9 17C10.8 19.4 9.8 21.2 8 22.4H16C14.2 21.2 13.2 19.4 13.1 17A4.5 4.5 0 0 0 21 14.1C21 9.2 14.2 5.8 12 1.4Z"/>`,
  hearts: `<path d="M12 22C5.4 16.2 2.2 12.6 2.2 8.2A5.3 5.3 0 0 1 12 5.4 5.3 5.3 0 0 1 21.8 8.2C21.8 12.6 18.6 16.2 12 22Z"/>`,
  diamonds: `<path d="M12 1.2C14.2 5.2 17 8.8 20.4 12 17 15.2 14.2 18.8 12 22.8 9.8 18.8 7 15.2 3.6 12 7 8.8 9.8 5.2 12 1.2Z"/>`,
  "western-clubs": `<circle cx="12" cy="6.6" r="4.8"/><circle cx="6.6" cy="13.6" r="4.8"/><circle cx="17.4" cy="13.6" r="4.8"/><path d="M10.4 9.6H13.6L13.3 14.6C13.4 18.6 14.3 20.9 16 22.4H8C9.7 20.9 10.6 18.6 10.7 14.6Z"/>`,
};

/** The months' plants. @type {Record<string, string>} */
const MONTHS = {
  pine: `<path class="m-wood" d="M11 11H13V22.4H11Z"/><g class="m-green"><path d="M1.4 16A5.4 5.4 0 0 1 12 16Z"/><path d="M12 16A5.4 5.4 0 0 1 22.6 16Z"/><path d="M3.6 11A5.6 5.6 0 0 1 20.4 11Z"/><path d="M6.4 6A5.7 5.2 0 0 1 17.6 6Z"/></g>`,
  plum: `<g class="m-red">${around(5, '<circle cx="12" cy="6.1" r="4.7"/>')}</g><circle cx="12" cy="12" r="2.5" class="m-gold"/>${around(5, '<circle cx="12" cy="8" r=".8" class="m-paper"/>')}`,
  cherry: `<g class="m-pink">${around(5, '<path d="M12 12C8.2 9.8 7.4 5.6 9.6 2 10.6 2 11.4 2.8 12 4 12.6 2.8 13.4 2 14.4 2 16.6 5.6 15.8 9.8 12 12Z"/>')}</g>${around(5, '<path d="M12 12V7.4" class="m-thin m-red-line"/>', 36)}<circle cx="12" cy="12" r="1.7" class="m-red"/>`,
  wisteria: `<path class="m-green" d="M12 4.6C8.6 5.4 4.8 4.6 2 1.6 6 .2 10 1 12 4.6ZM12 4.6C15.4 5.4 19.2 4.6 22 1.6 18 .2 14 1 12 4.6Z"/><g class="m-violet">${dots(2.3, [[7.4, 7.6], [12, 7.2], [16.6, 7.6], [9, 11.4], [15, 11.4], [12, 12], [10.6, 15.6], [13.9, 15.9]])}<circle cx="12.2" cy="19.2" r="1.7"/><circle cx="12.2" cy="22.2" r="1.2"/></g>`,
  iris: `<path class="m-green" d="M4.4 22.6C4.8 18 4.2 14.6 2.4 11 6.4 13.6 8 17.4 8 22.6ZM19.6 22.6C19.2 18 19.8 14.6 21.6 11 17.6 13.6 16 17.4 16 22.6ZM11.1 13H12.9V22.6H11.1Z"/><g class="m-violet"><path d="M12 1C14.8 3.4 15 7.4 12 11.4 9 7.4 9.2 3.4 12 1Z"/><path d="M12 10.2C8.8 6.4 5.4 6.8 3.6 9.2 3.4 12.4 6.4 15 10.2 13.6ZM12 10.2C15.2 6.4 18.6 6.8 20.4 9.2 20.6 12.4 17.6 15 13.8 13.6Z"/><path d="M12 10C14.6 12.4 14.4 15.4 12 17.4 9.6 15.4 9.4 12.4 12 10Z"/></g><path class="m-gold" d="M12 10.6 13 14 12 15 11 14Z"/>`,
  peony: `<path class="m-green" d="M1 17.4C4.4 14.6 8 14.8 12 20 16 14.8 19.6 14.6 23 17.4 20.6 21.6 16.4 22.8 12 22.4 7.6 22.8 3.4 21.6 1 17.4Z"/><g class="m-red">${around(8, '<circle cx="12" cy="5.4" r="3.5"/>', 0, 10.6)}<circle cx="12" cy="10.6" r="5"/></g><g class="m-cut-wide"><path d="M8 8.4A5 5 0 0 1 16 8.4M7.4 12.4A5 5 0 0 0 16.6 12.4"/></g><circle cx="12" cy="10.6" r="2" class="m-gold"/>`,
  clover: `<path class="m-stem" d="M5 22.4C9 17 12.4 10.6 15.4 2M9.6 15.6C13.6 14.2 17 13.8 20.4 14.2M13 9.2C10 7.4 7.4 6.6 4.6 6.4"/><g class="m-green"><ellipse cx="15.6" cy="3.2" rx="2" ry="2.8"/><ellipse cx="11.4" cy="4.4" rx="1.8" ry="2.6"/><ellipse cx="18.8" cy="6" rx="2.6" ry="1.8"/><ellipse cx="20.2" cy="17" rx="2.6" ry="1.8"/><ellipse cx="17.6" cy="11.4" rx="2.5" ry="1.8"/><ellipse cx="6" cy="13.8" rx="2.6" ry="1.8"/></g><g class="m-red">${dots(1.9, [[4, 6.2], [6.8, 8.6], [21, 13.6], [14.6, 16.4], [9.4, 19.6]])}</g>`,
  susuki: `<path class="m-wood" d="M.8 22.6C2.6 16.8 7 14 12 14S21.4 16.8 23.2 22.6Z"/><g class="m-stem m-gold-line"><path d="M11 14.4C10.6 9 8.6 5.4 4.4 3M12 14.2C12.2 8.4 12.4 5 11.4 1.4M13.2 14.4C14 9.4 15.8 6 19.8 4"/></g><g class="m-gold"><path d="M2 1.6C5 1.8 7.2 3.8 8 6.6 5 6.4 3 4.6 2 1.6ZM10.4.4C13 2 13.6 4.6 12.4 7.4 10.4 5.4 9.8 3 10.4.4ZM22 2.6C19 2.6 16.8 4.6 16 7.6 19 7.4 21.2 5.6 22 2.6Z"/></g>`,
  chrysanthemum: `<g class="m-gold">${around(12, '<path d="M12 12C10 8.6 9.8 4.4 12 1 14.2 4.4 14 8.6 12 12Z"/>')}</g>${around(12, '<path d="M12 9V3.4" class="m-cut"/>', 15)}<circle cx="12" cy="12" r="2.6" class="m-red"/>`,
  maple: `<path class="m-red" d="M12 .8 14.2 6.2 17.6 3.6 17.4 8.2 22.8 7.2 19.4 11.4 23 14.4 17.6 15.2 18 19.2 13 16.6 12.7 23.2H11.3L11 16.6 6 19.2 6.4 15.2 1 14.4 4.6 11.4 1.2 7.2 6.6 8.2 6.4 3.6 9.8 6.2Z"/><path class="m-cut" d="M12 5V16M12 14.6 6.4 9.4M12 14.6 17.6 9.4"/>`,
  willow: `<path class="m-stem" d="M2 2.2C8 .8 16 .8 22 2.2M5 2C4.4 8 4.4 14 5.4 21M10 1.4C9.4 8 9.8 13.6 10.4 18M15 1.4C15 8 14.6 14.4 13.8 22.4M19.6 2C20.2 8 20 12.6 19 18"/><g class="m-green"><path d="M4.8 7 1.6 11.4 4.8 10.6ZM5 13 8 17.2 5.2 16.4ZM10 6 13 10.4 9.9 9.4ZM10 11.6 7 15.8 10.2 15ZM15 9 18 13.4 14.8 12.4ZM14.4 15 11.4 19.4 14.2 18.6ZM20 6 23 10.4 20 9.4ZM19.8 11 16.8 15.4 19.4 14.6Z"/></g>`,
  paulownia: `<path class="m-green" d="M12 12.6C9 10.6 5 10.8 1 14.4 2.6 15 2.4 16.6 2 18 4.6 17.4 5.6 18.6 6 20.4 8 18.8 10.4 19.6 12 23.4 13.6 19.6 16 18.8 18 20.4 18.4 18.6 19.4 17.4 22 18 21.6 16.6 21.4 15 23 14.4 19 10.8 15 10.6 12 12.6Z"/><path class="m-cut" d="M12 14V20.4M10.4 14.6 5 15.6M13.6 14.6 19 15.6"/><g class="m-violet">${dots(1.35, [[12, 1.6], [10.4, 3.8], [13.6, 3.8], [10.2, 6.6], [13.8, 6.6], [12, 9], [5, 5.4], [3.6, 7.8], [6.4, 7.8], [5, 10], [19, 5.4], [17.6, 7.8], [20.4, 7.8], [19, 10]])}</g>`,
};

/** The classes of hanafuda; what a chaff card is counted by stands in strokes. @type {Record<string, string>} */
const CLASSES = {
  bright: `<g class="m-gold"><circle cx="12" cy="12" r="5.6"/>${around(8, '<path d="M10.7 4.6 12 .6 13.3 4.6Z"/>')}</g>`,
  animal: `<path class="m-ink" d="M1.2 7.4C5.6 6.4 8.6 8 10.4 11 11.4 6.6 14.6 3.6 19.6 3 18.6 5.2 18.4 7 18.6 8.6 21 9.2 22.4 10.6 22.8 12.8L19.4 12.6C19 17 15.4 20.2 10.4 20.2 8 20.2 5.6 21 3.4 22.4 3.6 19.4 4.8 17.4 6.8 16 4.2 13.8 2.2 11 1.2 7.4Z"/><circle cx="19.2" cy="11" r=".9" class="m-paper"/>`,
  ribbon: `<path class="m-red" d="M7.6 1.4 17.6 3 15.6 22.6 5.6 21Z"/><path class="m-cut" d="M12.4 5.4 11 18.8"/>`,
  "blue-ribbon": `<path class="m-blue" d="M7.6 1.4 17.6 3 15.6 22.6 5.6 21Z"/><path class="m-cut" d="M12.4 5.4 11 18.8"/>`,
  "chaff-1": `<path class="m-stroke" d="M12 3V21"/>`,
  "chaff-2": `<path class="m-stroke" d="M8 3V21M16 3V21"/>`,
  "chaff-3": `<path class="m-stroke" d="M5 3V21M12 3V21M19 3V21"/>`,
  lightning: `<path class="m-gold" d="M14.6.8 4.6 13.6H11L8.4 23.2 19.4 9.6H12.8Z"/>`,
};

/** Bars, as a kabufuda counts them: five a column. @param {number} count */
function bars(count) {
  const first = Math.min(count, 5);
  const top = 12 - first * 2.1 + 0.8;
  const column = (/** @type {number} */ many, /** @type {number} */ x, /** @type {number} */ width) =>
    Array.from({ length: many }, (_, at) => `<rect x="${x}" y="${(top + at * 4.2).toFixed(1)}" width="${width}" height="2.6" rx="1.1"/>`).join("");
  return count > 5 ? column(first, 1, 10) + column(count - 5, 13, 10) : column(first, 5, 14);
}

const SYMBOLS = {
  ...SUITS,
  ...MONTHS,
  ...CLASSES,
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`bars-${at + 1}`, bars(at + 1)])),
};

/** Put all marks into the page, out of sight; a second time does nothing. */
export function inject() {
  if (document.getElementById("fuda-marks")) return;
  const all = Object.entries(SYMBOLS).map(([name, drawn]) => `<symbol id="mark-${name}" viewBox="0 0 24 24">${drawn}</symbol>`);
  document.body.insertAdjacentHTML("beforeend", `<svg id="fuda-marks" class="hidden" aria-hidden="true" focusable="false">${all.join("")}</svg>`);
}

/** Whether there is a drawing of that name. @param {string} name */
export const isDrawn = (name) => name in SYMBOLS;
