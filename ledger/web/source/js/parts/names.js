/**
 * Who plays, in seat order: typed or pasted a name a line, and shown as they will sit.
 */
import { html, useId } from "../core/html.js";
import { known } from "../core/keys.js";
import { t, tn } from "../core/words.js";
import { Order } from "./order.js";

const AT_ONCE = 8;

/** @param {string} text */
export const namesIn = (text) => text.split("\n").map((each) => each.trim()).filter(Boolean);

/** Names in one line, with commas between them, as somebody may have sent them. @param {string} pasted */
function lines(pasted) {
  const text = pasted.replace(/\r\n?/g, "\n").trim();
  return /\n/.test(text) ? text : text.split(/[,;\t、，；]/).map((each) => each.trim()).filter(Boolean).join("\n");
}

/** The same people in another order keep who they are, also two of one name. @param {string[]} names */
function sitters(names) {
  /** @type {Record<string, number>} */
  const met = {};
  return names.map((name) => ({ id: `${name}\n${(met[name] = (met[name] ?? 0) + 1)}`, name }));
}

/** How many there are against how many may play, said kindly. @param {number} count @param {{min: number, max: number}} players */
export function counted(count, { min, max }) {
  if (count === 0) return t("{min} to {max} play.", { min, max });
  if (count < min) return tn("{people} so far; {count} more is needed.", "{people} so far; {count} more are needed.", min - count, { people: count });
  if (count > max) return tn("{people} are too many by {count}: at most {max} play.", "{people} are too many by {count}: at most {max} play.", count - max, { people: count, max });
  return tn("{count} plays.", "{count} play.", count);
}

/** @param {{text: string, change: (text: string) => void, players: {min: number, max: number}, wrong?: string}} its */
export function Names({ text, change, players, wrong }) {
  const note = useId();
  const names = namesIn(text);
  /** @param {ClipboardEvent} event */
  const paste = (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    const into = /** @type {HTMLTextAreaElement} */ (event.target);
    const put = lines(pasted);
    if (put === pasted) return;
    event.preventDefault();
    into.setRangeText(put, into.selectionStart, into.selectionEnd, "end");
    change(into.value);
  };
  const met = [...new Set(known.value.flatMap((each) => each.people))].filter((name) => !names.includes(name)).slice(0, AT_ONCE);
  /** @param {string} name */
  const add = (name) => change([...names, name].join("\n"));
  return html`<div class="field names">
    <label><span class="field-label">${t("Who plays, one name per line, counter-clockwise")}</span>
      <textarea data-test="names" rows=${Math.min(Math.max(names.length + 1, 4), 8)} value=${text} autocomplete="off" autocapitalize="words" spellcheck=${false} dir="auto"
        placeholder=${t("Aki\nBen\nChie")} aria-describedby=${note} aria-invalid=${Boolean(wrong)} onPaste=${paste}
        onInput=${(/** @type {InputEvent} */ event) => change(/** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea></label>
    <p id=${note} class=${wrong ? "wrong" : "soft"} data-test="count" role="status">${wrong ?? counted(names.length, players)}</p>
    ${met.length > 0 && names.length < players.max && html`<div class="met" role="group" aria-label=${t("People of earlier evenings")}>
      ${met.map((name) => html`<button type="button" key=${name} class="chip" onClick=${() => add(name)}><span aria-hidden="true">+ </span><span dir="auto">${name}</span></button>`)}</div>`}
    ${names.length > 1 && html`<${Order} people=${sitters(names)} change=${(/** @type {{name: string}[]} */ people) => change(people.map((each) => each.name).join("\n"))} removable />`}
  </div>`;
}

