/**
 * What the table is told now and then: that it is a sample, where the key is, what ranks are called, how to install the page.
 */
import { html } from "../core/html.js";
import { namedRanks, Ranks } from "../cards/ranks.js";
import { keyOf } from "../core/keys.js";
import { roundsEnded } from "../core/stood.js";
import { isTold, wasTold } from "../core/told_once.js";
import { t } from "../core/words.js";
import { InstallNote } from "./install_note.js";
import { KeyNote } from "./key_note.js";
import { SampleNote } from "./sample_note.js";

const RANKS = "ranks";

/** @param {{sitting: import("../core/sitting.js").Sitting, deck: import("../core/types.js").Deck}} its */
export function Notices({ sitting, deck }) {
  const session = sitting.session.value;
  const isSample = keyOf(sitting.id)?.sample && sitting.isOwner.value;
  return html`${isSample && html`<${SampleNote} sitting=${sitting} />`}
    <${KeyNote} sitting=${sitting} />
    ${session?.rounds === 0 && !isTold(RANKS) && namedRanks(deck).length > 0 && html`<aside class="once-note" aria-label=${t("Ranks by name")} data-test="ranks-note">
      <p>${t("These cards have names:")}</p><${Ranks} deck=${deck} />
      <button type="button" class="quiet" data-test="ranks-known" onClick=${() => wasTold(RANKS)}>${t("All right")}</button></aside>`}
    ${session && !session.round && roundsEnded(session) > 0 && html`<${InstallNote} />`}`;
}
