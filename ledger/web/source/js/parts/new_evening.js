/**
 * A new evening: who plays, with which deck and house rules, and what may be said besides.
 */
import { html, useEffect } from "../core/html.js";
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { say, t, tn } from "../core/words.js";
import { ChipValue, chipValue } from "./chip_value.js";
import { PlayedOn } from "./day.js";
import { Refusal } from "./doing.js";
import { HouseRules, rulesGiven } from "./house_rules.js";
import { once } from "../core/once.js";
import { uniqueNames } from "../core/short_names.js";
import { leadsToMarked } from "./number_input.js";
import { Names, namesIn } from "./names.js";
import { OpeningKey, useOpening } from "./opening.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {{names: string, deck: string, dealer: string, name: string, currency: string, perChip: string, odds: boolean, playedOn: string, rules: Record<string, any>}} Form */

/** @param {Form} form @param {Game} game */
function body(form, game) {
  const rules = rulesGiven(game, form.deck, form.rules);
  const value = chipValue(form);
  return {
    game: game.name,
    players: namesIn(form.names),
    deck: form.deck,
    ...(form.name.trim() ? { name: form.name.trim() } : {}),
    ...(form.dealer ? { dealer: Number(form.dealer) } : {}),
    ...(Object.keys(rules).length ? { rules } : {}),
    ...(value ? { chip_value: value } : {}),
    ...(form.odds ? { odds: true } : {}),
    ...(form.playedOn ? { played_on: form.playedOn } : {}),
  };
}

/** @param {Event} event */
const typed = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** What a draft of an evening has besides deck and rules: it goes with whatever game is tapped. */
const BLANK = { names: "", dealer: "", name: "", currency: "", perChip: "", odds: false, playedOn: "" };
const START = "start";

/** The form as it was left. @param {Game} game @returns {Form} */
function formOf(game) {
  const draft = draftOf(START, START);
  return { ...BLANK, deck: game.default_deck, rules: {}, ...draft?.people, ...draft?.games?.[game.name] };
}

/** @param {{game: Game}} its */
export function NewEvening({ game }) {
  const form = formOf(game);
  const draft = draftOf(START, START);
  const keys = once(draft?.sent, (sent) => draftOf(START, START) && saveDraft(START, START, { ...draftOf(START, START), sent }));
  const { open, busy, problem, locked, clear } = useOpening(() => discardDraft(START), keys);
  const names = namesIn(form.names);
  const called = uniqueNames(names);
  /** @param {Partial<Form>} part */
  const change = (part) => {
    const { deck, rules, ...people } = { ...formOf(game), ...part };
    saveDraft(START, START, { ...draftOf(START, START), game: game.name, people, games: { ...draftOf(START, START)?.games, [game.name]: { deck, rules } } });
    if (!locked) clear();
  };
  /** @param {string} pointer */
  const wrong = (pointer) => problem?.errors?.find((each) => each.pointer === pointer || each.pointer?.startsWith(`${pointer}/`))?.detail;
  useEffect(() => void (problem && /** @type {HTMLElement | null} */ (document.querySelector('.new-evening [aria-invalid="true"]'))?.focus()), [problem]);
  const said = ["/players", "/name", "/dealer", "/chip_value", "/rules", "/overrule", "/played_on"];
  const discard = () => {
    clear();
    discardDraft(START);
  };
  const ask = () => void (leadsToMarked(document.querySelector(".new-evening")) || open(body(form, game)));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    ask();
  };
  return html`<form class="new-evening" onSubmit=${submit} novalidate>
    <${Names} text=${form.names} players=${game.players} wrong=${wrong("/players")} change=${(/** @type {string} */ text) => change({ names: text })} />
    ${draft && html`<div class="row draft-note" role="status" data-test="draft"><span class="grow soft small">${t("Not opened yet; kept on this phone until you open or discard it.")}</span><button type="button" class="quiet" data-test="discard" onClick=${discard}>${t("Discard")}</button></div>`}
    <label class="field"><span class="field-label">${t("Deck")}</span>
      <select data-test="deck" value=${form.deck} onChange=${(/** @type {Event} */ event) => change({ deck: typed(event) })}>
        ${game.decks.map((each) => html`<option key=${each} value=${each}>${say(game.deck_labels[each])}</option>`)}</select></label>
    <label class="field"><span class="field-label">${t("Who deals first")}</span>
      <select data-test="first-dealer" value=${form.dealer} onChange=${(/** @type {Event} */ event) => change({ dealer: typed(event) })}>
        <option value="">${called[0] ? t("{name}, who sits first", { name: called[0] }) : t("Whoever sits first")}</option>
        ${called.slice(1).map((each, place) => html`<option key=${place} value=${place + 2}>${each}</option>`)}</select>
      ${wrong("/dealer") && html`<span class="wrong" role="alert">${wrong("/dealer")}</span>`}</label>
    <label class="field"><span class="field-label">${t("What the evening is called")} <span class="soft">${t("(if wanted)")}</span></span>
      <input data-test="evening" value=${form.name} maxlength="100" autocomplete="off" dir="auto" aria-invalid=${Boolean(wrong("/name"))} onInput=${(/** @type {Event} */ event) => change({ name: typed(event) })} />
      ${wrong("/name") && html`<span class="wrong" role="alert">${wrong("/name")}</span>`}</label>
    <${ChipValue} currency=${form.currency} perChip=${form.perChip} change=${change} wrong=${wrong} />
    <label class="check"><input type="checkbox" data-test="odds" checked=${form.odds} onChange=${() => change({ odds: !form.odds })} /><span>${t("Tell everybody the chances")} <span class="soft">${t("(if wanted)")}</span></span></label>
    <details class="seldom" open=${Boolean(form.playedOn)}><summary data-test="afterwards">${t("Recorded afterwards")}</summary>
      <${PlayedOn} value=${form.playedOn} wrong=${wrong("/played_on")} change=${(/** @type {string} */ playedOn) => change({ playedOn })} /></details>
    ${game.rules.length > 0 && html`<section class="rules" aria-labelledby="house-rules"><h3 id="house-rules">${t("House rules")}</h3><p class="soft small">${t("As they usually are. Most tables change nothing.")}</p>
      <${HouseRules} game=${game} deck=${form.deck} given=${form.rules} problem=${problem} change=${(/** @type {Record<string, any>} */ rules) => change({ rules })} /></section>`}
    <div class="bar">
      ${locked ? html`<${OpeningKey} again=${ask} busy=${busy} />` : html`<${Refusal} problem=${problem} but=${(/** @type {string} */ pointer) => said.some((each) => pointer.startsWith(each))} />`}
      ${!locked && html`<button class="main wide" data-test="open" disabled=${busy}>${names.length ? tn("Open for {count}", "Open for {count}", names.length) : t("Open")}</button>`}
    </div>
  </form>`;
}
