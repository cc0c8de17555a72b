/**
 * What a hand of Shippin comes to, for reading only: its total by figure and name, karami, and the dealer's 4 and 1. Who
 * wins is what the service says.
 */
import { html } from "../core/html.js";
import { language, number, t } from "../core/words.js";

const NAMES = {
  en: ["buta", "pin", "nizō", "santa", "yotsuya", "goke", "roppō", "shichiken", "oicho", "kabu"],
  ja: ["ブタ", "ピン", "ニゾウ", "サンタ", "ヨツヤ", "ゴケ", "ロッポウ", "シチケン", "オイチョ", "カブ"],
};
const KARAMI = [4, 1];

/** @param {{cards: import("./shippin_table.js").Slot[], value: (code: string) => number, isDealer: boolean, children?: any}} its `cards` the first, then the second */
export function Total({ cards, value, isDealer, children }) {
  const values = cards.flatMap((each) => (each ? [value(each)] : []));
  const total = values.length === cards.length ? values.reduce((sum, each) => sum + each, 0) % 10 : null;
  const isKarami = values.some((each) => KARAMI.includes(each));
  const isShippin = isDealer && total !== null && values.join() === KARAMI.join();
  return html`<span class="hand-total">${total !== null && html`<b>${number(total)}</b><span>${NAMES[language.value][total]}</span>`}
    ${isKarami && html`<span class="karami">${isShippin ? t("shippin!") : t("karami")}</span>`}${children}</span>`;
}
