/**
 * A bid that is chosen and not recorded yet: a tap on a seat bids the amount shown. It is recorded by its button, by whatever
 * comes after it (another bid, a card, the closing), or by itself after two seconds.
 */
import { html, signal, useEffect, useId } from "../core/html.js";
import { discardDraft, draftOf, saveDraft } from "../core/drafts.js";
import { numberIn } from "../core/typed.js";
import { number, t } from "../core/words.js";
import { Icon } from "../parts/icon.js";
import { NumberInput, Unread, leadsToMarked } from "../parts/number_input.js";

/** @typedef {import("./pads.js").Play} Play */
/** @typedef {import("./shirinma_asked.js").Asked} Asked */
/** @typedef {import("./shirinma_asked.js").Auction} Auction */
/** @typedef {import("../core/types.js").Event} Event */

/** A bid records itself so long after the last touch, in milliseconds. */
const BY_ITSELF = 2000;

/** When the draft was touched last on this page; a draft that a reload brought back waits for a tap. */
const touched = signal(0);

/**
 * The draft for this card, as it was typed; one that was overbid meanwhile is none any more.
 * @param {import("../core/sitting.js").Sitting} sitting @param {Auction} auction
 * @returns {{player: string | null, text: string, amount?: number, wrong?: string}} `wrong` is why there is no amount
 */
export function drafted(sitting, auction) {
  const bid = draftOf(sitting.id, auction.about);
  const { value: amount, wrong } = numberIn(bid?.text ?? "", { least: 1 });
  const isStale = !bid || (bid.least !== auction.least && amount < auction.least);
  if (isStale) return { player: null, text: String(auction.least), amount: auction.least };
  const missing = bid.player ? t("How many chips are bid? At least {least}.", { least: auction.least }) : undefined;
  return { player: bid.player, text: bid.text, amount, wrong: bid.text.trim() ? wrong : missing };
}

/** @param {Play} play @param {Auction} auction @param {{player?: string | null, text?: string}} change */
function set(play, auction, change) {
  const { player, text } = drafted(play.sitting, auction);
  saveDraft(play.sitting.id, auction.about, { player, text, least: auction.least, ...change });
  touched.value += 1;
}

/** Somebody bids the amount shown; a bid of another that is chosen already is recorded first. @param {Play} play @param {Asked} now @param {string} player */
export function bids(play, now, player) {
  const { auction } = now;
  if (!auction) return;
  const typing = /** @type {HTMLElement | null} */ (document.activeElement?.closest(".bid-amount input"));
  typing?.blur(); // not every browser gives the focus to what is tapped
  const chosen = drafted(play.sitting, auction);
  if (chosen.player === player) return void reports(play, now);
  if (!chosen.player) return set(play, auction, { player });
  if (leadsToBid(play, now) || chosen.amount === undefined) return;
  const least = chosen.amount + play.round.rules.min_increment;
  reports(play, now);
  saveDraft(play.sitting.id, auction.about, { player, text: String(least), least });
  touched.value += 1;
}

/** Lead to a bid that cannot be read; nothing is recorded while there is one. @param {Play} play @param {Asked} now */
export function leadsToBid(play, now) {
  const isUnread = Boolean(now.auction && drafted(play.sitting, now.auction).wrong);
  if (isUnread) leadsToMarked(document.querySelector(".bid-row"));
  return isUnread;
}

/** Report what happened, after the bid that was chosen; without anything else, that bid. @param {Play} play @param {Asked} now @param {Event[]} events */
export function reports(play, now, ...events) {
  if (leadsToBid(play, now)) return;
  const { player, amount } = now.auction ? drafted(play.sitting, now.auction) : { player: null, amount: 0 };
  const first = player ? [{ type: "bid_placed", player, amount }] : [];
  discardDraft(play.sitting.id);
  if (first.length || events.length) play.sitting.report(...first, ...events);
}

/** The amount that a tap on a seat bids. @param {{play: Play, now: Asked, auction: Auction}} its */
export function BidRow({ play, now, auction }) {
  const { text, amount, wrong, player } = drafted(play.sitting, auction);
  const id = useId();
  useRecordingItself(play, now, Boolean(player && !wrong));
  const step = (/** @type {number} */ chips) => () => set(play, auction, { text: String(amount === undefined ? auction.least : Math.max(1, amount + chips)) });
  return html`<section class="bidding" aria-label=${t("Bid, at least {least}", { least: auction.least })}>
    <p class="bids-hint">${t("Tap the bidder's seat")}</p>
    <div class="bid-row">
      <button type="button" class="quiet" data-test="bid-less" aria-label=${t("one less")} disabled=${amount !== undefined && amount <= 1} onClick=${step(-1)}>−</button>
      <label class="bid-amount"><span class="hidden">${t("Bid, at least {least}", { least: auction.least })}</span>
        <${NumberInput} id=${id} hook="bid-amount" text=${text} change=${(/** @type {string} */ typed) => set(play, auction, { text: typed })} wrong=${wrong} placeholder=${String(auction.least)} onFocus=${(/** @type {any} */ event) => event.target.select()}
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && player && reports(play, now)} /></label>
      ${[1, 5, 10].map((chips) => html`<button type="button" key=${chips} class="quiet" data-test=${`bid-plus-${chips}`} onClick=${step(chips)}>+${number(chips)}</button>`)}
      <button type="button" class="quiet bid-done" data-test="bid" data-once="bid" aria-label=${t("Bid")} onClick=${() => (player ? reports(play, now) : undefined)}><${Icon} name="check" /></button>
    </div>
    <${Unread} id=${id} wrong=${wrong} /></section>`;
}

/** Nobody has to confirm a bid; while the amount is being typed it waits. @param {Play} play @param {Asked} now @param {boolean} ready */
function useRecordingItself(play, now, ready) {
  const touch = touched.value;
  useEffect(() => {
    if (!ready || touch === 0) return undefined;
    const timer = setInterval(() => {
      if (!document.activeElement?.matches(".bid-amount input")) reports(play, now);
    }, BY_ITSELF);
    return () => clearInterval(timer);
  }, [touch, ready, now.auction?.about]);
}
