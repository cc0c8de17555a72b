/**
 * The good cards as one table of suits and ranks, the same on every screen: a card that may come is a button, a dealt one
 * turns over in its place and says who has it, who rides on it, for how much.
 */
import { html } from "../core/html.js";
import { CardFace } from "../cards/face.js";
import { cardName } from "../core/names.js";
import { number, t } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { PlayerName } from "../parts/name.js";
import { CardBar } from "../parts/odds.js";
import { Seen } from "../parts/seen.js";

/** @typedef {import("../core/types.js").Session} Session */
/** @typedef {import("../core/types.js").Deck} Deck */
/** @typedef {import("./shirinma_table.js").Holding} Holding */
/**
 * @typedef {{session: Session, deck: Deck, codes: string[], holdings: Holding[], field?: string | null, gone?: Map<string, number>,
 *   left?: Record<string, number> | null, sold?: string | null, lifted?: string | null, odds?: import("../parts/odds.js").Told | null, may?: string[] | null,
 *   tap?: ((card: string) => void) | null, mend?: ((card: string) => void) | null, label?: string}} Its
 *   `codes` the cards in rows of four; `tap` deals one and `mend` is about one that lies: without them the table is only looked at;
 *   `sold` is the card in the auction, `lifted` one that nobody has got yet; what is not in `may` is accepted only with a reason
 */

/** @param {Its} its */
export function Grid(its) {
  const { codes, label = t("Cards") } = its;
  return html`<div class="grid" role="group" aria-label=${label}>${codes.map((code) => html`<${Place} key=${code} ...${its} code=${code} />`)}</div>`;
}

/** @param {Deck} deck @param {string | null | undefined} code */
const suitOf = (deck, code) => {
  const card = deck.cards.find((each) => each.code === code);
  return (card?.stands_for ?? code ?? "").split("-")[0];
};

/** @param {Its & {code: string}} its */
function Place(its) {
  const { deck, code, holdings, field, left, gone, may, lifted, tap, mend } = its;
  const struck = Boolean(field) && suitOf(deck, field) === suitOf(deck, code);
  const holding = holdings.find((each) => each.card === code);
  if (holding) return html`<${Held} ...${its} holding=${holding} struck=${struck} />`;
  const face = html`<${CardFace} deck=${deck} code=${code} struck=${struck} quiet=${!tap} />`;
  const isGone = code === field || (left?.[code] ?? 1) - (gone?.get(code) ?? 0) <= 0;
  if (isGone) return html`<${Seen} deck=${deck} code=${code} look="place" mend=${mend}>${face}<span class="place-word" aria-hidden="true">${code === field ? t("field") : t("seen already")}</span><//>`;
  if (!tap) return html`<span class=${`place waits ${struck ? "struck" : ""}`}>${face}</span>`;
  const names = ["place", "comes", struck && "struck", lifted === code && "lifted", may && !may.includes(code) && "unlikely"].filter(Boolean).join(" ");
  return html`<button type="button" class=${names} data-test=${`card-${code}`} data-once=${code} onClick=${() => tap(code)}>${face}</button>`;
}

/** A dealt card in its place. @param {Its & {code: string, holding: Holding, struck: boolean}} its */
function Held({ session, deck, code, holding, struck, sold, odds, mend }) {
  const { player, back_rider: rider, bids, waits } = holding;
  const price = Math.max(0, ...bids.filter((each) => each.player === rider).map((each) => each.amount));
  const inside = html`<span class="held-card"><${CardFace} deck=${deck} code=${code} small quiet struck=${struck} /><span class="hidden">${cardName(deck, code)}, </span><${CardBar} told=${odds ?? null} card=${code} /></span>
    <${PlayerName} session=${session} player=${player} kind="held-owner" />
    <span class="held-third">${sold === code ? t("for sale") : rider ? html`<${Icon} name="rider" /><span class="hidden">${t("Back-rider")} </span><${PlayerName} session=${session} player=${rider} kind="held-rider" /> <span class="figure">${number(price)}</span>` : struck ? t("cannot win") : ""}</span>`;
  const names = ["place", "held", sold === code && "sold", waits && "waits"].filter(Boolean).join(" ");
  if (!mend) return html`<span class=${names} data-test=${`held-${code}`}>${inside}</span>`;
  return html`<button type="button" class=${names} data-test=${`held-${code}`} data-once=${code} onClick=${() => mend(code)}>${inside}</button>`;
}
