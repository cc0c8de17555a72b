/**
 * The whole evening is deleted, for good: only for its owner, and only once it is said twice.
 */
import { html, useState } from "../core/html.js";
import { forget } from "../core/keys.js";
import { address, go } from "../core/router.js";
import { say, t } from "../core/words.js";
import { Refusal, useDoing } from "../parts/doing.js";
import { Sheet } from "../parts/sheet.js";

/** @param {import("../parts/task.js").Doing} its */
export function Delete({ sitting, session, game, close }) {
  const [sure, setSure] = useState(false);
  const { busy, problem, run } = useDoing(async () => {
    await sitting.ask("DELETE", `?confirm=${encodeURIComponent(sitting.id)}`);
    forget(sitting.id);
    go(address(null));
  });
  return html`<${Sheet} title=${t("Delete the evening")} close=${close} hook="delete">
    <p class="asked-of" dir="auto"><b>${session.name ?? say(game.title)}</b></p>
    <p>${t("Everything in it is gone for everyone, for good: rounds, chips, names and all links. Take it home first if it may be needed later.")}</p>
    <p><a href=${address(sitting.id, "exports")}>${t("Take home")}</a></p>
    <label class="check"><input type="checkbox" data-test="sure" checked=${sure} onChange=${() => setSure(!sure)} /><span>${t("Yes, delete all of it")}</span></label>
    <${Refusal} problem=${problem} />
    <button type="button" class="main wide danger" data-test="confirm" disabled=${busy || !sure} onClick=${() => run()}>${t("Delete the evening")}</button>
  <//>`;
}
