/**
 * The books to take home, in every format, each with a word on what it is for; printing; and deleting it all.
 */
import { html, useState } from "../core/html.js";
import { Refused, request } from "../core/api.js";
import { forget } from "../core/keys.js";
import { address, go } from "../core/router.js";
import { saveAs } from "../core/save.js";
import { language, t } from "../core/words.js";
import { Leaf } from "../parts/leaf.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */

/** How a file is asked for, how it is called, and what it is for. @returns {{hook: string, path: string, name: string, about: string}[]} */
const files = () => [
  { hook: "html", path: "html", name: t("Score sheet"), about: t("to read and to print: balances, who pays whom, every round") },
  { hook: "xlsx", path: "xlsx", name: t("Workbook"), about: t("for Excel, Numbers or LibreOffice, with a chart") },
  { hook: "csv", path: "csv?bom=true", name: t("Table of chips"), about: t("one row for each time chips moved, for any spreadsheet (CSV)") },
  { hook: "csv-rounds", path: "csv?what=rounds&bom=true", name: t("Table of rounds"), about: t("one row per round (CSV)") },
  { hook: "csv-events", path: "csv?what=events&bom=true", name: t("Table of events"), about: t("one row per event (CSV)") },
  { hook: "txt", path: "txt", name: t("Written out"), about: t("the evening in the round notation, to read, and to bring back later") },
  { hook: "journal", path: "journal", name: "hledger", about: t("for plain text accounting with hledger or ledger") },
  { hook: "beancount", path: "beancount", name: "Beancount", about: t("for plain text accounting with beancount") },
  { hook: "json", path: "json", name: t("Everything"), about: t("the whole record, sealed: a backup that can be opened here or elsewhere (JSON)") },
];

/** @param {{sitting: Sitting}} at */
export default function Exports({ sitting }) {
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");
  const take = async (/** @type {{hook: string, path: string}} */ file) => {
    setBusy(file.hook);
    setProblem("");
    try {
      await download(sitting, file.path);
    } catch (failed) {
      setProblem(failed instanceof Refused ? failed.problem.detail : t("The file did not arrive. Try again with a connection."));
    }
    setBusy("");
  };
  return html`<${Leaf} sitting=${sitting} title=${t("Take home")} hook="exports-view">
    ${problem && html`<p role="alert" class="problem" data-test="problem">${problem}</p>`}
    <p><a class="quiet button wide" data-test="print" href=${address(sitting.id, "sheet")}>${t("Look at the score sheet, and print it")}</a></p>
    <ul class="files">${files().map((file) => html`<li key=${file.hook}><button type="button" class="file" data-test=${`export-${file.hook}`} aria-busy=${busy === file.hook} onClick=${() => void take(file)}>
      <span class="grow"><b>${file.name}</b><small class="soft">${file.about}</small></span><span class="file-kind" aria-hidden="true">${busy === file.hook ? "…" : file.path.split("?")[0]}</span></button></li>`)}</ul>
    ${sitting.isOwner.value && html`<${Deleting} sitting=${sitting} />`}
  <//>`;
}

/** Ask for a file with the token in a header, and have the browser save it. @param {Sitting} sitting @param {string} path */
async function download(sitting, path) {
  const joined = `${path}${path.includes("?") ? "&" : "?"}lang=${language.value}`;
  const answer = await request("GET", `${sitting.path}/export.${joined}`, { token: sitting.token(), patience: 60000 });
  const found = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("Content-Disposition") ?? "");
  saveAs(await answer.blob(), found?.[1] ? decodeURIComponent(found[1]) : `fuda-ledger.${path.split("?")[0]}`);
}

/** Deleting everything, for good: only who says so in a word. @param {{sitting: Sitting}} its */
function Deleting({ sitting }) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const word = t("delete");
  const sure = typed.trim().toLowerCase() === word.toLowerCase();
  const remove = async (/** @type {any} */ sent) => {
    sent.preventDefault();
    if (!sure) return;
    try {
      await sitting.ask("DELETE", `?confirm=${encodeURIComponent(sitting.id)}`);
      forget(sitting.id);
      go("#/");
    } catch (failed) {
      setProblem(failed instanceof Refused ? failed.problem.detail : t("No answer. Nothing was deleted."));
    }
  };
  return html`<details class="deleting"><summary data-test="delete-session">${t("Delete the evening …")}</summary>
    <form onSubmit=${remove}><p>${t("Everything recorded is deleted for everyone, and every link stops working. The only way back is a file that you have taken home.")}</p>
      <label class="field"><span>${t("To do so, write: {word}", { word })}</span><input data-test="delete-word" autocomplete="off" value=${typed} onInput=${(/** @type {any} */ event) => setTyped(event.target.value)} /></label>
      ${problem && html`<p role="alert" data-test="problem">${problem}</p>`}
      <button class="quiet danger wide" data-test="delete-now" disabled=${!sure}>${t("Delete it for good")}</button></form></details>`;
}
