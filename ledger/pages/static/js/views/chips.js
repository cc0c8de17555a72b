/**
 * Chips change hands outside the game.
 */
import { html, useState } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { say, t } from "../core/words.js";
import { Choice, Line, Task, seated, typed } from "../parts/task.js";

/** @param {import("../parts/task.js").Doing} its */
export function Chips(its) {
  const { session, game } = its;
  const here = seated(session);
  const gone = session.players.filter((each) => !each.active);
  /** @type {[string, string][]} */
  const accounts = [["bank", say(game.accounts.bank)], ...(session.round ? [] : [/** @type {[string, string]} */ (["pot", say(game.accounts.pot)])]), ...[...here, ...gone].map((each) => /** @type {[string, string]} */ ([each.id, nameOf(session, each.id)]))];
  const [from, setFrom] = useState("bank");
  const [to, setTo] = useState(here[0]?.id ?? "");
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const [reason, setReason] = useState("");
  const asksWhy = from === "pot";
  const whole = /^\d+$/.test(amount.trim()) && Number(amount) > 0;
  const turn = () => {
    setFrom(to);
    setTo(from);
  };
  return html`<${Task} ...${its} type="chips_moved" ready=${whole && from !== to && (!asksWhy || reason.trim() !== "")} event=${() => ({ from, to, amount: Number(amount), ...(asksWhy ? { overrule: reason.trim() } : {}), ...(note.trim() ? { note: note.trim() } : {}) })}>
    <div class="row from-to"><${Choice} label=${t("From")} hook="chips-from" value=${from} change=${setFrom} options=${accounts} />
      <button type="button" class="quiet" data-test="chips-turn" aria-label=${t("Swap the two")} onClick=${turn}>⇄</button>
      <${Choice} label=${t("To")} hook="chips-to" value=${to} change=${setTo} options=${accounts} /></div>
    <label class="field"><span class="field-label">${t("How many chips")}</span><input class="figure" data-test="chips-amount" inputmode="numeric" autocomplete="off" value=${amount} onInput=${(/** @type {Event} */ event) => setAmount(typed(event))} /></label>
    ${asksWhy && html`<${Line} label=${t("Why the table played it so")} hook="reason" value=${reason} most=${500} change=${setReason} />`}
    <${Line} label=${t("Note")} hook="note" value=${note} most=${500} change=${setNote} />
  <//>`;
}
