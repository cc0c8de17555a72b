/**
 * Turns ranks into their names and back, in decks where these say more: Horse, not 11.
 */
import { html } from "../core/html.js";
import { t } from "../core/words.js";
import { byName, hasRankNames, toggleNames } from "./reading.js";

/** @param {{deck: import("../core/types.js").Deck}} its */
export const NamesToggle = ({ deck }) => hasRankNames(deck) && html`<button type="button" class="item" data-test="names-toggle" aria-pressed=${byName.value} onClick=${toggleNames}>${t("Ranks by name")}</button>`;
