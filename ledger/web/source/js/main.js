/**
 * The page: which view is shown, and the session that it is about.
 */
import { computed } from "@preact/signals";
import { html, render, signal, effect } from "./core/html.js";
import { Refused, Unreachable, call } from "./core/api.js";
import { useArrival } from "./core/arrival.js";
import { recordOnce } from "./core/double_tap.js";
import { keepPage } from "./core/install.js";
import { dropKey, keep, keyOf } from "./core/keys.js";
import { deckOf, gameOf, games, shownHere as library } from "./core/library.js";
import { fetchAhead, fetched, fetchedBeside } from "./core/modules.js";
import { asCalledIn } from "./core/names.js";
import { place } from "./core/router.js";
import { watchTheWayBack } from "./core/sheets.js";
import { sit } from "./core/sitting.js";
import { namesHere, say, speak, t, tn } from "./core/words.js";
import { fetchPad } from "./games/pads.js";
import { fromLeaves } from "./parts/from_leaves.js";

/** @typedef {(at: any) => any} View */

/** What a closed evening shows in place of its table. */
const Ending = fromLeaves("Ending");
const WentBack = fromLeaves("WentBack");

/** Where the page begins is fetched at once, the rest when there is time or somebody goes there. */
const ofStart = () => import("./views/start.js");
const ofTable = () => import("./session.js");
const ofLeaves = () => import("./leaves.js");

/** @type {import("@preact/signals").Signal<{game: import("./core/types.js").Game, deck: import("./core/types.js").Deck} | null>} */
const fetchedHere = signal(null);
/** @type {import("@preact/signals").Signal<{name: string, View: View} | null>} */
const shown = signal(null);
/** @type {import("@preact/signals").Signal<import("./core/sitting.js").Sitting | null>} */
const sitting = signal(null);

/** Whose session a token opens and what it may do. @param {string} id @param {string} token */
const linkOf = (id, token) => call("GET", `/v1/sessions/${encodeURIComponent(id)}/links/me`, { token });

/** A token that came in the address is kept on this phone; a stronger one that it has is, unless that is dead. */
async function arrive(/** @type {string} */ id, /** @type {string} */ token) {
  try {
    const link = await linkOf(id, token);
    const before = keyOf(id);
    if (before && before.token !== token && (await isDead(id, before.token))) dropKey(id);
    keep({ id, token, role: link.role });
  } catch (failed) {
    if (!(failed instanceof Unreachable)) return;
    if (!keyOf(id)) keep({ id, token, role: "viewer" });
    addEventListener("online", () => void (place.peek().session === id ? open(id, token) : arrive(id, token)), { once: true });
  }
}

/** Whether a link was revoked or has expired. @param {string} id @param {string} token */
const isDead = (id, token) => linkOf(id, token).then(() => false, (failed) => failed instanceof Refused && failed.problem.status === 401);

effect(() => {
  const { session, token } = place.value;
  void open(session, token);
});

/** @param {string | null} id @param {string | null} token */
async function open(id, token) {
  if (id && token) await arrive(id, token);
  if (sitting.peek()?.id === id && !token) return;
  sitting.peek()?.leave();
  fetchedHere.value = null;
  sitting.value = id ? sit(id) : null;
}

/** What is shown is at least as new as this: whoever watches the page from outside can wait for it. */
effect(() => {
  document.documentElement.dataset.seq = String(sitting.value?.seq.value ?? "");
});

effect(() => {
  const session = sitting.value?.session.value;
  if (session && !library.peek()) void fetchLibrary(session.game, session.deck).catch(() => undefined);
});

effect(() => {
  namesHere.value = sitting.value?.session.value?.players.map((each) => each.name) ?? [];
});

const courts = computed(() => String(sitting.value?.session.value?.rules.western_courts ?? "JQK"));
effect(() => {
  const here = fetchedHere.value;
  library.value = here && { game: here.game, deck: asCalledIn(here.game, here.deck, courts.value) };
});

/** @param {string} game @param {string} pack */
async function fetchLibrary(game, pack) {
  const [described, cards] = await Promise.all([gameOf(game), deckOf(pack), fetched(() => fetchPad(game))]);
  fetchedHere.value = { game: described, deck: cards };
}

/** A link that may record shows the table, a viewer's a view of it. */
const viewed = computed(() => {
  const { session, view } = place.value;
  const role = sitting.value?.id === session ? (sitting.value?.link.value ?? keyOf(session ?? ""))?.role : null;
  return view === "table" && role === "viewer" ? "looking-on" : view;
});

effect(() => {
  const { session } = place.value;
  const view = viewed.value;
  if (!session) void fetchedBeside(ofStart).then((start) => show({ start: start.default }, view, "start"));
  else if (view === "table") void fetched(ofTable).then(({ Table }) => show({ table: Table }, view, "table"));
  else void Promise.all([fetched(ofTable), fetchedBeside(ofLeaves)]).then(([{ Table }, { VIEWS }]) => show({ table: Table, ...VIEWS }, view, "table"));
});

/** @param {Record<string, View>} views @param {string} wanted @param {string} otherwise */
function show(views, wanted, otherwise) {
  const name = views[wanted] ? wanted : otherwise;
  if (viewed.peek() !== wanted || shown.peek()?.name === name) return;
  shown.value = { name, View: /** @type {View} */ (views[name]) };
}

function Page() {
  const { session, about } = place.value;
  const view = shown.value;
  const stands = sitting.value?.session.value;
  const isOver = stands?.status === "closed" && place.value.view === "table";
  useArrival(isOver ? "ending" : (view?.name ?? ""), session, library.value && stands ? (stands.name ?? say(library.value.game.title)) : undefined);
  if (!view) return null;
  if (!session) return view.name === "start" ? html`<${view.View} about=${about} />` : null;
  const lost = sitting.value?.lost.value;
  const waits = lost && lost.status !== 403 ? (sitting.value?.waiting.value.length ?? 0) : 0;
  if (lost) return html`<main class="lost"><h1>${t("This table cannot be opened")}</h1><p role="alert" data-test="problem">${waits > 0
    ? html`<b data-test="pending">${tn("Your link has ended; {count} report waits here.", "Your link has ended; {count} reports wait here.", waits)}</b> ${t("This phone keeps what waits, and sends it once a new link to this table is opened on it.")}` : lost.detail}</p><p><a href="#/">${t("To the start")}</a></p></main>`;
  if (!sitting.value?.session.value || !library.value) return html`<main class="waiting" aria-busy="true"></main>`;
  return html`${sitting.value.wentBack.value && html`<${WentBack} sitting=${sitting.value} />`}<${isOver ? Ending : view.View} key=${`${session}/${sitting.value.books.value}`} sitting=${sitting.value} game=${library.value.game} deck=${library.value.deck} about=${about} />`;
}

recordOnce();
watchTheWayBack();
const first = place.value.session ? null : games().catch(() => undefined); // the start asks for them, too, once there are words
await speak();
const root = /** @type {HTMLElement} */ (document.getElementById("page"));
root.replaceChildren();
render(html`<${Page} />`, root);
await first;
keepPage();
fetchAhead([ofTable, () => fetchedBeside(ofLeaves), ofStart, () => import("uplot"), () => import("qrcode-generator")]);
