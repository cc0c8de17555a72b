/**
 * What was won after each round, a line a player: drawn by uPlot, which is fetched apart from the rest. Lines are told
 * apart by their names at the end and by their dashes, not by colour alone; who cannot see it reads the same as a table.
 */
import { html, useEffect, useRef } from "../core/html.js";
import { fetched } from "../core/modules.js";
import { number, signed, t } from "../core/words.js";
import { shortNameOf } from "../core/names.js";

/** @typedef {{id: string, name: string, label: string, history: number[]}} Line `label` stands at the end of the line, `history` is what a player had won at first and after each round */
/** @typedef {{ink: string, soft: string, line: string, colours: string[], font: number, family: string}} Looks */

const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
/** Beyond so many lines only those on top and at the bottom are told by name. */
const MOST_NAMED = 6;

/** @param {{lines: Line[], label: string, named?: number, numbers?: boolean}} its `numbers`: with the table for everybody */
export function WonChart({ lines, label, named = MOST_NAMED, numbers = false }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const rounds = lines[0]?.history.length ?? 0;
  const key = JSON.stringify(lines);
  useEffect(() => {
    const parent = box.current;
    if (!parent || rounds < 2) return undefined;
    return drawnWithin(parent, lines, named);
  }, [key, named]);
  if (rounds < 2) return null;
  return html`<figure class="chart" data-test="chart"><figcaption class="hidden">${label}</figcaption><div class="chart-box" ref=${box} aria-hidden="true"></div>
    ${numbers ? html`<details class="chart-numbers"><summary>${t("As numbers")}</summary><${Numbers} lines=${lines} /></details>` : html`<div class="hidden"><${Numbers} lines=${lines} /></div>`}</figure>`;
}

/** @param {{lines: Line[]}} its */
function Numbers({ lines }) {
  const rounds = [...Array((lines[0]?.history.length ?? 1) - 1).keys()];
  return html`<div class="numbers" tabindex="0" role="region" aria-label=${t("Won after each round")}><table><thead><tr><th scope="col">${t("Round")}</th>${lines.map((each) => html`<th key=${each.id} scope="col" class="figure" dir="auto">${each.name}</th>`)}</tr></thead>
    <tbody>${rounds.map((round) => html`<tr key=${round}><th scope="row">${number(round + 1)}</th>${lines.map((each) => html`<td key=${each.id} class="figure">${signed(each.history[round + 1] ?? 0)}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** Draw within an element, again whenever its size or the theme changes. @param {HTMLElement} parent @param {Line[]} lines @param {number} named @returns {() => void} how to end it */
function drawnWithin(parent, lines, named) {
  /** @type {import("uplot") | null} */
  let chart = null;
  let over = false;
  const marked = told(lines, named);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const draw = async () => {
    const { default: Plot } = await fetched(() => import("uplot"));
    const { width, height } = parent.getBoundingClientRect();
    if (over || width < 50 || height < 50) return;
    const below = [...lines].sort((one, other) => Number(marked.includes(one)) - Number(marked.includes(other)));
    chart?.destroy();
    chart = new Plot(options(below, marked, width, height, looksOf(parent)), [(lines[0]?.history ?? []).map((_, round) => round), ...below.map((each) => each.history)], parent);
  };
  const sized = new ResizeObserver(() => void draw());
  const themed = () => void draw();
  sized.observe(parent);
  dark.addEventListener("change", themed);
  return () => {
    over = true;
    sized.disconnect();
    dark.removeEventListener("change", themed);
    chart?.destroy();
  };
}

/** @param {HTMLElement} parent @returns {Looks} */
function looksOf(parent) {
  const style = getComputedStyle(parent);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    ink: colour("--ink"), soft: colour("--soft"), line: colour("--line"),
    colours: [colour("--green"), colour("--vermilion"), colour("--gold"), colour("--ink")],
    font: Math.round(Number.parseFloat(style.fontSize)), family: style.fontFamily,
  };
}

/** Who is told by name: all, or those on top and at the bottom. @param {Line[]} lines @param {number} named */
function told(lines, named) {
  const byEnd = [...lines].sort((one, other) => (other.history.at(-1) ?? 0) - (one.history.at(-1) ?? 0));
  const many = byEnd.length > named;
  return many ? [...byEnd.slice(0, Math.ceil(named / 2)), ...byEnd.slice(-Math.floor(named / 2))] : byEnd;
}

/** @param {Line[]} lines @param {Line[]} marked those that are told by name @param {number} width @param {number} height @param {Looks} looks @returns {import("uplot").Options} */
function options(lines, marked, width, height, looks) {
  const rank = (/** @type {Line} */ line) => marked.indexOf(line);
  const font = `${looks.font}px ${looks.family}`;
  const pen = (/** @type {Line} */ line) => (rank(line) < 0 ? looks.soft : (looks.colours[rank(line) % looks.colours.length] ?? looks.ink));
  const room = Math.max(...marked.map((each) => widthOf(each.label, `600 ${font}`)));
  return {
    width, height,
    padding: [looks.font, Math.min(width / 3, room + looks.font), 0, 0],
    cursor: { show: false }, legend: { show: false },
    scales: { x: { time: false } },
    axes: [
      { stroke: looks.soft, font, grid: { show: false }, ticks: { show: false }, size: looks.font * 1.8, gap: looks.font * 0.4, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], space: looks.font * 3, values: (_, at) => at.map(number) },
      { stroke: looks.soft, font, grid: { stroke: looks.line, width: 1 }, ticks: { show: false }, space: looks.font * 3, gap: looks.font * 0.4, size: (_, values) => looks.font * (0.62 * Math.max(2, ...(values ?? []).map((each) => each.length)) + 0.8), values: (_, at) => at.map(signed) },
    ],
    series: [{}, ...lines.map((each) => ({ stroke: pen(each), width: rank(each) < 0 ? 0.5 : Math.max(2, looks.font / 7), dash: (DASHES[Math.floor(rank(each) / looks.colours.length)] ?? []).map((one) => one * 2), points: { show: false } }))],
    hooks: { draw: [(chart) => names(chart, marked, pen, looks)] },
  };
}

/** How wide a text is. @param {string} text @param {string} font */
function widthOf(text, font) {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  pen.font = font;
  return pen.measureText(text).width;
}

/** Write the names at the ends of their lines, one below the other. @param {import("uplot")} chart @param {Line[]} marked from top to bottom @param {(line: Line) => string} pen @param {Looks} looks */
function names(chart, marked, pen, looks) {
  const { ctx, bbox } = chart;
  const scale = devicePixelRatio;
  const step = looks.font * 1.1 * scale;
  const places = marked.map((each) => chart.valToPos(each.history.at(-1) ?? 0, "y", true));
  for (let index = 1; index < places.length; index += 1) places[index] = Math.max(places[index] ?? 0, (places[index - 1] ?? 0) + step);
  const below = (places.at(-1) ?? 0) - (bbox.top + bbox.height);
  for (let index = places.length - 1, limit = bbox.top + bbox.height; below > 0 && index >= 0; index -= 1) {
    places[index] = Math.min(places[index] ?? 0, limit);
    limit = (places[index] ?? 0) - step;
  }
  ctx.save();
  ctx.font = `600 ${looks.font * scale}px ${looks.family}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  marked.forEach((each, index) => {
    ctx.fillStyle = pen(each);
    ctx.fillText(each.label, bbox.left + bbox.width + looks.font * 0.5 * scale, places[index] ?? 0);
  });
  ctx.restore();
}

/** Everybody's line, by what the statistics say. @param {import("../core/types.js").Session | null} session @param {any} statistics @param {string[]} [players] @returns {Line[]} */
export const linesOf = (session, statistics, players = Object.keys(statistics.players)) =>
  players.filter((id) => statistics.players[id]).map((id) => ({ id, name: shortNameOf(session, id), label: shortNameOf(session, id, null, 10), history: [0, ...statistics.players[id].after_rounds] }));
