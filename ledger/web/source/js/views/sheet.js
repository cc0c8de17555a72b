/**
 * The score sheet, as the service writes it, on a page of its own that can be printed.
 *
 * The sheet brings its own looks. They take the place of the page's as long as it is shown, as a style sheet that is made
 * by a script: the page's policy allows no styles within a document.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { Refused, request } from "../core/api.js";
import { address } from "../core/router.js";
import { language, t } from "../core/words.js";

const TOOLS = `.sheet-tools { display: flex; gap: 1rem; justify-content: space-between; padding: 0.5rem; font: 1rem system-ui, sans-serif }
.sheet-tools > * { font: inherit; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid #756c5f; border-radius: 0.6rem; background: #fffdf8; color: #211d18; text-decoration: none; box-sizing: border-box }
@media print { .sheet-tools { display: none } }`;

/** @param {{sitting: import("../core/sitting.js").Sitting}} at */
export default function ScoreSheet({ sitting }) {
  const paper = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [problem, setProblem] = useState("");
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let undress = () => {};
    let late = false;
    const lay = async () => {
      const answer = await request("GET", `${sitting.path}/export.html?lang=${language.value}`, { token: sitting.token(), patience: 60000 });
      /** @type {string[]} */
      const styles = [];
      const bare = (await answer.text()).replace(/<style>([^]*?)<\/style>/g, (_, style) => (styles.push(style), ""));
      const sheet = new DOMParser().parseFromString(bare, "text/html");
      if (late || !paper.current) return;
      undress = dressed(styles.join("\n"));
      paper.current.replaceChildren(...sheet.body.childNodes);
      setReady(true);
    };
    lay().catch((failed) => setProblem(failed instanceof Refused ? failed.problem.detail : t("The file did not arrive. Try again with a connection.")));
    return () => {
      late = true;
      undress();
    };
  }, [language.value]);
  return html`<main data-test="sheet-view">
    <nav class="sheet-tools"><a data-test="back" href=${address(sitting.id, "exports")}>${t("Back")}</a>
      <button type="button" data-test="print-now" disabled=${!ready} onClick=${() => window.print()}>${t("Print")}</button></nav>
    ${problem && html`<p role="alert" data-test="problem">${problem}</p>`}
    <div ref=${paper}></div></main>`;
}

/** Have the page look as a sheet does. @param {string} styles @returns {() => void} how to have it look as before */
function dressed(styles) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${styles}\n${TOOLS}`);
  const usual = [...document.styleSheets].filter((each) => !each.disabled);
  for (const each of usual) each.disabled = true;
  document.adoptedStyleSheets = [sheet];
  return () => {
    document.adoptedStyleSheets = [];
    for (const each of usual) each.disabled = false;
  };
}
