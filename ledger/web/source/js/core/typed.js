/**
 * Numbers as people type them: with full-width digits, any minus, thousands in groups. What cannot be read is said, and
 * never another number.
 */
import { t } from "./words.js";

/** One kind of separator a number, and three digits behind each. */
const GROUPED = /^[1-9]\d{0,2}([,， \u00a0\u2009\u202f\u3000'’＇])\d{3}(?:\1\d{3})*$/;
/** Three digits behind one comma: a thousand to some, a fraction to others. */
const EITHER = /^([1-9]\d{0,2})[,，](\d{3})$/;

/**
 * Read what was typed: a whole number, or with a `currency` (it may be "") an amount of it, as decimal text. Of nothing but
 * blanks nothing is given; `wrong` says why something cannot be read and what could be.
 * @param {string} typed @param {{least?: number, currency?: string}} [wanted] @returns {{value?: any, wrong?: string}}
 */
export function numberIn(typed, { least, currency } = {}) {
  const text = typed.trim().replace(/[０-９．－]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replace("−", "-");
  if (text === "") return {};
  if (currency !== undefined) return amountIn(text, typed.trim(), decimalsOf(currency));
  const digits = whole(text.replace(/^-/, ""));
  if (!digits) return { wrong: t("“{typed}” cannot be read as a whole number. Write it as in 25 or 1,000.", { typed: typed.trim() }) };
  const value = Number(digits) * (text.startsWith("-") ? -1 : 1) || 0;
  if (!Number.isSafeInteger(value)) return { wrong: t("“{typed}” is too large.", { typed: typed.trim() }) };
  if (least !== undefined && value < least) return { wrong: t("“{typed}” is too little: it has to be at least {least}.", { typed: typed.trim(), least }) };
  return { value };
}

/** @param {string} text @param {string} typed @param {number | undefined} decimals unknown while the currency is */
function amountIn(text, typed, decimals) {
  const either = decimals === 0 ? null : EITHER.exec(text);
  if (either) return { wrong: t("{whole} or {fraction}? Write it without a comma.", { whole: `${either[1]}${either[2]}`, fraction: `${either[1]}.${either[2]}` }) };
  const [, before = text, behind = ""] = (decimals === 0 ? null : /^([^,，]+)[,，](\d{1,2})$/.exec(text)) ?? /^(.+)\.(\d+)$/.exec(text) ?? [];
  const value = [whole(before), behind].filter(Boolean).join(".");
  if (whole(before) && /^(?=.*[1-9])\d{1,12}(\.\d{1,12})?$/.test(value)) return { value };
  return { wrong: t("“{typed}” cannot be read as an amount of money. Write it as in 10 or 0.5.", { typed }) };
}

/** The digits of a number without a sign; nothing if it is none. @param {string} text */
const whole = (text) => (/^\d+$/.test(text) ? text : GROUPED.test(text) ? text.replace(/\D/g, "") : "");

/** How many decimals a currency has. @param {string} currency */
function decimalsOf(currency) {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  } catch {
    return undefined;
  }
}
