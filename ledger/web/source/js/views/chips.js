/**
 * Chips change hands outside the game.
 */
import { html, useId } from "../core/html.js";
import { keptForm } from "../core/drafts.js";
import { nameOf, seated } from "../core/names.js";
import { numberIn } from "../core/typed.js";
import { say, t } from "../core/words.js";
import { NumberInput, Unread } from "../parts/number_input.js";
import { Choice, Line, Task } from "../parts/task.js";

/** @param {import("../parts/task.js").Doing} its */
export function Chips(its) {
  const { session, game } = its;
  const here = seated(session);
  const gone = session.players.filter((each) => !each.active);
  /** @type {[string, string][]} */
  const accounts = [["bank", say(game.accounts.bank)], ...(session.round ? [] : [/** @type {[string, string]} */ (["pot", say(game.accounts.pot)])]), ...[...here, ...gone].map((each) => /** @type {[string, string]} */ ([each.id, nameOf(session, each.id)]))];
  const id = useId();
  const blank = { from: "bank", to: here[0]?.id ?? "", amount: "", note: "", reason: "" };
  const draft = keptForm(its.sitting.id, "chips_moved", blank);
  const isKnown = [draft.form.from, draft.form.to].every((account) => accounts.some(([each]) => each === account));
  const { from, to, amount, note, reason } = isKnown ? draft.form : blank;
  const change = (/** @type {Partial<typeof blank>} */ part) => draft.change({ from, to, amount, note, reason, ...part });
  const { value, wrong } = numberIn(amount, { least: 1 });
  const asksWhy = from === "pot";
  const isReady = value !== undefined && from !== to && (!asksWhy || reason.trim() !== "");
  return html`<${Task} ...${its} type="chips_moved" draft=${draft} ready=${Boolean(wrong) || isReady} event=${() => ({ from, to, amount: value, ...(asksWhy ? { overrule: reason.trim() } : {}), ...(note.trim() ? { note: note.trim() } : {}) })}>
    <div class="row from-to"><${Choice} label=${t("From")} hook="chips-from" value=${from} change=${(/** @type {string} */ account) => change({ from: account })} options=${accounts} />
      <button type="button" class="quiet" data-test="chips-turn" aria-label=${t("Swap the two")} onClick=${() => change({ from: to, to: from })}>⇄</button>
      <${Choice} label=${t("To")} hook="chips-to" value=${to} change=${(/** @type {string} */ account) => change({ to: account })} options=${accounts} /></div>
    <div class="field"><label for=${id}>${t("How many chips")}</label><${NumberInput} id=${id} hook="chips-amount" class="figure" text=${amount} change=${(/** @type {string} */ text) => change({ amount: text })} wrong=${wrong} />
      <${Unread} id=${id} wrong=${wrong} /></div>
    ${asksWhy && html`<${Line} label=${t("Why the table played it so")} hook="reason" value=${reason} most=${500} change=${(/** @type {string} */ text) => change({ reason: text })} />`}
    <${Line} label=${t("Note")} hook="note" value=${note} most=${500} change=${(/** @type {string} */ text) => change({ note: text })} />
  <//>`;
}
