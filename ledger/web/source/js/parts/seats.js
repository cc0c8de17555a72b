/**
 * Everyone at the table, in seat order, four in a row: name, what was won and the balance, who deals, whose turn it is, what lies before them.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { t } from "../core/words.js";
import { Figures } from "./figures.js";
import { PlayerName } from "./name.js";

/** @typedef {import("../core/types.js").Session} Session */

/**
 * @param {{session: Session, turn?: string | null, choose?: ((player: string) => void) | null, chosen?: string | null,
 *   may?: (player: string) => boolean, ask?: (player: string) => void, marks?: (player: string) => any, out?: (player: string) => boolean}} its
 *   `choose` makes the seats choose somebody (`for-{player}`), `ask` says why somebody stands as they do
 */
export function Seats({ session, turn = null, choose = null, chosen = null, may = () => true, ask, marks, out }) {
  const people = session.players.filter((each) => each.active).sort((one, other) => (one.seat ?? 0) - (other.seat ?? 0));
  const dealer = session.round?.dealer ?? session.dealer;
  return html`<ol class=${`seats n${people.length}`} aria-label=${t("The table")}>
    ${people.map((each) => {
      const here = (chosen ?? turn) === each.id;
      const choosing = choose && may(each.id);
      const tap = choosing && !here ? () => choose(each.id) : () => ask?.(each.id);
      const names = ["seat", here && "turn", out?.(each.id) && "out", choose && !choosing && "dim"].filter(Boolean).join(" ");
      return html`<li key=${each.id} class=${names}>
        <button type="button" class="seat-button" data-test=${choose ? `for-${each.id}` : `seat-${each.id}`} aria-current=${here ? "true" : undefined} onClick=${tap}>
          <${PlayerName} session=${session} player=${each.id} kind="seat-name" />
          <span class="seat-line"><span class=${`seat-balance ${each.won > 0 ? "gain" : ""}`}><${Figures} of=${each} /></span>
          ${dealer === each.id && html`<span class="dealer-mark" data-test="dealer" data-player=${each.id} title=${t("Dealer")}><span aria-hidden="true">親</span><span class="hidden">${t("Dealer")} ${nameOf(session, each.id)}</span></span>`}
          ${marks && html`<span class="seat-marks">${marks(each.id)}</span>`}</span>
        </button>
      </li>`;
    })}
  </ol>`;
}
