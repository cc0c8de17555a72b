/**
 * The table for who looks on: one's own name, what is asked, what lies there, the round in words. Nothing is recorded here.
 */
import { html, useState } from "../core/html.js";
import { useWakeLock } from "../core/wake_lock.js";
import { t } from "../core/words.js";
import { padOf } from "../games/pads.js";
import { playing } from "../games/play.js";
import { ConflictSheet } from "../parts/conflict.js";
import { Legend } from "../parts/figures.js";
import { InWords } from "../parts/in_words.js";
import { Pinned } from "../parts/pinned.js";
import { useRoundNet } from "../parts/round_net.js";
import { Seats } from "../parts/seats.js";
import { TableHead } from "../parts/table_head.js";
import { Why } from "../parts/why.js";
import { Phase } from "./table.js";
import { Result } from "./result.js";

/** @param {import("./table.js").At} at */
export default function LookingOn(at) {
  const { sitting, game } = at;
  const session = sitting.session.value;
  const [asked, setAsked] = useState(/** @type {{account: string, round?: number | null} | null} */ (null));
  const ended = session?.round ? null : sitting.ended.value;
  const { moved, net, tabs } = useRoundNet(sitting, ended);
  useWakeLock();
  const pad = session && padOf(session.game);
  if (!session) return null;
  const { round } = session;
  const play = round && pad ? playing(at, pad, { session, round }) : null;
  const look = (/** @type {string} */ player) => (play && pad?.seat ? pad.seat(play, player) : {});
  return html`<main class=${`looking ${game.name} ${round ? "plays" : "rests"}`} data-test="looking-on">
    <${TableHead} ...${at} session=${session} />
    ${!sitting.online.value && html`<p class="offline" role="status" data-test="offline">${t("No connection; this is how it stood last.")}</p>`}
    <div class="looking-parts">
      <div class="looking-part"><${Pinned} id=${sitting.id} session=${session} play=${play} tokens=${(/** @type {string} */ player) => look(player).tokens && html`<li class="tokens">${look(player).tokens}</li>`} />
        ${play && html`<section class="asks">${pad?.Asked ? html`<${pad.Asked} ...${play} />` : html`<${Phase} ...${play} />`}</section>
          ${pad?.Shown && html`<${pad.Shown} ...${play} />`}`}
        ${ended && html`<${Result} ...${at} session=${session} round=${ended} moved=${moved} ask=${(/** @type {string} */ account) => setAsked({ account, round: ended.number })} />`}
        ${!round && !ended && html`<p class="soft">${t("The first round comes next.")}</p>`}</div>
      <div class="looking-part">${tabs}<${Seats} session=${session} net=${net} look=${look} ask=${(/** @type {string} */ account) => setAsked({ account, round: net && ended?.number })} /><${Legend} people=${session.players} />
        <${InWords} ...${at} session=${session} /></div>
    </div>
    ${asked && html`<${Why} ...${at} ...${asked} close=${() => setAsked(null)} />`}
    ${sitting.conflict.value && html`<${ConflictSheet} ...${at} />`}
  </main>`;
}
