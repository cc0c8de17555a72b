/**
 * What is tapped at Shirinma: the table of good cards, below it the plain card, what ends an auction, the trump, and the cards
 * from 2 to 9. Those lie above the table while the field card or the trump is due, else behind their button.
 */
import { html } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { t } from "../core/words.js";
import { mend } from "../parts/mending.js";
import { useOdds } from "../parts/odds.js";
import { aheadOf, isAhead, plainFor } from "./shirinma_ahead.js";
import { Bar } from "./shirinma_bar.js";
import { BidRow, reports } from "./shirinma_bid.js";
import { Grid } from "./shirinma_grid.js";
import { Low, Whose } from "./shirinma_low.js";
import { modeOf, setMode } from "./shirinma_mode.js";
import { holdings, inRows } from "./shirinma_table.js";
import { Tray } from "./tray.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */
/** @typedef {{play: Play, now: Asked, trump: boolean, deals: boolean}} Its */

/** @param {Its} its */
export function Lower(its) {
  const { play, now, trump, deals } = its;
  const { session, deck, game, round, guessed } = play;
  const odds = useOdds(play.sitting);
  const ahead = aheadOf(play, now);
  const type = now.field ? "field_card_revealed" : trump ? "trump_revealed" : "card_dealt";
  const may = round.next.some((each) => each.type === type) ? (round.cards?.next[type] ?? null) : null;
  const player = ahead.to ?? play.turn;
  const { lifted } = modeOf(play);
  const lifts = type === "card_dealt" && isAhead(now) && now.auction && !play.chosen;
  const deal = (/** @type {string} */ card) => {
    if (lifts && card !== "plain" && card !== lifted) {
      reports(play, now);
      setMode(play, { lifted: card });
    } else reports(play, now, ...(type === "card_dealt" ? [...plainFor(ahead.before), { type, player, card }] : [{ type, card }]));
  };
  const tap = !now.over && (deals || now.field || trump) ? deal : null;
  const look = (/** @type {string} */ card) => mend(play, card);
  const good = inRows(game, deck);
  const low = Object.keys(round.cards?.left ?? {}).filter((code) => !good.includes(code));
  const isOpen = tap !== null && (modeOf(play).low ?? (now.field || trump));
  const label = type === "card_dealt" && player ? t("Card for {name}", { name: nameOf(session, player, game) }) : t("Cards");
  return html`<section class=${`pad shirinma-pad ${isOpen ? "opened" : ""}`} inert=${now.over} aria-busy=${now.over}>
    ${now.auction && !trump && !lifted && html`<${BidRow} play=${play} now=${now} auction=${now.auction} />`}
    <${Tray} open=${isOpen} show=${() => setMode(play, { low: true })} low=${tap && html`${now.auction && !trump && !lifted && html`<${Whose} play=${play} />`}<${Low} play=${play} codes=${low} may=${may} tap=${tap} mend=${look} />`}>
      <${Grid} session=${session} deck=${deck} codes=${good} holdings=${holdings(play)} field=${round.table.field_card} left=${round.cards?.left} gone=${guessed.gone}
        sold=${now.auction?.card} lifted=${lifted} odds=${odds} may=${may} tap=${tap} mend=${look} label=${label} /><//>
    <${Bar} ...${its} deal=${deal} low=${isOpen} />
  </section>`;
}
