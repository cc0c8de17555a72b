/**
 * The drawn marks of every deck, each on a square of 24 by 24: put into the page once, used everywhere (`<use>`).
 *
 * Colours come from the classes around and within them (`css/faces.css`), so that they follow the paper, light or dark;
 * fine lines (`m-cut`) are left out where a mark is very small.
 */

/** A path in an ink of `css/faces.css`. @param {string} ink @param {string} path */
const inked = (ink, path) => `<path class="m-${ink}" d="${path}"/>`;

/** The same path several times, turned around a point from which it is drawn upwards. @param {string} ink @param {string} path @param {number[]} angles @param {number} [x] @param {number} [y] @param {number} [scale] */
const turned = (ink, path, angles, x = 12, y = 12, scale = 1) =>
  angles.map((angle) => `<path class="m-${ink}" transform="translate(${x} ${y})rotate(${angle})scale(${scale})" d="${path}"/>`).join("");

/** So many angles, evenly around. @param {number} count @param {number} [first] */
const around = (count, first = 0) => Array.from({ length: count }, (_, at) => first + (at * 360) / count);

/** A path around a dot of some radius. @param {number} x @param {number} y @param {number} r */
const dot = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0 ${r} ${r} 0 1 1${-2 * r} 0Z`;

/** @param {number} radius @param {[number, number][]} middles */
const dots = (radius, middles) => middles.map(([x, y]) => dot(x, y, radius)).join("");

/** A half and its other half. @param {string} drawn */
const mirrored = (drawn) => `${drawn}<g transform="matrix(-1 0 0 1 24 0)">${drawn}</g>`;

/** @type {Record<string, string>} */
const SUITS = {
  swords: inked("own", "M12 .2 15.6 5V14.2H17.4A1.4 1.4 0 0 1 17.4 17H13.6V19.4A2.2 2.2 0 1 1 10.4 19.4V17H6.6A1.4 1.4 0 0 1 6.6 14.2H8.4V5Z") + inked("cut", "M12 4.4V12.2"),
  cups: inked("own", "M4.6 1.8H19.4C19.8 8.4 17.8 12.8 13.7 14.2V17.9C16 18.3 17.5 19.7 17.8 22.2H6.2C6.5 19.7 8 18.3 10.3 17.9V14.2C6.2 12.8 4.2 8.4 4.6 1.8Z") + inked("cut", "M7.6 4.8C7.8 8 8.7 10 10.2 11.3"),
  coins: inked("own", `${dot(12, 12, 10.3)}M8.7 8.7V15.3H15.3V8.7Z`) + inked("cut", dot(12, 12, 7.9)),
  clubs: `<g transform="rotate(45 12 12)">${inked("own", `M12-1.8C15.8-1.8 17.2 1.4 16.6 5.2L14 22.6A2 2 0 0 1 10 22.6L7.4 5.2C6.8 1.4 8.2-1.8 12-1.8Z${dot(12, 23.4, 2.6)}${dots(2.2, [[16.4, 5], [7.3, 8.6], [15.4, 12.8]])}`)}${inked("cut", "M14.8 3.2A2.4 2.4 0 0 0 14.8 6.8M9 6.8A2.4 2.4 0 0 1 9 10.4M13.7 11.2A2.2 2.2 0 0 0 13.7 14.4")}</g>`,
  spades: inked("own", "M12 1.2C9.8 5.6 2.8 9 2.8 14.2A4.6 4.6 0 0 0 10.9 17.1C10.8 19.5 9.8 21.3 8 22.6H16C14.2 21.3 13.2 19.5 13.1 17.1A4.6 4.6 0 0 0 21.2 14.2C21.2 9 14.2 5.6 12 1.2Z"),
  hearts: inked("own", "M12 21.8C5.6 16.2 2.2 12.8 2.2 8.4A5.3 5.3 0 0 1 12 5.6 5.3 5.3 0 0 1 21.8 8.4C21.8 12.8 18.4 16.2 12 21.8Z"),
  diamonds: inked("own", "M12 1.2C14.2 5.2 17 8.8 20.4 12 17 15.2 14.2 18.8 12 22.8 9.8 18.8 7 15.2 3.6 12 7 8.8 9.8 5.2 12 1.2Z"),
  "western-clubs": inked("own", `${dots(4.9, [[12, 6.3], [6.7, 13.8], [17.3, 13.8]])}M10.2 9H13.8L13.3 14.6C13.4 18.8 14.3 21 16 22.6H8C9.7 21 10.6 18.8 10.7 14.6Z`),
};

const LEAF = "M0 0C-3.2-3-3.2-6.4 0-10 3.2-6.4 3.2-3 0 0Z";
const LOBE = "M0 2C-5-2.6-3.4-7.6 0-12.8 3.4-7.6 5-2.6 0 2Z";
const OVAL = "M0 .4A2.3 3 0 0 1 0-6 2.3 3 0 0 1 0 .4Z";
const WILLOW = "M0 0C-1.8-2-1.6-4.4 0-6.6 1.6-4.4 1.8-2 0 0Z";

/** A cluster that hangs and tapers. @param {number} x @param {number} y @param {number} count @param {number} size */
const hanging = (x, y, count, size) =>
  Array.from({ length: count }, (_, at) => {
    const left = 1 - at / (count + 2);
    return dot(x + (at % 2 ? 1.5 : -1.5) * left * (at < count - 1 ? 1 : 0), y + at * size * 0.92, size * left);
  }).join("");

/** A fan of pine needles. @param {number} x @param {number} y @param {number} scale */
const pine = (x, y, scale) => turned("green", "M-6.4 1C-6.6-3-3.4-6 0-6S6.6-3 6.4 1Q0-1.6-6.4 1Z", [0], x, y, scale) + turned("cut", "M0-1.4V-5.6", [0, -34, 34, -66, 66], x, y + 0.6, scale);

/** The months' plants. @type {Record<string, string>} */
const MONTHS = {
  pine: inked("bough", "M12.6 23C12.8 18 10.6 14 12 8M12 19C15.4 18 17 17 17.6 14M11.6 20C9 19.4 7 19 6.2 17") + pine(12, 7.6, 1) + pine(6, 16, 0.9) + pine(18, 13.6, 0.88),
  plum: turned("red", dot(0, -6.9, 4.3), around(5)) + inked("gold", dot(12, 12, 2.4)) + turned("cut", "M0-4.4V-8", around(5)),
  cherry: turned("pink", "M0-1.2C-4.4-3.4-5-8-2-11.4L0-9.4 2-11.4C5-8 4.4-3.4 0-1.2Z", around(5)) + turned("red-line", "M0-2V-6", around(5)) + inked("red", dot(12, 12, 1.6)),
  wisteria: mirrored(inked("green", "M12 4.2C8.6 6 4.4 5.2 1 2.2 5.6-.2 10 .4 12 4.2Z") + inked("violet", hanging(4.8, 7.6, 6, 2))) + inked("violet", hanging(12, 6.8, 9, 2.5)),
  iris: inked("green", "M11 15H13V23H11Z") + mirrored(inked("green", "M6.6 23C6.9 20.8 6.2 19 4.4 17.2 7.6 18 9.2 20.2 9.4 23Z") + inked("violet", "M12.2 1V19.4C9.6 18 9 15.6 9.8 13 7 12.8 5 13.8 5 16.2 2.6 16.2 1.4 14 1.8 11 3.6 6.6 8.2 6.4 11 11.2 8.4 7.6 8.6 3.6 12.2 1Z")) + inked("gold", "M12 11.4C13.4 13.4 13.2 15 12 16.6 10.8 15 10.6 13.4 12 11.4Z"),
  peony: turned("green", LEAF, [-100, -136, 136, 100], 12, 14, 1.12) + turned("red", dot(0, -5.6, 3.8), around(8, 22.5), 12, 10.4) + inked("red", dot(12, 10.4, 6)) + inked("cut", "M6.4 8.2C7 5.4 9.4 4.4 11 6 12.6 4.2 16.8 5 17.6 8.4M7 12.8C8 15.4 10.6 15.8 12 14.2 13.6 15.8 16.2 15.2 17.2 12.4") + inked("gold", dot(12, 10.4, 2.2)),
  clover: inked("stem", "M4 23C8.4 17.6 12.2 12 14.4 7.4M8.6 16.6C11.6 15 14 14.6 16.6 15M7.6 18C5.8 15.4 5.2 13.4 5.2 11") + [[14.6, 7, 22], [5.2, 11.4, -6], [16.8, 15, 98]].map(([x, y, angle = 0]) => turned("green", OVAL, [angle, angle - 74, angle + 74], x, y, 0.82)).join("") + inked("red", dots(1.7, [[8.4, 4.6], [10.4, 8.6], [21, 9.4], [11.4, 18.6], [15.4, 21]])),
  susuki: [[3.4, 18.4, -20, 0.86], [6.6, 16, -10, 1.02], [10, 15, -2, 1.1], [13.4, 15, 6, 1.06], [16.6, 16, 12, 0.92], [19.2, 18, 18, 0.76]].map(([x = 0, y = 0, angle = 0, scale]) => turned("gold", "M-.7 1C-1.6-3.4-1-9.4 2.6-13 2.8-8.4 1.8-3.4.7 1Z", [angle], x, y, scale)).join("") + inked("ink", "M.4 23C2 17.6 6.6 14.4 12 14.4S22 17.6 23.6 23Z") + inked("cut", "M5.6 21.2C6.2 19.8 7 18.8 8.4 17.8M12 20.8V17.4M18.4 21.2C17.8 19.8 17 18.8 15.6 17.8"),
  chrysanthemum: turned("gold", "M0-1.6-2.1-9.2A2.1 2.1 0 0 1 2.1-9.2Z", around(12)) + inked("red", dot(12, 12, 2.7)),
  maple: inked("stalk", "M12 14C12 18 12.4 21 14 23") + turned("red", LOBE, [0, -45, 45], 12, 13) + turned("red", LOBE, [-88, 88], 12, 13, 0.86) + turned("red", LOBE, [-130, 130], 12, 13, 0.6) + turned("cut", "M0 0V-8", [0, -45, 45], 12, 13),
  willow: inked("stem", "M1.6 2C8 .6 16 .6 22.4 2M4.4 2C4 8 4.2 13 4.6 17M9.6 1.4C9.4 9 9.6 15 9.8 20M14.8 1.4C15 8 14.8 12 14.4 15M19.8 2C20.2 9 20 13 19.4 18.6") + [[4.3, 4, 9.4, 14], [9.5, 6.4, 12, 17], [14.9, 3.4, 8.4, 12.4], [20, 6, 11, 15.6]].map(([x = 0, ...ys]) => ys.map((y, at) => turned("green", WILLOW, [at % 2 ? 198 : 162], x, y)).join("")).join(""),
  paulownia: inked("green", "M12 12.4C9 10.4 5 10.4 1 14.2 2.6 15 2.4 16.6 2 18.2 4.6 17.4 5.6 18.6 6 20.6 8 19 10.4 19.6 12 23.6 13.6 19.6 16 19 18 20.6 18.4 18.6 19.4 17.4 22 18.2 21.6 16.6 21.4 15 23 14.2 19 10.4 15 10.4 12 12.4Z") + inked("cut", "M12 14V20.4M10.4 14.6 5 15.6M13.6 14.6 19 15.6") + inked("violet", dots(1.5, [[12, 1.8], [10.2, 4.6], [13.8, 4.6], [10.2, 7.8], [13.8, 7.8], [12, 10.4], [5.4, 5.2], [4, 8], [6.8, 8], [18.6, 5.2], [17.2, 8], [20, 8]])),
};

const SLIP = "M7.6 1.4 17.6 3 15.6 22.6 5.6 21Z";
const WRITING = inked("cut", "M12.6 5.4C11 8 13.4 9 11.8 11.6S12.4 15.6 11 18.8");

/** The classes of hanafuda; dots tell chaff cards of a month apart. @type {Record<string, string>} */
const CLASSES = {
  bright: inked("gold", dot(12, 12, 5.4)) + turned("gold", "M-1.6-7.2 0-11.6 1.6-7.2Z", around(8)),
  animal: inked("ink", "M1 7.6C5.4 6.4 8.6 8 10.4 11 11.4 6.6 14.6 3.6 19.8 2.8 18.6 5.2 18.4 7 18.6 8.6 21 9.2 22.4 10.6 22.8 12.8L19.4 12.6C19 17 15.4 20.2 10.4 20.2 8 20.2 5.6 21 3.4 22.4 3.6 19.4 4.8 17.4 6.8 16 4.2 13.8 2.2 11 1 7.6Z"),
  ribbon: inked("red", SLIP),
  "poem-ribbon": inked("red", SLIP) + WRITING,
  "blue-ribbon": inked("blue", SLIP) + WRITING,
  "chaff-1": inked("soft", dot(12, 12, 3.4)),
  "chaff-2": inked("soft", dot(6.6, 12, 3.4) + dot(17.4, 12, 3.4)),
  "chaff-3": inked("soft", dot(12, 6.4, 3.4) + dot(6.6, 16, 3.4) + dot(17.4, 16, 3.4)),
  lightning: inked("gold", "M14.6.8 4.6 13.6H11L8.4 23.2 19.4 9.6H12.8Z"),
};

/** Bars, as a kabufuda counts them: five a column. @param {number} count */
function bars(count) {
  const top = count > 5 ? 3 : 14.25 - count * 2.25;
  const column = (/** @type {number} */ many, /** @type {number} */ x, /** @type {number} */ width) => Array.from({ length: many }, (_, at) => `M${x} ${top + at * 4.5}h${width}`).join("");
  return inked("bar", count > 5 ? column(5, 2, 7.8) + column(count - 5, 14.2, 7.8) : column(count, 6, 12));
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
