/**
 * Opening an evening from wherever that can be tapped, and the operator's key where the service wants one for it.
 */
import { html, useRef, useState } from "../core/html.js";
import { once } from "../core/once.js";
import { openEvening, operatorsKey, rememberOperatorsKey } from "../core/opening.js";
import { address, go } from "../core/router.js";
import { t } from "../core/words.js";
import { Refusal, useDoing } from "./doing.js";

/** Open, and go there. @param {() => void} [opened] @param {ReturnType<typeof once>} [keys] */
export function useOpening(opened, keys) {
  const asked = useRef(keys ?? once());
  const doing = useDoing(async (/** @type {Record<string, unknown>} */ body) => {
    const id = await openEvening(body, asked.current.headers(body));
    asked.current.answered();
    opened?.();
    go(address(id));
  });
  return { ...doing, open: doing.run, locked: doing.problem?.status === 401 };
}

/** Why the next evening was not opened, and the way on. @param {{opening: ReturnType<typeof useOpening>, again: (more?: Record<string, unknown>) => void}} its */
export function Unopened({ opening, again }) {
  const { problem, busy, locked } = opening;
  if (locked) return html`<${OpeningKey} again=${() => again()} busy=${busy} />`;
  if (problem?.errors?.some((each) => each.pointer === "/overrule")) return html`<${WhySoFew} ...${{ again, busy }} detail=${problem.errors[0]?.detail} />`;
  return html`<${Refusal} problem=${problem} />`;
}

/** Fewer are left than the game takes: they play on if the table says why. @param {{again: (more: Record<string, unknown>) => void, busy: boolean, detail: string | undefined}} its */
function WhySoFew({ again, busy, detail }) {
  const [reason, setReason] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (reason.trim()) again({ overrule: reason.trim() });
  };
  return html`<form class="refusal" onSubmit=${submit}><p role="alert" data-test="problem">${detail}</p>
    <label><span class="field-label">${t("Why the table played it so")}</span><input data-test="reason" maxlength="500" value=${reason} onInput=${(/** @type {InputEvent} */ event) => setReason(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
    <button class="main" data-test="overrule" disabled=${busy || !reason.trim()}>${t("Play on all the same")}</button></form>`;
}

/** @param {{again: () => void, busy: boolean}} its */
export function OpeningKey({ again, busy }) {
  const [key, setKey] = useState(operatorsKey.value);
  const [forLong, setForLong] = useState(true);
  const tried = operatorsKey.value !== "";
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    rememberOperatorsKey(key.trim(), forLong);
    again();
  };
  return html`<form class="opening-key refusal" onSubmit=${submit}>
    <p role="alert" data-test="problem">${tried ? t("That is not the key to this service. Ask the person who runs it.") : t("This service asks for a key before an evening is opened. Ask the person who runs it.")}</p>
    <label><span class="field-label">${t("Opening key")}</span><input type="password" data-test="opening-key" autocomplete="off" required value=${key} onInput=${(/** @type {InputEvent} */ event) => setKey(/** @type {HTMLInputElement} */ (event.target).value)} /></label>
    <label class="check"><input type="checkbox" checked=${forLong} onChange=${() => setForLong(!forLong)} /><span>${t("Keep it on this phone")}</span></label>
    <button class="main" data-test="open-with-key" disabled=${busy}>${t("Open")}</button>
  </form>`;
}
