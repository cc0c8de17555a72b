/**
 * The links of a session: whose they are, until when, and one by one made dead.
 */
import { html, useState } from "../core/html.js";
import { moment, t } from "../core/words.js";
import { Refusal, useDoing } from "./doing.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("../core/types.js").Link} Link */

/** @param {string} role */
export function roleName(role) {
  if (role === "owner") return t("Owner");
  return role === "scorer" ? t("Scorer") : t("Viewer");
}

/** @param {Link} link */
const isOver = (link) => Boolean(link.expires_at && new Date(link.expires_at) < new Date());

/** @param {{sitting: import("../core/sitting.js").Sitting, links: Link[], made: Link[], show: (link: Link) => void, gone: (link: Link) => void}} its `made` are those whose token this page was shown */
export function Links({ sitting, links, made, show, gone }) {
  const [revoking, setRevoking] = useState(/** @type {Link | null} */ (null));
  const alive = links.filter((each) => !each.revoked_at && !isOver(each));
  const mine = sitting.link.value?.id;
  return html`<ul class="links">${alive.map((each) => html`<li key=${each.id} data-test=${`link-${each.id}`}>
      <div class="link-about"><b dir="auto">${each.label ?? roleName(each.role)}</b>
        <span class="soft small">${[each.label ? roleName(each.role) : "", each.id === mine ? t("this phone") : "", t("made on {moment}", { moment: moment(each.created_at) }), each.expires_at ? t("until {moment}", { moment: moment(each.expires_at) }) : ""].filter(Boolean).join(" · ")}</span></div>
      ${made.some((link) => link.id === each.id) && html`<button type="button" class="quiet" data-test=${`show-${each.id}`} onClick=${() => show(each)}>${t("Show")}</button>`}
      <button type="button" class="quiet" data-test=${`revoke-${each.id}`} onClick=${() => setRevoking(each)}>${t("Revoke")}</button>
    </li>`)}</ul>
    ${revoking && html`<${Revoking} sitting=${sitting} link=${revoking} mine=${revoking.id === mine} close=${() => setRevoking(null)} gone=${gone} />`}`;
}

/** @param {{sitting: import("../core/sitting.js").Sitting, link: Link, mine: boolean, close: () => void, gone: (link: Link) => void}} its */
function Revoking({ sitting, link, mine, close, gone }) {
  const { busy, problem, run } = useDoing(async (/** @type {boolean} */ evenIfLast) => {
    await sitting.ask("DELETE", `/links/${encodeURIComponent(link.id)}${evenIfLast ? "?even_if_last=true" : ""}`);
    close();
    gone(link);
  });
  const isLast = problem?.code === "last_owner_link";
  return html`<${Sheet} title=${t("Revoke this link?")} close=${close} hook="revoke">
    <p dir="auto"><b>${link.label ?? roleName(link.role)}</b></p>
    <p>${mine ? t("It is this phone's own link. This phone will no longer see the evening.") : t("This link will no longer show the evening. The other links stay as they are.")}</p>
    <${Refusal} problem=${problem} />
    <button type="button" class="main danger wide" data-test="confirm" disabled=${busy} onClick=${() => run(isLast)}>${isLast ? t("Revoke it all the same") : t("Revoke")}</button>
  <//>`;
}
