/**
 * Who sits at the table: somebody comes, goes, takes another seat, is called something else, or is forgotten.
 */
import { html, useState } from "../core/html.js";
import { nameOf, seated, writtenName } from "../core/names.js";
import { t } from "../core/words.js";
import { People } from "../parts/choices.js";
import { Order } from "../parts/order.js";
import { Choice, Line, Task } from "../parts/task.js";

/** @typedef {import("../parts/task.js").Doing} Doing */

/** @param {Doing} its */
export function Join(its) {
  const { session } = its;
  const [name, setName] = useState("");
  const [seat, setSeat] = useState("");
  const [back, setBack] = useState(/** @type {string | null} */ (null));
  const left = session.players.filter((each) => !each.active);
  const here = seated(session);
  const who = back ? { player: back } : { name: name.trim() };
  const change = (/** @type {string} */ typed) => {
    setName(typed);
    setBack(null);
  };
  /** @type {[string, string][]} */
  const seats = [["", t("last")], ...here.map((each, place) => /** @type {[string, string]} */ ([String(place + 1), t("{seat}, before {name}", { seat: place + 1, name: nameOf(session, each.id) })]))];
  return html`<${Task} ...${its} type="player_joined" ready=${Boolean(back ?? name.trim())} event=${() => ({ ...who, ...(seat ? { seat: Number(seat) } : {}) })}>
    <${Line} label=${t("Name")} hook="name" value=${back ? writtenName(session, back) : name} change=${change} />
    ${left.length > 0 && html`<div class="field"><span class="field-label">${t("or a person who comes back")}</span><${People} among=${left.map((each) => each.id)} chosen=${back ? [back] : []} tap=${setBack} at=${its} /></div>`}
    <${Choice} label=${t("Seat")} hook="seat" value=${seat} change=${setSeat} options=${seats} />
  <//>`;
}

/** @param {Doing} its */
export function Leave(its) {
  const [who, setWho] = useState(its.about);
  return html`<${Task} ...${its} type="player_left" ready=${who !== null} event=${() => ({ player: who })}>
    <${People} among=${seated(its.session).map((each) => each.id)} chosen=${who ? [who] : []} tap=${setWho} at=${its} />
  <//>`;
}

/** @param {Doing} its */
export function Seats(its) {
  const before = seated(its.session);
  const [people, setPeople] = useState(before.map(({ id, name }) => ({ id, name })));
  const same = people.every((each, place) => each.id === before[place]?.id);
  return html`<${Task} ...${its} type="seats_changed" ready=${!same} event=${() => ({ seats: people.map((each) => each.id) })}>
    <${Order} people=${people} change=${setPeople} session=${its.session} />
  <//>`;
}

/** @param {Doing} its */
export function Rename(its) {
  const now = writtenName(its.session, its.about ?? "");
  const [name, setName] = useState(now);
  return html`<${Task} ...${its} type="player_renamed" ready=${name.trim() !== "" && name.trim() !== now} event=${() => ({ player: its.about, name: name.trim() })}>
    <${Line} label=${t("Name")} hook="name" value=${name} change=${setName} />
  <//>`;
}

/** @param {Doing} its */
export function Erase(its) {
  return html`<${Task} ...${its} type="player_erased" danger event=${() => ({ player: its.about })}>
    <p class="asked-of" dir="auto"><b>${nameOf(its.session, its.about)}</b></p>
    <p>${t("The name cannot be brought back, not even by undo. What was printed or exported before keeps it.")}</p>
  <//>`;
}

