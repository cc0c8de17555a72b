/**
 * House rules, between rounds: those that change are sent, the others stay.
 */
import { html, useState } from "../core/html.js";
import { HouseRules, rulesGiven } from "../parts/house_rules.js";
import { Task } from "../parts/task.js";

/** @param {import("../parts/task.js").Doing} its */
export function Rules(its) {
  const { session, game } = its;
  const [given, setGiven] = useState(/** @type {Record<string, any>} */ ({}));
  const rules = rulesGiven(game, session.deck, given);
  return html`<${Task} ...${its} type="rules_changed" ready=${Object.keys(rules).length > 0} event=${() => ({ rules })}>
    <${HouseRules} game=${game} deck=${session.deck} session=${session} given=${given} change=${setGiven} />
  <//>`;
}
