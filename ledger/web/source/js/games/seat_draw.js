/**
 * The draw for seats, between rounds: everyone draws a card; those who tie draw again.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Refused } from "../core/api.js";
import { discardDraft, saveDraft } from "../core/drafts.js";
import { CardFace } from "../cards/face.js";
import { kindOf, nameOf, seated } from "../core/names.js";
import { listed, say, t } from "../core/words.js";
import { PlayerName } from "../parts/name.js";
import { NumberPad, counted, valueOf } from "./number_pad.js";
import { TYPE, aboutOf, drawnOf } from "./seat_draft.js";

/** @typedef {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck,
 *   session: import("../core/types.js").Session}} At */
/** @typedef {import("./seat_draft.js").Draw} Draw */

/** @param {At} at */
export function SeatDraw(at) {
  const { sitting, session } = at;
  if (!sitting.mayRecord.value || session.status !== "open") return null;
  return html`<${Drawing} key=${session.draw_again?.join()} ...${at} />`;
}

/** @param {At} at */
function Drawing(at) {
  const who = useDrawers(at);
  if (!who) return html`<section class="seat-draw" aria-busy="true"></section>`;
  return html`<${Cards} ...${at} who=${who} />`;
}

/** @param {At & {who: string[]}} at */
function Cards(at) {
  const { sitting, session, game, deck, who } = at;
  const again = session.draw_again ?? [];
  const drawn = drawnOf(sitting, session);
  const first = drawn.length ? who.find((each) => drawn.every((draw) => draw.player !== each)) : again[0];
  const [asked, setAsked] = useState(/** @type {string | null} */ (first ?? null));
  const tap = (/** @type {string} */ card) => {
    const draws = [...drawn.filter((each) => each.player !== asked), { player: asked ?? "", card }];
    const rest = who.filter((each) => draws.every((draw) => draw.player !== each));
    setAsked(rest[0] ?? null);
    if (rest.length) return saveDraft(sitting.id, aboutOf(session), { draws });
    sitting.report({ type: TYPE, draws: who.flatMap((each) => draws.filter((draw) => draw.player === each)) });
    discardDraft(sitting.id);
  };
  useEffect(() => {
    if (again[0] && drawn.length === 0) setAsked(again[0]);
  }, [sitting.seq.value]);
  const codes = deck.cards.filter((each) => each.value !== undefined).map((each) => each.code);
  const left = Object.fromEntries(deck.cards.map((each) => [each.code, each.copies]));
  const others = drawn.filter((each) => each.player !== asked).map((each) => each.card);
  return html`<section class=${`seat-draw ${asked ? "pad" : ""}`}>
    ${again.length > 0 && html`<p role="status" data-test="draw-again">${t("{names} drew the same and draw again.", { names: listed(again.map((each) => nameOf(session, each, game))) })}</p>`}
    ${asked ? html`<div class="question card-asked"><div class="question-text"><p class="soft">${t("Card for")}</p><h2 class="question-what"><${PlayerName} session=${session} player=${asked} kind="question-name" /></h2></div>
      <button type="button" class="quiet" data-test="draw-cancel" onClick=${() => { discardDraft(sitting.id); setAsked(null); }}>${t("Cancel")}</button></div>` : html`<p class="soft">${say(kindOf(game, TYPE)?.label)}</p>`}
    <div class="drawers" role="group" aria-label=${say(kindOf(game, TYPE)?.label)}>${who.map((each) => html`<${Drawer} key=${each} ...${at} player=${each} draw=${drawn.find((draw) => draw.player === each)} asked=${asked} ask=${setAsked} />`)}</div>
    ${asked && html`<${NumberPad} deck=${deck} codes=${codes} left=${left} gone=${counted(others)} number=${(/** @type {string} */ code) => valueOf(deck, code)} tap=${tap} />`}
  </section>`;
}

/** @param {At & {player: string, draw: Draw | undefined, asked: string | null, ask: (player: string) => void}} its */
function Drawer({ session, game, deck, player, draw, asked, ask }) {
  return html`<button type="button" class="quiet" data-test=${`draw-${player}`} aria-pressed=${asked === player} onClick=${() => ask(player)}>
    <${PlayerName} session=${session} player=${player} />${draw && html`<${CardFace} deck=${deck} code=${draw.card} small count=${valueOf(deck, draw.card)} />`}</button>`;
}

/** Who is to draw: those who tied, or whom the service names when all at the table would; null until it has said so. @param {At} at @returns {string[] | null} */
function useDrawers({ sitting, session, deck }) {
  const everyone = seated(session).map((each) => each.id);
  const [named, setNamed] = useState(/** @type {string[] | null} */ (null));
  const again = session.draw_again ?? [];
  useEffect(() => {
    if (again.length) return;
    if (sitting.waiting.value.length) return setNamed((known) => known ?? everyone);
    const codes = deck.cards.filter((each) => each.value !== undefined).map((each) => each.code);
    const draws = everyone.map((player, place) => ({ player, card: codes[place] }));
    const told = sitting.wouldBe({ type: TYPE, draws }).then(() => everyone, (failed) => failed instanceof Refused && failed.problem.expected);
    void told.then((players) => setNamed((known) => (Array.isArray(players) ? players : (known ?? everyone))));
  }, [sitting.seq.value]);
  return again.length ? again : named;
}
