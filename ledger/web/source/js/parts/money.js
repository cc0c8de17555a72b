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

/** What so many chips are worth, rounded down to the currency's smallest unit. @param {number} chips @param {{currency: string, per_chip: string}} value */
export function worth(chips, { currency, per_chip: each }) {
  const [whole = "0", behind = ""] = each.split(".");
  const places = placesOf(currency);
  const exact = BigInt(chips) * BigInt(whole + behind);
  const units = behind.length > places ? exact / 10n ** BigInt(behind.length - places) : exact * 10n ** BigInt(places - behind.length);
  const digits = String(units).padStart(places + 1, "0");
  return money(places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits, currency);
}

/** @param {string} currency */
function placesOf(currency) {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
