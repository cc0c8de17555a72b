/**
 * The evenings that this phone knows: the last one as a card with its next step, the others in short rows.
 */
import { html, useState } from "../core/html.js";
import { forget, known } from "../core/keys.js";
import { address } from "../core/router.js";
import { stoodOf } from "../core/stood.js";
import { language, t, tn } from "../core/words.js";
import { EveningCard, stepOf } from "./evening_card.js";
import { dayOfEvening, nameOfEvening, titleOf } from "./evening_named.js";
import { Icon } from "./icon.js";
import { Unopened, useOpening } from "./opening.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/keys.js").Known} Known */
/** @typedef {import("../core/types.js").Game} Game */

const AT_ONCE = 2;

/** What a phone with such a link may do. @param {string} role */
function may(role) {
  if (role === "owner") return t("yours");
  return role === "scorer" ? t("you record") : t("you look on");
}

/** @param {{games: Game[]}} its */
export function Recent({ games }) {
  const [all, setAll] = useState(false);
  const [leaving, setLeaving] = useState(/** @type {Known | null} */ (null));
  const [next, setNext] = useState(/** @type {Known | null} */ (null));
  const opening = useOpening();
  const [last, ...others] = known.value;
  if (!last) return null;
  const shown = all ? others : others.slice(0, AT_ONCE);
  /** @param {Known} evening @param {Record<string, unknown>} [more] */
  const again = (evening, more) => {
    setNext(evening);
    void opening.open({ continues: evening.token, ...more });
  };
  const unopened = (/** @type {Known} */ evening) => next?.id === evening.id && html`<${Unopened} opening=${opening} again=${(/** @type {Record<string, unknown>} */ more) => again(evening, more)} />`;
  const isOffered = last.role !== "viewer" && !last.sample && stepOf(last, stoodOf(last.id)) !== "next";
  return html`<div class="recent">
    <${EveningCard} evening=${last} games=${games} next=${() => again(last)} busy=${opening.busy} leave=${() => setLeaving(last)} />
    ${isOffered && html`<button type="button" class="text next-evening" disabled=${opening.busy} data-test="next-evening" onClick=${() => again(last)}>${t("Next evening of the same people")}</button>`}
    ${unopened(last)}
    ${shown.length > 0 && html`<ul class="others">${shown.map((each) => html`<${Other} key=${each.id} evening=${each} games=${games} busy=${opening.busy} again=${() => again(each)} leave=${() => setLeaving(each)}>${unopened(each)}<//>`)}</ul>`}
    ${others.length > shown.length && html`<button type="button" class="text" data-test="more-recent" onClick=${() => setAll(true)}>${tn("{count} more evening", "{count} more evenings", others.length - shown.length)}</button>`}
    ${leaving && html`<${Leaving} evening=${leaving} close=${() => setLeaving(null)} />`}
  </div>`;
}

/** @param {{evening: Known, games: Game[], busy: boolean, again: () => void, leave: () => void, children?: any}} its */
function Other({ evening, games, busy, again, leave, children }) {
  const name = nameOfEvening(games, evening);
  const day = new Intl.DateTimeFormat(language.value, { day: "numeric", month: "short", year: "numeric" }).format(dayOfEvening(evening, stoodOf(evening.id)));
  const about = [day, evening.name && titleOf(games, evening.game), evening.people.length && tn("{count} person", "{count} people", evening.people.length), evening.status === "closed" && t("closed"), evening.role !== "owner" && may(evening.role)];
  return html`<li><a class="other-open" href=${address(evening.id)} data-test=${`recent-${evening.id}`}><b dir="auto">${name}</b><span class="soft">${about.filter(Boolean).join(" · ")}</span></a>
    ${evening.role !== "viewer" && html`<button type="button" class="icon" aria-label=${t("Next evening of {name}", { name })} disabled=${busy} data-test=${`next-evening-${evening.id}`} onClick=${again}><${Icon} name="next" /></button>`}
    <button type="button" class="icon" aria-label=${t("Forget {name} on this phone", { name })} data-test=${`forget-${evening.id}`} onClick=${leave}><${Icon} name="close" /></button>
    ${children}</li>`;
}

/** @param {{evening: Known, close: () => void}} its */
function Leaving({ evening, close }) {
  const gone = () => {
    forget(evening.id);
    close();
  };
  return html`<${Sheet} title=${t("Forget it on this phone?")} close=${close} hook="forget">
    <p>${evening.role === "owner" ? t("This phone has the owner's key. Unless it was kept elsewhere (as a QR code, on paper or as a file), no phone can let others in or delete this evening any more.") : t("To come back, you need the link again.")}</p>
    <p class="soft">${t("The evening itself stays as it is.")}</p>
    <button type="button" class="main danger wide" data-test="confirm" onClick=${gone}>${t("Forget it")}</button>
  <//>`;
}
