/**
 * The start: the evenings that this phone knows, and a new one.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { draftOf, saveDraft } from "../core/drafts.js";
import { known } from "../core/keys.js";
import { games } from "../core/library.js";
import { say, t } from "../core/words.js";
import { LanguageSwitch } from "../parts/language.js";
import { problemOf, Refusal } from "../parts/doing.js";
import { NewEvening } from "../parts/new_evening.js";
import { Recent } from "../parts/recent.js";
import { hasSample, Sample } from "../parts/sample.js";

/** @typedef {import("../core/types.js").Game} Game */

export default function Start() {
  const [list, setList] = useState(/** @type {Game[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {import("../core/types.js").Problem | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {string} */ (draftOf("start", "start")?.game ?? ""));
  const mounted = useRef(false);
  const [sample, setSample] = useState(/** @type {Game | null} */ (null));
  useEffect(() => void games().then(setList, (failed) => setProblem(problemOf(failed))), []);
  const game = list.find((each) => each.name === chosen);
  const choose = (/** @type {string} */ name) => {
    const draft = draftOf("start", "start");
    if (draft) saveDraft("start", "start", { ...draft, game: name });
    setChosen(name);
  };
  useEffect(() => {
    if (chosen && mounted.current) document.getElementById("new")?.scrollIntoView({ block: "start" });
    mounted.current = true;
  }, [chosen]);
  return html`<main class="start">
    <header class="start-head"><h1>Fuda Ledger</h1><${LanguageSwitch} /></header>
    ${known.value.length === 0 && !game && html`<p class="lead">${t("The scores of an evening of cards, kept by a phone at the table. No account; whoever has the link can look on.")}</p>`}
    ${known.value.length > 0 && html`<${Recent} games=${list} />`}
    <section aria-labelledby="new">
      <h2 id="new">${t("A new evening")}</h2>
      <${Refusal} problem=${problem} />
      <div class="tiles" role="group" aria-labelledby="new">${list.map((each) => html`<${Tile} key=${each.name} game=${each} chosen=${chosen === each.name} choose=${choose} />`)}</div>
      ${game ? html`<${NewEvening} key=${game.name} game=${game} />`
        : html`<div class="samples"><h3>${t("Or look at a sample first")}</h3><div class="row wrap">${list.filter(hasSample).map((each) => html`<button type="button" key=${each.name} class="chip" data-test=${`sample-${each.name}`} onClick=${() => setSample(each)}>${say(each.title)}</button>`)}</div></div>`}
    </section>
    ${sample && html`<${Sample} game=${sample} close=${() => setSample(null)} />`}
  </main>`;
}

/** @param {{game: Game, chosen: boolean, choose: (name: string) => void}} its */
function Tile({ game, chosen, choose }) {
  const { min, max } = game.players;
  return html`<button type="button" class="tile" aria-pressed=${chosen} data-test=${`new-game-${game.name}`} onClick=${() => choose(game.name)}>
    <b>${say(game.title)}</b><span class="soft">${t("{min}–{max} people", { min, max })}</span></button>`;
}
