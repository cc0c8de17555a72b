/**
 * What chips come to in money, as the reader's language writes it.
 */
import { language } from "../core/words.js";

/** @param {string | undefined | null} amount a decimal number, as the API gives it @param {string | null} currency */
export function money(amount, currency) {
  if (amount === undefined || amount === null || !currency) return "";
  const places = amount.split(".")[1]?.length ?? 0;
  try {
    return new Intl.NumberFormat(language.value, { style: "currency", currency, minimumFractionDigits: places, maximumFractionDigits: Math.max(places, 0) }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}
