/**
 * A picture of the evening to send, made on this phone; it leaves it only by the tap that sends or saves it.
 */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { saidBest } from "../core/best.js";
import { fetched } from "../core/modules.js";
import { shortNameOf } from "../core/names.js";
import { stepsOf, whoseEvening } from "../core/placed.js";
import { saveAs } from "../core/save.js";
import { dayOf, language, say, signed, t, tn } from "../core/words.js";
import { SIGN } from "./seal.js";
import { Sheet } from "./sheet.js";

/** @typedef {{session: import("../core/types.js").Session, game: import("../core/types.js").Game, order: import("../core/placed.js").Placed[], best: import("../core/best.js").Best}} Its */

/** @param {Its & {close: () => void}} its */
export function PictureSheet(its) {
  const { session, close } = its;
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [named, setNamed] = useState(true);
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const told = toldOf(its, named);
  useEffect(() => {
    let late = false;
    setFile(null);
    const make = async () => {
      const { draw } = await fetched(() => import("../core/picture_drawn.js"));
      if (late || !canvas.current) return;
      draw(canvas.current, told, SIGN);
      canvas.current.toBlob((blob) => !late && blob && setFile(new File([blob], `${told.called}.png`, { type: "image/png" })));
    };
    void make();
    return () => {
      late = true;
    };
  }, [JSON.stringify(told)]);
  const canSend = file && navigator.canShare?.({ files: [file] });
  const save = () => file && saveAs(file, file.name);
  const send = () => navigator.share({ files: [/** @type {File} */ (file)] }).catch((failed) => failed.name !== "AbortError" && save());
  return html`<${Sheet} title=${t("A picture of the evening")} close=${close} hook="picture-sheet">
    <canvas ref=${canvas} class="picture" role="img" aria-label=${[told.title, ...(told.best ?? [])].join(" ")} aria-busy=${!file}></canvas>
    <label class="check"><input type="checkbox" role="switch" data-test="picture-names" checked=${named} onChange=${() => setNamed(!named)} /><span>${t("Names")} <span class="soft small">${t("if off, only initials")}</span></span></label>
    <footer class="sheet-foot row">${canSend && html`<button type="button" class="main grow" data-test="picture-send" onClick=${() => void send()}>${t("Send")}</button>`}
      <button type="button" class=${`${canSend ? "quiet" : "main"} grow`} data-test="picture-save" disabled=${!file} onClick=${save}>${t("Save")}</button></footer>
  <//>`;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** @param {string} name */
const initial = (name) => [...segmenter.segment(name)][0]?.segment ?? "";

/** All that stands on the picture, in words. @param {Its} its @param {boolean} named */
function toldOf({ session, game, order, best }, named) {
  const name = (/** @type {string} */ player) => (named ? shortNameOf(session, player, game, 18) : `${initial(shortNameOf(session, player, game))}.`);
  const called = (named && session.name) || say(game.title);
  return {
    called,
    kicker: [...new Set([called, say(game.title), dayOf(session.played_on ?? session.created_at.slice(0, 10))])].join(" · "),
    title: (named && whoseEvening(session, order)) || t("How it ended"),
    order: order.map(({ id, place, won }) => ({ place, won: signed(won), isGain: won > 0, name: name(id) })),
    steps: stepsOf(order).map((those) => those.map(({ id }) => order.findIndex((each) => each.id === id))),
    best: saidBest(best, name),
    facts: tn("{count} round", "{count} rounds", session.rounds),
    language: language.value,
  };
}

/** @typedef {ReturnType<typeof toldOf>} Told */
