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

const AtHand = fromLeaves("AtHand");
const Why = fromLeaves("Why");

/** @param {{sitting: import("../core/sitting.js").Sitting, game: import("../core/types.js").Game, deck: import("../core/types.js").Deck, session: import("../core/types.js").Session}} its */
export function TableHead({ sitting, game, deck, session }) {
  const { round } = session;
  const [asked, setAsked] = useState(/** @type {"" | "pot" | "how"} */ (""));
  const ended = session.rounds ? sitting.ended.value : null;
  const dealer = nameOf(session, round?.dealer ?? ended?.dealer ?? session.dealer, game);
  const stands = round ? [say(game.phases[round.phase]), t("{name} deals", { name: dealer })] : [say(game.results[ended?.outcome?.result ?? ""]), ended ? t("{name} dealt", { name: dealer }) : t("{name} deals", { name: dealer })];
  return html`<header class="head">
    <div class="head-round"><h1 data-test="round">${session.rounds ? t("Round {number}", { number: session.rounds }) : t("Before the first round")}</h1>
      <p class="soft" dir="auto">${stands.filter(Boolean).join(" · ")}</p>
      <${Pending} sitting=${sitting} /></div>
    <button type="button" class="pot" onClick=${() => setAsked("pot")}><span class="soft">${say(game.accounts.pot)}</span> <b data-test="pot">${number(session.pot)}</b></button>
    <nav class="head-tools" aria-label=${t("Table")}>
      <button type="button" class="icon how-icon" data-test="how" aria-label=${t("Rules at hand")} onClick=${() => setAsked("how")}><${Icon} name="help" /></button>
      <a class="icon" data-test="share" aria-label=${t("Share")} href=${address(sitting.id, "share")}><${Icon} name="qr" /></a>
      <${MenuButton} sitting=${sitting} />
    </nav>
    ${asked === "pot" && html`<${Why} sitting=${sitting} game=${game} account="pot" close=${() => setAsked("")} />`}
    ${asked === "how" && html`<${AtHand} sitting=${sitting} game=${game} deck=${deck} close=${() => setAsked("")} />`}
  </header>`;
}
