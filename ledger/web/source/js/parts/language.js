/**
 * One tap to the other language. It is said in that language, for whoever cannot read this one.
 */
import { html } from "../core/html.js";
import { LANGUAGES, language, speak } from "../core/words.js";

const NAMES = { en: "English", ja: "日本語" };

/** @param {{look?: string}} its */
export function LanguageSwitch({ look = "quiet" }) {
  const at = LANGUAGES.indexOf(language.value);
  const other = LANGUAGES[(at + 1) % LANGUAGES.length] ?? "en";
  return html`<button type="button" class=${look} lang=${other} data-test="language" onClick=${() => speak(other, true)}>${NAMES[other]}</button>`;
}
