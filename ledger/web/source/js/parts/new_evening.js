/**
 * A new evening: who plays, with which deck and for how much; the other house rules and what may be said besides lie folded.
 */
import { html, useEffect } from "../core/html.js";
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { say, t, tn } from "../core/words.js";
import { ChipValue, chipValue } from "./chip_value.js";
import { PlayedOn } from "./day.js";
import { Refusal } from "./doing.js";
import { Fold, unfoldMarked } from "./fold.js";
import { HouseRules, rulesGiven, switches } from "./house_rules.js";
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
  useEffect(() => {
    if (!problem) return;
    unfoldMarked(document.querySelector(".new-evening"));
    /** @type {HTMLElement | null} */ (document.querySelector('.new-evening [aria-invalid="true"]'))?.focus();
  }, [problem]);
  const said = ["/players", "/name", "/dealer", "/chip_value", "/rules", "/overrule", "/played_on"];
  const discard = () => {
    clear();
    discardDraft(START);
  };
  const ask = () => {
    unfoldMarked(document.querySelector(".new-evening"));
    if (!leadsToMarked(document.querySelector(".new-evening"))) void open(body(form, game));
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    ask();
  };
  const stake = switches(game, form.deck).find((each) => each.kind === "whole");
  const others = switches(game, form.deck).filter((each) => each !== stake);
  const rules = { deck: form.deck, given: form.rules, problem, change: (/** @type {Record<string, any>} */ given) => change({ rules: given }) };
  const isChanged = (/** @type {string} */ name) => form.rules[name] !== undefined || Boolean(wrong(`/rules/${name}`));
  const more = [form.dealer, form.name, form.currency, form.perChip, form.odds, form.playedOn].some(Boolean) || ["/dealer", "/name", "/chip_value", "/played_on"].some(wrong);
  return html`<form class="new-evening" onSubmit=${submit} novalidate>
    <${Names} text=${form.names} players=${game.players} wrong=${wrong("/players")} change=${(/** @type {string} */ text) => change({ names: text })} />
    ${draft && html`<div class="row draft-note" role="status" data-test="draft"><span class="grow soft small">${t("Not opened yet; kept on this phone until you open or discard it.")}</span><button type="button" class="quiet" data-test="discard" onClick=${discard}>${t("Discard")}</button></div>`}
    <div class="deck-and-stake"><label class="field"><span class="field-label">${t("Deck")}</span>
      <select data-test="deck" value=${form.deck} onChange=${(/** @type {Event} */ event) => change({ deck: typed(event) })}>
        ${game.decks.map((each) => html`<option key=${each} value=${each}>${say(game.deck_labels[each])}</option>`)}</select></label>
      ${stake && html`<${HouseRules} game=${{ ...game, rules: [stake] }} ...${rules} />`}</div>
    ${others.length > 0 && html`<${Fold} label=${t("House rules")} also=${t("Most tables change nothing.")} hook="house-rules" wanted=${others.some((each) => isChanged(each.name))}>
      <${HouseRules} game=${{ ...game, rules: others }} ...${rules} /><//>`}
    <${Fold} label=${t("More")} also=${t("Dealer, name, chip value …")} hook="more" wanted=${more}>
    <label class="field"><span class="field-label">${t("Who deals first")}</span>
      <select data-test="first-dealer" value=${form.dealer} onChange=${(/** @type {Event} */ event) => change({ dealer: typed(event) })}>
        <option value="">${called[0] ? t("{name}, in the first seat", { name: called[0] }) : t("The first seat")}</option>
        ${called.slice(1).map((each, place) => html`<option key=${place} value=${place + 2}>${each}</option>`)}</select>
      ${wrong("/dealer") && html`<span class="wrong" role="alert">${wrong("/dealer")}</span>`}</label>
    <label class="field"><span class="field-label">${t("What the evening is called")} <span class="soft">${t("(if wanted)")}</span></span>
      <input data-test="evening" value=${form.name} maxlength="100" autocomplete="off" dir="auto" aria-invalid=${Boolean(wrong("/name"))} onInput=${(/** @type {Event} */ event) => change({ name: typed(event) })} />
      ${wrong("/name") && html`<span class="wrong" role="alert">${wrong("/name")}</span>`}</label>
    <${ChipValue} currency=${form.currency} perChip=${form.perChip} change=${change} wrong=${wrong} />
    <label class="check"><input type="checkbox" data-test="odds" checked=${form.odds} onChange=${() => change({ odds: !form.odds })} /><span>${t("Show everyone the chances")} <span class="soft">${t("(if wanted)")}</span></span></label>
    <${PlayedOn} value=${form.playedOn} wrong=${wrong("/played_on")} change=${(/** @type {string} */ playedOn) => change({ playedOn })} />
    <//>
    <div class="bar">
      ${locked ? html`<${OpeningKey} again=${ask} busy=${busy} />` : html`<${Refusal} problem=${problem} but=${(/** @type {string} */ pointer) => said.some((each) => pointer.startsWith(each))} />`}
      ${!locked && html`<button class="main wide" data-test="open" disabled=${busy}>${names.length ? tn("Open for {count}", "Open for {count}", names.length) : t("Open")}</button>`}
    </div>
  </form>`;
}
