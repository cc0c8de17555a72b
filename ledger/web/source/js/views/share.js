/**
 * Share: links by role, as QR codes and to copy, and those that there are, each of which can be made dead alone.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { all } from "../core/api.js";
import { once } from "../core/once.js";
import { linkTo } from "../core/reach.js";
import { address, go } from "../core/router.js";
import { t } from "../core/words.js";
import { Refusal, problemOf, useDoing } from "../parts/doing.js";
import { Links, roleName } from "../parts/links.js";
import { LinkShown } from "../parts/link.js";
import { PageHead } from "../parts/page_head.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {import("../core/types.js").Link} Link */

const ROLES = /** @type {const} */ (["viewer", "scorer", "owner"]);
const MORNING = 6;

/** When a link ends, as the API writes it. @param {string} until */
function endOf(until) {
  const end = new Date();
  if (until === "week") end.setDate(end.getDate() + 7);
  else if (until === "tonight") {
    if (end.getHours() >= MORNING) end.setDate(end.getDate() + 1);
    end.setHours(MORNING, 0, 0, 0);
  } else return null;
  return end.toISOString().replace(/\.\d+Z$/, "Z");
}

/** @param {{sitting: Sitting}} at */
export default function Share({ sitting }) {
  return html`<main class="page share">
    <${PageHead} sitting=${sitting} title=${t("Share")} />
    ${sitting.isOwner.value ? html`<${Owners} sitting=${sitting} />` : html`<section><p>${t("Only an owner makes links. The link of this phone can be kept or handed on:")}</p></section>`}
    <section><button type="button" class="quiet wide" data-test="keep-key" onClick=${() => go(address(sitting.id, "key"))}>${t("Keep the key of this phone")}</button></section>
  </main>`;
}

/** @param {{sitting: Sitting}} its */
function Owners({ sitting }) {
  const [links, setLinks] = useState(/** @type {Link[]} */ ([]));
  const [made, setMade] = useState(/** @type {Link[]} */ ([]));
  const [shown, setShown] = useState(/** @type {Link | null} */ (null));
  const [problem, setProblem] = useState(/** @type {import("../core/types.js").Problem | null} */ (null));
  const read = () => all(`${sitting.path}/links?limit=500`, "links", { token: sitting.token() }).then(setLinks, (failed) => setProblem(problemOf(failed)));
  useEffect(() => void read(), [sitting.id]);
  /** @param {Link} link */
  const add = (link) => {
    setMade([...made, link]);
    setShown(link);
    void read();
  };
  const gone = (/** @type {Link} */ link) => {
    if (shown?.id === link.id) setShown(null);
    void read();
  };
  useEffect(() => void (shown && document.querySelector(".new-link")?.scrollIntoView({ block: "start" })), [shown]);
  const own = made.find((each) => each.id === shown?.id);
  return html`<${NewLink} sitting=${sitting} add=${add} />
    ${own?.token && html`<section class="new-link" data-test="new-link" aria-live="polite" aria-labelledby="new-link"><h2 id="new-link">${own.label ? `${roleName(own.role)} · ${own.label}` : roleName(own.role)}</h2>
      <p class="soft small">${t("This is shown only once. Scan the code with the other phone, or copy the address, before you leave this page.")}</p>
      <${LinkShown} link=${linkTo(sitting.id, own.token)} label=${roleName(own.role)} /></section>`}
    <section aria-labelledby="links"><h2 id="links">${t("Existing links")}</h2><${Refusal} problem=${problem} />
      <${Links} sitting=${sitting} links=${links} made=${made} show=${setShown} gone=${gone} /></section>`;
}

/** @param {{sitting: Sitting, add: (link: Link) => void}} its */
function NewLink({ sitting, add }) {
  const [label, setLabel] = useState("");
  const [until, setUntil] = useState("");
  const asked = useRef(once());
  const { busy, problem, run } = useDoing(async (/** @type {string} */ role) => {
    const ends = endOf(until);
    const wanted = { role, ...(label.trim() ? { label: label.trim() } : {}), ...(ends ? { expires_at: ends } : {}) };
    const link = await sitting.ask("POST", "/links", wanted, asked.current.headers(wanted));
    asked.current.answered();
    setLabel("");
    add(link);
  });
  return html`<section class="make-link">
    <div class="roles">${ROLES.map((role) => html`<button type="button" key=${role} class="tile" data-test=${`share-${role}`} disabled=${busy} onClick=${() => run(role)}><b>${roleName(role)}</b><span class="soft">${what(role)}</span></button>`)}</div>
    <${Refusal} problem=${problem} />
    <div class="row wrap link-options">
      <label class="field grow"><span class="field-label">${t("For whom")}</span><input data-test="link-label" placeholder=${t("if wanted")} value=${label} maxlength="100" autocomplete="off" dir="auto" onInput=${(/** @type {InputEvent} */ event) => setLabel(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
      <label class="field grow"><span class="field-label">${t("Until")}</span><select data-test="link-until" value=${until} onChange=${(/** @type {Event} */ event) => setUntil(/** @type {HTMLSelectElement} */ (event.target).value)}>
        <option value="">${t("no end")}</option><option value="tonight">${t("tomorrow morning")}</option><option value="week">${t("in a week")}</option></select></label>
    </div></section>`;
}

/** @param {string} role */
function what(role) {
  if (role === "owner") return t("everything, like you");
  return role === "scorer" ? t("records too") : t("scoreboard and log");
}
