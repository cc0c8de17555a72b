/**
 * Those who won most, on their steps; a tie shares one.
 */
import { html } from "../core/html.js";
import { stepsOf } from "../core/placed.js";
import { signed, t } from "../core/words.js";
import { PlayerName } from "./name.js";
import { Seal } from "./seal.js";

/** More names than these do not stand above a step. */
const NAMES = 3;

/** @param {{session: import("../core/types.js").Session, order: import("../core/placed.js").Placed[]}} its */
export function Podium({ session, order }) {
  const steps = stepsOf(order);
  if (!steps.length) return null;
  return html`<ol class="podium" data-test="podium">${steps.map((those) => {
    const { place = 0, won = 0 } = those[0] ?? {};
    return html`<li key=${place} class=${`step step-${place}`}>
      ${those.slice(0, NAMES).map((each) => html`<${PlayerName} key=${each.id} session=${session} player=${each.id} />`)}
      ${those.length > NAMES && html`<span class="soft">${t("and {count} more", { count: those.length - NAMES })}</span>`}
      <b class=${won > 0 ? "gain" : "soft"}>${signed(won)}</b>
      <span class="step-block"><b>${place}</b>${place === 1 && html`<${Seal} />`}</span></li>`;
  })}</ol>`;
}
