/**
 * The last evening that this phone knows, with its next step as a button.
 */
import { html } from "../core/html.js";
import { address } from "../core/router.js";
import { roundsEnded, stoodOf } from "../core/stood.js";
import { language, signed, t, tn } from "../core/words.js";
import { dayOfEvening, nameOfEvening } from "./evening_named.js";
import { Icon } from "./icon.js";

/** @typedef {import("../core/keys.js").Known} Known */

/** @param {{evening: Known, games: import("../core/types.js").Game[], next: () => void, busy: boolean, leave: () => void}} its `next` opens the next evening of the same people */
export function EveningCard({ evening, games, next, busy, leave }) {
  const stood = stoodOf(evening.id);
  const name = nameOfEvening(games, evening);
  const step = stepOf(evening, stood);
  return html`<section class="last-evening" aria-label=${t("The last evening")}>
    <a class="last-open" href=${address(evening.id)} data-test=${`recent-${evening.id}`}>
      <span class="soft last-when">${whenOf(dayOfEvening(evening, stood))}</span>
      <b class="last-name" dir="auto">${name}</b>
      <span class="soft" dir="auto">${howItStands(evening, stood)}</span></a>
    <button type="button" class="icon" aria-label=${t("Forget {name} on this phone", { name })} data-test=${`forget-${evening.id}`} onClick=${leave}><${Icon} name="close" /></button>
    ${step === "next"
      ? html`<button type="button" class="main wide" data-test="go-on" disabled=${busy} onClick=${next}>${t("Next evening of the same people")}</button>`
      : html`<a class="main wide" data-test="go-on" href=${address(evening.id)}>${said(step, stood)}</a>`}
  </section>`;
}

/** @typedef {import("../core/types.js").Session | null} Stood */

/** What is due in it for who has this link. @param {Known} evening @param {Stood} stood @returns {"look" | "pay" | "next" | "play"} */
export function stepOf(evening, stood) {
  if (evening.role === "viewer") return "look";
  if ((stood?.status ?? evening.status) !== "closed") return "play";
  return stood?.players.some((each) => each.balance !== 0) ? "pay" : "next";
}

/** @param {"look" | "pay" | "play"} step @param {Stood} stood */
function said(step, stood) {
  if (step === "look") return t("Look on");
  if (step === "pay") return t("Who pays whom");
  return t("Go on with round {number}", { number: roundsEnded(stood) + 1 });
}

/** @param {Date} day */
function whenOf(day) {
  const written = new Intl.DateTimeFormat(language.value, { weekday: "long", day: "numeric", month: "short" }).format(day);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(day).setHours(0, 0, 0, 0)) / 86400000);
  return `${days <= 0 ? t("This evening") : days === 1 ? t("Yesterday's evening") : t("The last evening")} · ${written}`;
}

/** People, rounds, and who is first with how much, where the phone knows that. @param {Known} evening @param {Stood} stood */
function howItStands(evening, stood) {
  const people = stood?.players.filter((each) => each.active).length ?? evening.people.length;
  const rounds = roundsEnded(stood);
  const most = Math.max(0, ...(stood?.players ?? []).map((each) => each.won));
  const first = most > 0 ? stood?.players.filter((each) => each.won === most) : [];
  const parts = [people && tn("{count} person", "{count} people", people), rounds && tn("{count} round", "{count} rounds", rounds), evening.status === "closed" && t("closed")].filter(Boolean).join(" · ");
  if (first?.length !== 1) return parts;
  const sentence = evening.status === "closed" ? t("{name} came first with {chips}") : t("{name} leads with {chips}");
  return html`${parts} · ${sentence.split(/(\{\w+\})/).map((part) => (part === "{name}" ? html`<b class="last-first">${first[0]?.name}</b>` : part === "{chips}" ? html`<b class="gain">${signed(most)}</b>` : part))}`;
}
