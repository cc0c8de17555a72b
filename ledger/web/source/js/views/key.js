/**
 * Keep the key: the link by which this phone opened the session, to be kept elsewhere, since a browser may forget what a
 * page stored.
 */
import { html } from "../core/html.js";
import { keyOf } from "../core/keys.js";
import { keyIsKept } from "../core/opening.js";
import { linkTo } from "../core/reach.js";
import { saveAs } from "../core/save.js";
import { dayOf, moment, say, t } from "../core/words.js";
import { LinkShown } from "../parts/link.js";
import { PageHead } from "../parts/page_head.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game}} at */
export default function Key({ sitting, game }) {
  const session = sitting.session.value;
  const kept = keyOf(sitting.id);
  if (!session || !kept) return null;
  const name = session.name ?? say(game.title);
  const link = linkTo(sitting.id, kept.token);
  const opened = session.played_on ? t("Played on {day}", { day: dayOf(session.played_on) }) : t("Opened on {moment}", { moment: moment(session.created_at) });
  const save = () => {
    const text = [name, opened, what(kept.role), "", link, ""].join("\n");
    saveAs(new Blob([text], { type: "text/plain;charset=utf-8" }), `fuda-ledger-${sitting.id}.txt`);
    keyIsKept(sitting.id);
  };
  const onPaper = () => {
    keyIsKept(sitting.id);
    print();
  };
  return html`<main class="page key">
    <${PageHead} sitting=${sitting} title=${t("Keep the key")} />
    <section><p><b dir="auto">${name}</b><br /><span class="soft">${opened}</span></p>
      <p>${what(kept.role)}</p>
      <p class="soft no-print">${t("A browser may forget what a page stored. Photograph this with another phone, print it or save it, and the evening stays yours.")}</p>
      <${LinkShown} link=${link} label=${t("Link of this phone")} />
      <div class="row no-print"><button type="button" class="quiet grow" data-test="print-key" onClick=${onPaper}>${t("Print")}</button><button type="button" class="quiet grow" data-test="save-key" onClick=${save}>${t("Save as a file")}</button></div>
    </section></main>`;
}

/** @param {string} role */
function what(role) {
  if (role === "owner") return t("With this link you own the evening: you can record and correct, let others in, and delete it.");
  return role === "scorer" ? t("With this link you can look on and record.") : t("With this link you can look on.");
}
