/**
 * The picture of an evening, drawn: paper whatever the phone's colours are, 1080 by 1350.
 */
/** @typedef {import("../parts/picture.js").Told} Told */
/** @typedef {CanvasRenderingContext2D} Pen */

const [WIDE, HIGH, MARGIN] = [1080, 1350, 72];
const [PAPER, CARD, LINE, INK, SOFT, VERMILION, GREEN] = ["#f7f2e8", "#fffdf8", "#dccfba", "#211d18", "#4d453b", "#a62c16", "#1a5238"];
/** Where the podium stands, and how high its steps are. */
const [GROUND, STEPS, BETWEEN] = [696, [0, 290, 190, 126], 16];
/** Up to so many stand in one column. */
const ONE_COLUMN = 8;
/** Not more names than these stand above a step. */
const NAMES = 3;

/** @param {HTMLCanvasElement} canvas @param {Told} told @param {string} sign what the seal says, as a path */
export function draw(canvas, told, sign) {
  Object.assign(canvas, { width: WIDE, height: HIGH });
  const pen = /** @type {Pen} */ (canvas.getContext("2d"));
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, WIDE, HIGH);
  write(pen, told.kicker, MARGIN, 112, { size: 34, ink: SOFT });
  write(pen, told.title, MARGIN, 206, { size: 88, bold: true, face: "--serif" });
  podium(pen, told, sign);
  everyone(pen, told, told.steps.length ? GROUND + 34 : 270, 1180);
  line(pen, 1200);
  if (told.best) write(pen, told.best.join(" "), MARGIN, 1252, { size: 34 });
  write(pen, `Fuda Ledger · ${told.facts}`, MARGIN, 1304, { size: 28, ink: SOFT });
}

/**
 * One line of text, made smaller and at last cut where it has no room.
 * @param {Pen} pen @param {string} text @param {number} x @param {number} y where its letters stand
 * @param {{size: number, ink?: string, bold?: boolean, face?: "--sans" | "--serif", align?: CanvasTextAlign, most?: number}} look
 */
function write(pen, text, x, y, { size, ink = INK, bold = false, face = "--sans", align = "left", most = WIDE - 2 * MARGIN }) {
  const family = getComputedStyle(document.documentElement).getPropertyValue(face);
  const set = (/** @type {number} */ px) => (pen.font = `${bold ? 700 : 400} ${px}px ${family}`);
  set(size);
  const fits = (/** @type {string} */ what) => pen.measureText(what).width <= most;
  for (let px = size; px > size * 0.7 && !fits(text); px -= 2) set(px);
  let all = [...text];
  while (all.length > 1 && !fits(all.join(""))) all = [...all.slice(0, -2), "…"];
  pen.fillStyle = ink;
  pen.textAlign = align;
  pen.fillText(all.join(""), x, y);
}

/** @param {Pen} pen @param {number} y */
function line(pen, y) {
  pen.fillStyle = LINE;
  pen.fillRect(MARGIN, y, WIDE - 2 * MARGIN, 2);
}

/** The first in the middle, the second on the left. @param {Pen} pen @param {Told} told @param {string} sign */
function podium(pen, { steps, order }, sign) {
  const wide = (WIDE - 2 * MARGIN - 2 * BETWEEN) / 3;
  for (const those of steps) {
    const { place, won, isGain } = order[those[0] ?? 0] ?? { place: 1, won: "", isGain: false };
    const left = MARGIN + (place === 1 ? 1 : place === 2 ? 0 : 2) * (wide + BETWEEN);
    const top = GROUND - (STEPS[place] ?? 0);
    box(pen, left, top, wide, GROUND - top);
    write(pen, String(place), left + wide / 2, top + 66, { size: 56, bold: true, face: "--serif", align: "center" });
    if (place === 1) seal(pen, sign, left + wide / 2, top + 182);
    write(pen, won, left + wide / 2, top - 22, { size: 40, bold: true, ink: isGain ? GREEN : SOFT, align: "center", most: wide });
    const names = those.slice(0, NAMES).map((at) => order[at]?.name ?? "");
    if (those.length > NAMES) names[NAMES - 1] += ` +${those.length - NAMES}`;
    names.reverse().forEach((name, at) => write(pen, name, left + wide / 2, top - 72 - 44 * at, { size: 40, bold: true, align: "center", most: wide }));
  }
  if (!steps.length) return;
  pen.fillStyle = INK;
  pen.fillRect(MARGIN, GROUND - 4, WIDE - 2 * MARGIN, 4);
}

/** @param {Pen} pen @param {number} left @param {number} top @param {number} wide @param {number} high */
function box(pen, left, top, wide, high) {
  pen.beginPath();
  pen.roundRect(left, top, wide, high, [14, 14, 0, 0]);
  pen.fillStyle = CARD;
  pen.fill();
  Object.assign(pen, { strokeStyle: INK, lineWidth: 4 });
  pen.stroke();
}

/** @param {Pen} pen @param {string} sign @param {number} x @param {number} y its middle */
function seal(pen, sign, x, y) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-0.12);
  pen.scale(2.4, 2.4);
  pen.translate(-32, -32);
  pen.beginPath();
  pen.roundRect(3, 3, 58, 58, 13);
  pen.fillStyle = VERMILION;
  pen.fill();
  Object.assign(pen, { strokeStyle: CARD, lineWidth: 1.5, lineCap: "round", lineJoin: "round" });
  pen.beginPath();
  pen.roundRect(7.5, 7.5, 49, 49, 9);
  pen.stroke();
  pen.lineWidth = 4.6;
  pen.stroke(new Path2D(sign));
  pen.restore();
}

/** Everybody in order, in two columns if they are many. @param {Pen} pen @param {Told} told @param {number} top @param {number} bottom */
function everyone(pen, { order }, top, bottom) {
  const columns = order.length > ONE_COLUMN ? 2 : 1;
  const rows = Math.ceil(order.length / columns);
  const high = Math.min(56, (bottom - top) / rows);
  const size = Math.min(34, high * 0.74);
  const wide = (WIDE - 2 * MARGIN - (columns - 1) * 56) / columns;
  order.forEach(({ place, name, won, isGain }, at) => {
    const [column, row] = [Math.floor(at / rows), at % rows];
    const [left, y] = [MARGIN + column * (wide + 56), top + row * high + high * 0.72];
    write(pen, String(place), left + 48, y, { size, ink: SOFT, align: "right" });
    write(pen, name, left + 68, y, { size, most: wide - 68 - 140 });
    write(pen, won, left + wide, y, { size, bold: true, ink: isGain ? GREEN : SOFT, align: "right", most: 130 });
  });
}
