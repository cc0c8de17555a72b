/**
 * How it is played, a game at a time, as most tables play it.
 */
import { html, useEffect, useState } from "../core/html.js";
import { deckOf } from "../core/library.js";
import { asCalledIn } from "../core/names.js";
import { say, t } from "../core/words.js";
import { problemOf, Refusal } from "./doing.js";
import { How, usualRules } from "./how.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/types.js").Game} Game */

/** @param {{games: Game[], first: Game, close: () => void}} its */
export function HowSheet({ games, first, close }) {
  const [game, setGame] = useState(first);
  const [deck, setDeck] = useState(/** @type {import("../core/types.js").Deck | null} */ (null));
  const [problem, setProblem] = useState(/** @type {import("../core/types.js").Problem | null} */ (null));
  useEffect(() => void deckOf(game.default_deck).then(setDeck, (failed) => setProblem(problemOf(failed))), [game]);
  const rules = usualRules(game);
  return html`<${Sheet} title=${t("How it is played")} close=${close} hook="how-sheet">
    ${games.length > 1 && html`<div class="how-games" role="group" aria-label=${t("Games")}>${games.map((each) => html`<button type="button" key=${each.name} class="quiet" aria-pressed=${each === game} data-test=${`how-it-is-${each.name}`} onClick=${() => setGame(each)}>${say(each.title)}</button>`)}</div>`}
    <${Refusal} problem=${problem} />
    ${deck?.deck === game.default_deck && html`<${How} game=${game} deck=${asCalledIn(game, deck, "JQK")} rules=${rules} />`}
    <p class="soft small">${t("Chips and house rules are as most tables have them; yours may differ.")}</p>
  <//>`;
}
