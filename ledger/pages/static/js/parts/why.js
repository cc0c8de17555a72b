/**
 * Every number can be asked: from which events an account's chips came, in words.
 */
import { html, useEffect, useState } from "../core/html.js";
import { all } from "../core/api.js";
import { nameOf } from "../core/names.js";
import { number, say, signed, t } from "../core/words.js";
import { Sheet } from "./sheet.js";

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, account: string, close: () => void}} its */
export function Why({ sitting, game, account, close }) {
  const [entries, setEntries] = useState(/** @type {import("../core/types.js").Entry[] | null} */ (null));
  useEffect(() => {
    void all(`${sitting.path}/ledger?account=${account}&limit=500`, "entries", { token: sitting.token() }).then(setEntries, () => setEntries([]));
  }, [account, sitting.seq.value]);
  const session = sitting.session.value;
  const rows = [...(entries ?? [])].reverse().map((entry) => {
    const chips = entry.to === account ? entry.amount : -entry.amount;
    const other = entry.to === account ? entry.from : entry.to;
    return html`<tr key=${entry.id}><td class="soft">${entry.round ? number(entry.round) : "–"}</td><td>${say(game.reasons[entry.reason])} · ${nameOf(session, other, game)}</td><td class="figure">${signed(chips)}</td></tr>`;
  });
  return html`<${Sheet} title=${nameOf(session, account, game)} close=${close} hook="why">
    <table class="entries"><thead><tr><th>${t("Round")}</th><th>${t("What for")}</th><th class="figure">${t("Chips")}</th></tr></thead><tbody>${rows}</tbody></table>
    ${entries?.length === 0 && html`<p class="soft">${t("Nothing has moved here yet.")}</p>`}
  <//>`;
}
