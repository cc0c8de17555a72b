/**
 * The line icons of the page, 22 px, drawn with one stroke; words beside it, or its label, say what it stands for.
 */
import { html } from "../core/html.js";

const PATHS = {
  menu: "M3 6h18M3 12h18M3 18h18",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v2M17.5 20H20v-1.5M14 18.5V20",
  log: "M6 3.5h12v17H6zM9.5 8h5M9.5 12h5M9.5 16h3",
  undo: "M8.5 5 4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-4",
  redo: "M15.5 5 20 9.5 15.5 14M20 9.5H10a5.5 5.5 0 0 0 0 11h4",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7.5",
  back: "M14.5 5 7.5 12l7 7",
  right: "M9.5 5 16.5 12l-7 7",
  down: "M5 9.5 12 16.5l7-7",
  pencil: "M4 20l1-4.5L16.2 4.3a1.5 1.5 0 0 1 2.1 0l1.4 1.4a1.5 1.5 0 0 1 0 2.1L8.5 19zM14 6.5l3.5 3.5",
  rider: "M4 18c1.5-5 4.5-7 8-7s6.5 2 8 7M15.5 5a2 2 0 1 1-4 0 2 2 0 0 1 4 0",
  screen: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  erase: "M9 6h11v12H9l-6-6zM12 9.5l5 5M17 9.5l-5 5",
  help: "M9 9.5a3 3 0 1 1 4.4 2.7c-1 .5-1.4 1-1.4 2M12 17v.2M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0",
  next: "M5 12h13M13 6.5 18.5 12 13 17.5",
  wait: "M12 7v5.5l3.5 2M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0",
};

/** @param {{name: keyof typeof PATHS}} its */
export const Icon = ({ name }) => html`<svg class="icon-drawn" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
