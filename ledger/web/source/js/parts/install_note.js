/**
 * That the page can lie on the phone like an app: offered once, after the first round that ended here.
 */
import { html } from "../core/html.js";
import { installable } from "../core/install.js";
import { known } from "../core/keys.js";
import { roundsEnded, stoodOf } from "../core/stood.js";
import { isTold, wasTold } from "../core/told_once.js";
import { t } from "../core/words.js";

const INSTALL = "install";

export const hasEndedARound = () => known.value.some((each) => roundsEnded(stoodOf(each.id)) > 0);

/** Safari on a phone offers nothing by itself: it is done by hand. */
const isByHand = () => /iP(hone|ad|od)/.test(navigator.userAgent) && !("standalone" in navigator && navigator.standalone);

export function InstallNote() {
  const offer = installable.value;
  if (isTold(INSTALL) || (!offer && !isByHand()) || matchMedia("(display-mode: standalone)").matches) return null;
  const install = () => {
    void offer.prompt();
    wasTold(INSTALL);
  };
  return html`<aside class="once-note" aria-label=${t("Install")} data-test="install-note">
    <p>${offer ? t("Fuda Ledger can be kept on this phone like an app, and then opens without a connection.") : t("Fuda Ledger can be kept on this phone like an app: tap Share in Safari, then “Add to Home Screen”.")}</p>
    <div class="row">${offer && html`<button type="button" class="main grow" data-test="install" onClick=${install}>${t("Install")}</button>`}
      <button type="button" class="quiet grow" data-test="install-not-now" onClick=${() => wasTold(INSTALL)}>${offer ? t("Not now") : t("All right")}</button></div>
  </aside>`;
}
