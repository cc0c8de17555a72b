/**
 * The head of the table: round, phase and dealer, the pot, and the ways to sharing and the menu.
 */
import { html, useState } from "../core/html.js";
import { nameOf } from "../core/names.js";
import { address } from "../core/router.js";
import { number, say, t } from "../core/words.js";
import { fromLeaves } from "./from_leaves.js";
import { Icon } from "./icon.js";
import { MenuButton } from "./menu_button.js";
import { Pending } from "./pending.js";

const Why = fromLeaves("Why");

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, session: import("../core/types.js").Session}} its */
export function TableHead({ sitting, game, session }) {
  const { round } = session;
  const [asked, setAsked] = useState(false);
  const ended = session.rounds ? sitting.ended.value : null;
  const dealer = nameOf(session, round?.dealer ?? ended?.dealer ?? session.dealer, game);
  const stands = round ? [say(game.phases[round.phase]), t("{name} deals", { name: dealer })] : [say(game.results[ended?.outcome?.result ?? ""]), ended ? t("{name} dealt", { name: dealer }) : t("{name} deals", { name: dealer })];
  return html`<header class="head">
    <div class="head-round"><h1 data-test="round">${session.rounds ? t("Round {number}", { number: session.rounds }) : t("Before the first round")}</h1>
      <p class="soft" dir="auto">${stands.filter(Boolean).join(" · ")}</p>
      <${Pending} sitting=${sitting} /></div>
    <button type="button" class="pot" onClick=${() => setAsked(true)}><span class="soft">${say(game.accounts.pot)}</span> <b data-test="pot">${number(session.pot)}</b></button>
    <nav class="head-tools" aria-label=${t("Table")}>
      <a class="icon" data-test="share" aria-label=${t("Share")} href=${address(sitting.id, "share")}><${Icon} name="qr" /></a>
      <${MenuButton} sitting=${sitting} />
    </nav>
    ${asked && html`<${Why} sitting=${sitting} game=${game} account="pot" close=${() => setAsked(false)} />`}
  </header>`;
}
