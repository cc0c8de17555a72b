/**
 * The start: the last evening with its next step, a new one of each game, a sample, and how the games are played.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { draftOf, saveDraft } from "../core/drafts.js";
import { known } from "../core/keys.js";
import { games } from "../core/library.js";
import { say, t } from "../core/words.js";
import { LanguageSwitch } from "../parts/language.js";
import { problemOf, Refusal } from "../parts/doing.js";
import { GamesList } from "../parts/games_list.js";
import { HowSheet } from "../parts/how_sheet.js";
import { InstallNote, hasEndedARound } from "../parts/install_note.js";
import { NewEvening } from "../parts/new_evening.js";
import { Recent } from "../parts/recent.js";
import { Sample } from "../parts/sample.js";
import { hasSample } from "../parts/sample_rounds.js";
import { Seal } from "../parts/seal.js";

/** @typedef {import("../core/types.js").Game} Game */

export default function Start() {
  const [list, setList] = useState(/** @type {Game[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {import("../core/types.js").Problem | null} */ (null));
  const [chosen, setChosen] = useState(/** @type {string} */ (draftOf("start", "start")?.game ?? ""));
  const mounted = useRef(false);
  const [sample, setSample] = useState(/** @type {Game | null} */ (null));
  const [how, setHow] = useState(/** @type {Game | null} */ (null));
  const [sampling, setSampling] = useState(known.value.length === 0);
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
  const likely = game ?? list.find((each) => each.name === known.value[0]?.game) ?? list[0];
  const samples = list.filter(hasSample);
  return html`<main class="start">
    <header class="start-head"><${Seal} /><div class="grow"><h1 lang="en">Fuda Ledger</h1><p class="soft" lang="ja">札帳</p></div><${LanguageSwitch} look="text" /></header>
    <${Recent} games=${list} />
    ${hasEndedARound() && html`<${InstallNote} />`}
    <section class="new" aria-labelledby="new">
      <h2 id="new">${t("A new evening")}</h2>
      <${Refusal} problem=${problem} />
      <${GamesList} games=${list} chosen=${game?.name ?? ""} choose=${choose} how=${setHow} />
      ${game && html`<${NewEvening} key=${game.name} game=${game} />`}
    </section>
    ${likely && html`<footer class="start-foot">
      ${!game && sampling && samples.length > 0 && html`<div class="samples" role="group" aria-labelledby="samples"><h2 id="samples">${t("Try a sample")}</h2>
        <div class="samples-of">${samples.map((each) => html`<button type="button" key=${each.name} class="quiet" data-test=${`sample-${each.name}`} onClick=${() => setSample(each)}>${say(each.title)}</button>`)}</div></div>`}
      <div class="row">${!game && !sampling && samples.length > 0 && html`<button type="button" class="quiet" data-test="samples" onClick=${() => setSampling(true)}>${t("Try a sample")}</button>`}
        <button type="button" class="quiet" data-test="how" onClick=${() => setHow(likely)}>${t("How it is played")}</button></div>
      <p class="soft">${t("No account. The books stay on this table's own service.")}</p>
    </footer>`}
    ${sample && html`<${Sample} game=${sample} close=${() => setSample(null)} />`}
    ${how && html`<${HowSheet} games=${list} first=${how} close=${() => setHow(null)} />`}
  </main>`;
}
