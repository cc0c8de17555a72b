/**
 * House rules as the API describes them, and how they are with this deck. What is given are only those that differ.
 */
import { html } from "../core/html.js";
import { faultsOf } from "./event_form.js";
import { Field, below } from "./field.js";

/** @typedef {import("../core/types.js").Game} Game */

/** The switches that say anything with this deck. @param {Game} game @param {string} deck */
export const switches = (game, deck) => game.rules.filter((each) => !each.only_with || each.only_with === deck);

/** What of the rules is to be sent: those of this deck that somebody gave. @param {Game} game @param {string} deck @param {Record<string, any>} given */
export function rulesGiven(game, deck, given) {
  const names = switches(game, deck).map((each) => each.name);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined));
}

/** A switch with what holds unless something is given. @param {import("../core/types.js").Field} field @param {any} now @returns {import("../core/types.js").Field} */
const asItIs = (field, now) => ({ ...field, default: now, fields: field.fields?.map((each) => asItIs(each, now?.[each.name])) });

/**
 * @param {{game: Game, deck: string, session?: import("../core/types.js").Session | null, given: Record<string, any>,
 *   change: (given: Record<string, any>) => void, problem?: import("../core/types.js").Problem | null, under?: string}} its
 *   `session` is where rules are in force already, `under` where they stand in what is sent
 */
export function HouseRules({ game, deck, session = null, given, change, problem, under = "/rules" }) {
  const at = { session, game, deck: null };
  const faults = faultsOf(problem, under);
  return html`<div class="house-rules">${switches(game, deck).map((field) => html`<${Field} key=${field.name} hook=${`rule-${field.name}`} at=${at} faults=${below(faults, field.name)}
    field=${asItIs(field, session?.rules[field.name] ?? field.default)} value=${given[field.name]} set=${(/** @type {any} */ value) => change({ ...given, [field.name]: value })} />`)}</div>`;
}
