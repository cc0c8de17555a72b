/**
 * An address as a QR code, black on white also in the dark, with the quiet zone that cameras want.
 */
import { html, useEffect, useState } from "../core/html.js";
import { fetched } from "../core/modules.js";

const QUIET = 4;

/** The dark squares as one path, run by run. @param {{getModuleCount: () => number, isDark: (row: number, column: number) => boolean}} code */
function path(code) {
  const size = code.getModuleCount();
  const runs = [];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      if (!code.isDark(row, column)) continue;
      const from = column;
      while (column + 1 < size && code.isDark(row, column + 1)) column++;
      runs.push(`M${from + QUIET} ${row + QUIET}h${column - from + 1}v1H${from + QUIET}z`);
    }
  return runs.join("");
}

/** @param {{text: string, label: string}} its */
export function Qr({ text, label }) {
  const [drawn, setDrawn] = useState(/** @type {{size: number, path: string} | null} */ (null));
  useEffect(() => {
    let wanted = true;
    void fetched(() => import("qrcode-generator")).then(({ default: qrcode }) => {
      const code = qrcode(0, "M");
      code.addData(text);
      code.make();
      if (wanted) setDrawn({ size: code.getModuleCount() + 2 * QUIET, path: path(code) });
    });
    return () => void (wanted = false);
  }, [text]);
  if (!drawn) return html`<div class="qr" aria-busy="true"></div>`;
  return html`<svg class="qr" data-test="qr" role="img" aria-label=${label} viewBox=${`0 0 ${drawn.size} ${drawn.size}`} shape-rendering="crispEdges">
    <rect width=${drawn.size} height=${drawn.size} fill="#fff" /><path d=${drawn.path} fill="#000" /></svg>`;
}
