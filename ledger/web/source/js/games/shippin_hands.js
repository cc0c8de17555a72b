/**
 * How each column fared against the dealer: cards, total, who won.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { number, t } from "../core/words.js";
import { Face, valueOf } from "./number_pad.js";

/** @typedef {{column: number, cards: string[], total: number, karami: boolean, player: string | null, verdict: "player" | "dealer" | "tie"}} Hand */

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck, round: import("../core/types.js").Round}} its */
export function Hands({ sitting, game, deck, round }) {
  const { hands = [], dealer_hand: dealer } = round.outcome ?? {};
  if (!dealer) return null;
  const session = sitting.session.value;
  const verdicts = { player: t("wins"), dealer: t("loses"), tie: t("ties") };
  const cards = (/** @type {string[]} */ two) => html`<td class="hand-cards">${two.map((code, place) => html`<${Face} key=${place} deck=${deck} code=${code} number=${valueOf(deck, code)} />`)}</td>`;
  return html`<table class="hands"><caption class="hidden">${t("The hands")}</caption>
    <thead class="hidden"><tr><th>${t("Column")}</th><th>${t("Player")}</th><th>${t("Cards")}</th><th>${t("Total")}</th><th>${t("Outcome")}</th></tr></thead>
    <tbody>${hands.map((/** @type {Hand} */ each) => html`<tr key=${each.column} class=${`${each.verdict} ${each.player ? "" : "nobody"}`}>
      <th scope="row">${each.column}</th><td dir="auto">${each.player ? nameOf(session, each.player, game) : html`<span class="soft">${t("nobody")}</span>`}</td>${cards(each.cards)}
      <td class="figure">${number(each.total)}</td><td class="verdict">${verdicts[each.verdict]}</td></tr>`)}
      <tr class="dealer-hand"><th scope="row"><span aria-hidden="true">親</span><span class="hidden">${t("Dealer")}</span></th><td dir="auto">${nameOf(session, round.dealer, game)}</td>${cards(dealer.cards)}<td class="figure">${number(dealer.total)}</td><td></td></tr>
    </tbody></table>`;
}
