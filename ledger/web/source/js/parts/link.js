/**
 * A link to take along: as a QR code, to copy, or to hand on by whatever the phone has for that.
 */
import { html, useRef, useState } from "../core/html.js";
import { alone, originOf, tell, told } from "../core/reach.js";
import { t } from "../core/words.js";
import { Qr } from "./qr.js";

/** Copy, also where a browser has no clipboard for pages (plain http). @param {HTMLInputElement} shown */
async function copied(shown) {
  try {
    await navigator.clipboard.writeText(shown.value);
    return true;
  } catch {
    shown.focus();
    shown.select();
    shown.setSelectionRange(0, shown.value.length);
    return document.execCommand("copy");
  }
}

/** @param {{link: string, label: string}} its */
export function LinkShown({ link, label }) {
  const shown = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [said, setSaid] = useState("");
  const copy = async () => setSaid(shown.current && (await copied(shown.current)) ? t("Copied.") : t("It cannot be copied here; hold the address to copy it."));
  return html`<div class="link-shown">
    <${Elsewhere} />
    <${Qr} text=${link} label=${label} />
    <div class="row no-print"><input ref=${shown} class="grow address" data-test="link-address" readonly value=${link} aria-label=${label} onFocus=${(/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select()} />
      <button type="button" class="quiet" data-test="copy" onClick=${copy}>${t("Copy")}</button></div>
    <p class="soft small no-print" role="status" data-test="copied">${said}</p>
  </div>`;
}

/** Opened as "localhost", an address means another device on every other phone. */
function Elsewhere() {
  if (!alone) return null;
  const wrong = told.value !== "" && !originOf(told.value);
  return html`<div class="elsewhere no-print">
    <label class="field"><span>${t("This page is open as {host}, where no other phone can reach it. What is this computer's address in the Wi-Fi?", { host: location.host })}</span>
      <input data-test="reach" value=${told.value} inputmode="url" autocomplete="off" placeholder=${`192.168.1.20${location.port ? `:${location.port}` : ""}`} aria-invalid=${wrong} onInput=${(/** @type {InputEvent} */ event) => tell(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
    ${wrong && html`<p class="wrong" role="alert">${t("That is not an address. Write it like 192.168.1.20 or https://cards.example.org.")}</p>`}
  </div>`;
}
