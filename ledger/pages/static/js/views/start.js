/**
 * The start: a new evening, or one that this phone knows.
 */
import { html, useEffect, useState } from "../core/html.js";
import { call, newKey } from "../core/api.js";
import { keep, known } from "../core/keys.js";
import { games } from "../core/library.js";
import { address, go } from "../core/router.js";
import { say, t } from "../core/words.js";

export default function Start() {
  const [list, setList] = useState(/** @type {import("../core/types.js").Game[]} */ ([]));
  const [game, setGame] = useState("");
  const [names, setNames] = useState("");
  useEffect(() => void games().then(setList), []);
  const open = async () => {
    const players = names.split("\n").map((each) => each.trim()).filter(Boolean);
    const answer = await call("POST", "/v1/sessions", { body: { game, players }, headers: { "Idempotency-Key": newKey() } });
    keep({ id: answer.session.id, token: answer.link.token, role: "owner", name: answer.session.name, game });
    go(address(answer.session.id));
  };
  return html`<main class="start"><h1>Fuda Ledger</h1>
    ${list.map((each) => html`<button type="button" key=${each.name} class="quiet" aria-pressed=${game === each.name} data-test=${`new-game-${each.name}`} onClick=${() => setGame(each.name)}>${say(each.title)}</button>`)}
    <label>${t("Names, one a line, in seat order")}<textarea data-test="names" value=${names} onInput=${(/** @type {InputEvent} */ event) => setNames(/** @type {HTMLTextAreaElement} */ (event.target).value)}></textarea></label>
    <button type="button" class="main" data-test="open" disabled=${!game} onClick=${open}>${t("Open")}</button>
    <ul>${known.value.map((each) => html`<li key=${each.id}><a href=${address(each.id)}>${each.name ?? each.game}</a></li>`)}</ul></main>`;
}
