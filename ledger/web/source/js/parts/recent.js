/**
 * The evenings that this phone knows, the latest first: on with one, or the next of the same people.
 */
import { html, useState } from "../core/html.js";
import { forget, known } from "../core/keys.js";
import { address } from "../core/router.js";
import { uniqueNames } from "../core/short_names.js";
import { dayOf, listed, moment, say, t, tn } from "../core/words.js";
import { Unopened, useOpening } from "./opening.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/keys.js").Known} Known */
/** @typedef {import("../core/types.js").Game} Game */

const AT_ONCE = 3;

/** What somebody with such a link may do. @param {string} role */
export function may(role) {
  if (role === "owner") return t("yours");
  return role === "scorer" ? t("you record") : t("you look on");
}

/** @param {{games: Game[]}} its */
export function Recent({ games }) {
  const [all, setAll] = useState(false);
  const [leaving, setLeaving] = useState(/** @type {Known | null} */ (null));
  const [next, setNext] = useState(/** @type {Known | null} */ (null));
  const opening = useOpening();
  const shown = all ? known.value : known.value.slice(0, AT_ONCE);
  const newest = known.value.find((each) => each.role !== "viewer");
  /** @param {Known} evening @param {Record<string, unknown>} [more] */
  const again = (evening, more) => {
    setNext(evening);
    void opening.open({ continues: evening.token, ...more });
  };
  return html`<section class="recent" aria-labelledby="recent"><h2 id="recent">${t("On this phone")}</h2>
    <ul>${shown.map((each) => html`<li key=${each.id} class="evening">
      <a class="evening-open" href=${address(each.id)} data-test=${`recent-${each.id}`}>
        <b dir="auto">${each.name ?? titleOf(games, each.game)}</b>
        <span class="soft small">${[each.name ? titleOf(games, each.game) : "", each.people.length ? tn("{count} person", "{count} people", each.people.length) : "", each.status === "closed" ? t("closed") : "", may(each.role)].filter(Boolean).join(" · ")}</span>
        <span class="soft small one-line" dir="auto">${each.people.length ? listed(uniqueNames(each.people)) : ""}</span>
        <span class="soft small">${each.played ? t("Played on {day}", { day: dayOf(each.played) }) : moment(each.seen)}</span>
      </a>
      <div class="evening-tools">
        ${each.role !== "viewer" && html`<button type="button" class="quiet" disabled=${opening.busy} data-test=${each.id === newest?.id ? "next-evening" : `next-evening-${each.id}`} onClick=${() => again(each)}>${t("Next evening")}</button>`}
        <button type="button" class="icon" aria-label=${t("Forget {name} on this phone", { name: each.name ?? titleOf(games, each.game) })} data-test=${`forget-${each.id}`} onClick=${() => setLeaving(each)}>×</button>
      </div>
      ${next?.id === each.id && html`<${Unopened} opening=${opening} again=${(/** @type {Record<string, unknown>} */ more) => again(each, more)} />`}
    </li>`)}</ul>
    ${known.value.length > shown.length && html`<button type="button" class="chip" data-test="more-recent" onClick=${() => setAll(true)}>${tn("{count} more", "{count} more", known.value.length - shown.length)}</button>`}
    ${leaving && html`<${Leaving} evening=${leaving} close=${() => setLeaving(null)} />`}
  </section>`;
}

/** @param {Game[]} games @param {string} name */
const titleOf = (games, name) => say(games.find((each) => each.name === name)?.title) || name;

/** @param {{evening: Known, close: () => void}} its */
function Leaving({ evening, close }) {
  const gone = () => {
    forget(evening.id);
    close();
  };
  return html`<${Sheet} title=${t("Forget it on this phone?")} close=${close} hook="forget">
    <p>${evening.role === "owner" ? t("This phone has the owner's key. Unless it was kept elsewhere (by QR code, print or file), nobody can let others in, mend or delete this evening any more.") : t("To come back, you need the link again.")}</p>
    <p class="soft">${t("The evening itself stays as it is.")}</p>
    <button type="button" class="main danger wide" data-test="confirm" onClick=${gone}>${t("Forget it")}</button>
  <//>`;
}
