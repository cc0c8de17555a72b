/**
 * A QR code with which a phone looks on: by this screen's own link if that does no more, else by one that its owner makes
 * once for all such screens of this phone. No link that may record is ever shown.
 */
import { html, useEffect, useState } from "../core/html.js";
import { Refused, call } from "../core/api.js";
import { once } from "../core/once.js";
import { alone, linkTo, originOf, told } from "../core/reach.js";
import { address } from "../core/router.js";
import { store, stored } from "../core/storage.js";
import { t } from "../core/words.js";
import { Qr } from "./qr.js";

/** @typedef {import("../core/sitting.js").Sitting} Sitting */
/** @typedef {{token?: string, asked?: [string, string]}} Kept the token of the link, or what was asked for and is not answered */

/** @param {string} id */
const placeOf = (id) => `fuda.wall.${id}`;
/** @param {string} id @returns {Kept} */
const keptOf = (id) => JSON.parse(stored(placeOf(id)) ?? "{}");
/** @param {string} id @param {Kept} kept */
const keep = (id, kept) => store(placeOf(id), JSON.stringify(kept));

/** Whether a token still opens the session, and no more than to look on. @param {Sitting} sitting @param {string} token */
const looksOn = (sitting, token) => call("GET", `${sitting.path}/links/me`, { token }).then(({ role }) => role === "viewer", (failed) => !(failed instanceof Refused));

/** @param {Sitting} sitting */
async function made(sitting) {
  const { id } = sitting;
  const { token, asked } = keptOf(id);
  if (token && (await looksOn(sitting, token))) return token;
  const asks = once(token ? undefined : asked, (sent) => keep(id, { asked: sent }));
  const wanted = { role: "viewer", label: t("Scoreboard") };
  const link = await sitting.ask("POST", "/links", wanted, asks.headers(wanted));
  keep(id, { token: link.token });
  return link.token;
}

/** @param {Sitting} sitting @returns {string | null} */
function useToken(sitting) {
  const [token, setToken] = useState(() => keptOf(sitting.id).token ?? null);
  const link = sitting.link.value;
  const mayMake = sitting.isOwner.value && link?.id !== "";
  useEffect(() => void (mayMake && made(sitting).then(setToken, () => undefined)), [mayMake, sitting.online.value]);
  if (link?.role === "viewer") return sitting.token();
  return sitting.isOwner.value ? token : null;
}

/** @param {{sitting: Sitting}} its */
export function ForPhones({ sitting }) {
  const token = useToken(sitting);
  if (!token) return null;
  const isUnreachable = alone && !originOf(told.value);
  return html`<aside class="for-phones" aria-label=${t("Look on")}>
    ${isUnreachable && sitting.isOwner.value ? html`<p><a href=${address(sitting.id, "share")}>${t("Phones need this computer's address. Enter it under Share.")}</a></p>` : html`<p>${t("follow along on your phone")}</p>`}
    ${!isUnreachable && html`<${Qr} text=${linkTo(sitting.id, token)} label=${t("follow along on your phone")} />`}</aside>`;
}
