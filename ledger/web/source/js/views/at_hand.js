/**
 * Rules at hand: what holds at this moment, what may be recorded now, the house rules that matter, and the whole game.
 */
import { html } from "../core/html.js";
import { kindOf, worded } from "../core/names.js";
import { number, say, t } from "../core/words.js";
import { matteringIn } from "../games/how.js";
import { How } from "../parts/how.js";
import { switches } from "../parts/house_rules.js";
import { Sheet } from "../parts/sheet.js";

/** @typedef {import("../core/types.js").Game} Game */
/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: Game, deck: import("../core/types.js").Deck, close: () => void}} At */

/** @param {At} at */
export function AtHand({ sitting, game, deck, close }) {
  const session = sitting.session.value;
  if (!session) return null;
  const { round } = session;
  const rules = round?.rules ?? session.rules;
  const kinds = [...new Set((round?.next ?? []).map((each) => each.type))].map((type) => kindOf(game, type)).filter((each) => each !== null);
  const matter = matteringIn(game.name, round?.phase);
  const shown = switches(game, session.deck).filter((each) => !matter || matter.includes(each.name));
  return html`<${Sheet} title=${round ? say(game.phases[round.phase]) : t("Between rounds")} close=${close} hook="rules-at-hand">
    ${round && html`<${How} game=${game} deck=${deck} rules=${rules} phase=${round.phase} />`}
    ${kinds.length > 0 && html`<h3>${t("What comes now")}</h3><dl class="at-hand" data-test="may-come">${kinds.map((kind) => html`<div key=${kind.type}><dt>${say(kind.label)}</dt><dd>${say(kind.about)}</dd></div>`)}</dl>`}
    ${shown.length > 0 && html`<h3>${t("House rules")}</h3><dl class="at-hand" data-test="rules-in-force">${shown.map((field) => html`<div key=${field.name}><dt>${say(field.label)} <b>${inForce({ session, game, deck }, field, rules[field.name])}</b></dt><dd>${say(field.help)}</dd></div>`)}</dl>`}
    <h3>${t("How it is played")}</h3><${How} game=${game} deck=${deck} rules=${rules} />
  <//>`;
}

/** What a switch stands at, in words. @param {{session: Session, game: Game, deck: any}} at @param {import("../core/types.js").Field} field @param {any} value */
const inForce = (at, field, value) => (field.fields ? field.fields.map((each) => `${say(each.label)}: ${number(value[each.name])}`).join(t(", ")) : worded(at, field, value));
