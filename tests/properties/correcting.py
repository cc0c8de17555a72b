"""What corrections mean, in the plainest way: a model that looks everything up anew in the list of all reports.

A report stands unless one that stands takes it back; an event is what the newest amendment of it that stands says; and
the order is that of a list into which inserted events were put by hand. What an evening has come to is then what its
events come to when they are played from the opening, and the books get the difference. Nothing is kept from one report
to the next but what is given once and for all: the ids of people, and entries. Besides, reports to try on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, takewhile
from random import Random
from typing import Any, NamedTuple

from ledger.accounting.books import Entry
from ledger.games import GAMES
from ledger.rulebook.chips import Transfer
from ledger.rulebook.event import Event
from ledger.rulebook.refusal import Refused, RefusedAt
from ledger.session.refusals import (
    AlreadyTakenBack,
    CorrectedTwice,
    ErasedForGood,
    IsACorrection,
    NoSuchEvent,
    NoSuchPart,
    NotAnEventOfTheTable,
    NothingToTakeBack,
    SessionIsClosed,
)
from ledger.session.rules import apply, need_choice
from ledger.session.table import Round, Table, open_table
from tests.properties.folding import opening_of, read
from tests.reckoning.evenings import Evening as Simulated
from tests.scorekeeper import Json

At = tuple[int, int]
"""The number of a report, and of the part in it; part 0 is the report itself."""

CORRECTIONS = ("event_taken_back", "event_amended", "event_inserted", "corrections_made")
BESIDE_A_ROUND = (
    "chips_moved",
    "balances_brought",
    "settlement_paid",
    "player_renamed",
    "session_described",
    "odds_switched",
    "player_erased",
)
"""What may be reported while a round is open, and is not of it."""


BY_THE_OWNER: list[Json] = [
    {"type": "odds_switched", "on": True},
    {"type": "odds_switched", "on": False},
    {"type": "player_erased", "player": "p1"},
    {"type": "player_erased", "player": "p2"},
]
"""Events that may be reported by whoever opened the session alone. No event of the table is corrected into one."""


class LaterEventsDoNotFit(Refused):
    """Events would no longer be possible: `conflicts` are their addresses, each with the reason."""


def told(refusal: Refused) -> object:
    """All that a refusal tells, but for where a card was seen."""
    if refusal.code == "later_events_do_not_fit":
        named: Any = refusal.facts["conflicts"]
        return [(at, told(why)) for at, why in named]
    return refusal.code, refusal.rule, {name: it for name, it in refusal.facts.items() if "first_seen" not in name}


# --- one report -----------------------------------------------------------------------------------------------------


def parts_of(seq: int, report: Json) -> list[tuple[At, Json]]:
    """The single corrections of a report that makes several, or the report itself, each with its address."""
    if report["type"] == "corrections_made":
        return [((seq, number), part) for number, part in enumerate(report["corrections"], 1)]
    return [((seq, 0), report)]


def about(part: Json) -> At:
    """What a correction is about: the event that it undoes or amends, or after which it inserts another."""
    return part["after"] if "after" in part else part["seq"], part.get("part", 0)


def brings_in(event: Json) -> int:
    """How many people who are new an event brings in."""
    if event["type"] == "balances_brought":
        return sum("name" in brought for brought in event["balances"])
    return int(event["type"] == "player_joined" and "name" in event)


# --- all of them ----------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """An event that counts and fits: the round that it is of, the table before and after it, the chips it moves."""

    at: At
    event: Event
    round: int | None
    before: Table
    table: Table
    moved: Sequence[Transfer]


@dataclass(frozen=True)
class Model:
    """The reports of an evening, the ids that events gave to people who were new, and every entry ever written.

    `standing` are the entries of each event that stand, `rounds_of` is the round in which it counted last.
    """

    opening: Json
    rows: tuple[Json, ...] = ()
    ids: dict[At, tuple[str, ...]] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    standing: Mapping[At, Sequence[Entry]] = field(default_factory=dict)
    rounds_of: dict[At, int | None] = field(default_factory=dict)

    def record(self, report: Json) -> Model:
        """Give the model with a report more. Raises Refused."""
        report, kind, seq = self.named(report), report["type"], len(self.rows) + 1
        if kind in CORRECTIONS:
            self.check(report)
        else:
            need_choice(self.table, self.read(report))
        after = replace(self, rows=(*self.rows, report), ids=self.ids | dict(self.new_ids(report)))
        if self.table.status == "closed" and kind in CORRECTIONS:
            shared = takewhile(lambda both: both[0][:2] == both[1][:2], zip(self.played, after.played, strict=False))
            last = [self.begins, *(old.table for old, _ in shared)][-1]
            if after.conflicts or after.table.status == "closed" != last.status:
                raise SessionIsClosed(kind)
        if after.conflicts:
            places = [about(part) if part["type"] == "event_amended" else at for at, part in parts_of(seq, report)]
            (first, refusal), *_ = after.conflicts
            if first not in places:
                raise LaterEventsDoNotFit(conflicts=after.conflicts)
            raise RefusedAt(refusal, part=places.index(first) + 1) if kind == "corrections_made" else refusal
        return after.booked()

    def booked(self) -> Model:
        """Give the books the difference: what no longer stands is reversed, what is new is added, the rest stays."""
        seq, ids = len(self.rows), count(len(self.entries) + 1)
        left = {at: list(entries) for at, entries in self.standing.items()}
        kept = [[same_entry(left.get(on.at, []), on, moved) for moved in on.moved] for on in self.played]
        added = [
            Entry(next(ids), seq, old.round, old.payee, old.payer, old.amount, old.reason, reverses=old.id)
            for old in sorted((entry for entries in left.values() for entry in entries), key=lambda entry: entry.id)
        ]
        standing = dict[At, list[Entry]]()
        for on, stays in zip(self.played, kept, strict=True):
            part = on.at[1] or None if on.at[0] == seq else None
            for moved, entry in zip(on.moved, stays, strict=True):
                if entry is None:
                    way = (moved.payer, moved.payee, moved.amount, moved.reason)
                    added.append(Entry(next(ids), seq, on.round, *way, None, part))
                standing.setdefault(on.at, []).append(entry or added[-1])
        rounds_of = self.rounds_of | {on.at: on.round for on in self.played}
        return replace(self, entries=(*self.entries, *added), standing=standing, rounds_of=rounds_of)

    # --- what is said -----------------------------------------------------------------------------------------------

    def named(self, report: Json) -> Json:
        """Say what is undone, if that is left to us: the last that stands, no take-back and no switch of chances."""
        if report["type"] != "event_taken_back" or "seq" in report:
            return report
        for seq, row in reversed(list(enumerate(self.rows, 1))):
            if row["type"] not in {"event_taken_back", "odds_switched"} and self.stands((seq, 0)):
                return {**report, "seq": seq}
        raise NothingToTakeBack

    def check(self, report: Json) -> None:
        """Make sure that what corrections are about is there and stands, as far as those before them let it."""
        subjects, parts, together = set[At](), list[Json](), report["type"] == "corrections_made"
        for (_, number), part in parts_of(0, report):
            so_far = replace(self, rows=(*self.rows, {"type": "corrections_made", "corrections": tuple(parts)}))
            try:
                if part["type"] != "event_inserted" and about(part) in subjects:
                    raise CorrectedTwice(**facts_about(part))
                self.check_part(part, so_far, alone=not together)
            except Refused as refusal:
                raise RefusedAt(refusal, part=number) if together else refusal from None
            parts.append(part)
            if part["type"] != "event_inserted":
                subjects.add(about(part))

    def check_part(self, part: Json, so_far: Model, *, alone: bool) -> None:
        """Make sure that what one correction is about is there, stands, and may be corrected in this way."""
        kind, there = part["type"], self.event_there(about(part))
        if kind != "event_inserted":
            if not so_far.stands(about(part)):
                raise AlreadyTakenBack(**facts_about(part))
            if there == "player_erased":
                raise ErasedForGood(seq=part["seq"])
            if there == "odds_switched" and not (alone and kind == "event_taken_back"):
                raise NotAnEventOfTheTable(type=there)
        if kind == "event_taken_back":
            return
        if part["event"]["type"] in {*CORRECTIONS, "player_erased", "odds_switched"}:
            raise NotAnEventOfTheTable(type=part["event"]["type"])
        if there in CORRECTIONS and there != "event_inserted":
            raise IsACorrection(seq=about(part)[0])

    def event_there(self, at: At) -> str | None:
        """Say what type of event stands at an address; nothing stands before the first."""
        if at == (0, 0):
            return None
        if at[0] > len(self.rows):
            raise NoSuchEvent(seq=at[0], last=len(self.rows))
        row = self.rows[at[0] - 1]
        here = row if at[1] == 0 else dict(parts_of(at[0], row)).get(at)
        if here is None or (at[1] and here["type"] != "event_inserted"):
            raise NoSuchPart(seq=at[0], inserted_part=at[1])
        return str(here["type"])

    def new_ids(self, report: Json) -> Iterator[tuple[At, tuple[str, ...]]]:
        """Give the events that bring in more people than before an id for each; the ids that they gave stay."""
        free = self.table.next_number
        for at, part in parts_of(len(self.rows) + 1, report):
            place = about(part) if part["type"] == "event_amended" else at
            known = self.ids.get(place, ())
            more = range(brings_in(part.get("event", part)) - len(known))
            free = max([free, *(1 + int(one[1:]) for one in known)]) if more else free
            new = [f"p{free + number}" for number in more]
            free += len(new)
            yield place, (*known, *new)

    # --- what counts ------------------------------------------------------------------------------------------------

    @cached_property
    def parts(self) -> Mapping[At, Json]:
        """All that was ever reported, part by part."""
        return {at: part for seq, row in enumerate(self.rows, 1) for at, part in parts_of(seq, row)}

    @cached_property
    def corrected(self) -> Mapping[At, Sequence[At]]:
        """The take-backs and amendments of each event, oldest first, whatever became of them."""
        found = dict[At, list[At]]()
        for at, part in self.parts.items():
            if part["type"] in {"event_taken_back", "event_amended"}:
                found.setdefault(about(part), []).append(at)
        return found

    @cached_property
    def known(self) -> dict[At, bool]:
        """What was found out about standing."""
        return {}

    def by(self, at: At, kind: str) -> list[At]:
        """The corrections of a kind that are about an event, and stand."""
        return [by for by in self.corrected.get(at, ()) if self.parts[by]["type"] == kind and self.stands(by)]

    def stands(self, at: At) -> bool:
        """Whether nothing that stands takes this back, nor the report that it is a part of."""
        if at not in self.known:
            self.known[at] = not self.by(at, "event_taken_back") and (at[1] == 0 or self.stands((at[0], 0)))
        return self.known[at]

    def event(self, at: At) -> Json:
        """What an event is by now: what it says itself, or the newest amendment of it."""
        part = self.parts[[at, *self.by(at, "event_amended")][-1]]
        event: Json = part.get("event", part)
        return event

    def order(self) -> list[At]:
        """The events of the table, taken back or not, as if those inserted had been put between the others by hand."""
        order = list[At]()
        for seq, row in enumerate(self.rows, 1):
            for at, part in reversed(parts_of(seq, row)):  # so that the first of several comes first
                if part["type"] == "event_inserted":
                    order.insert(order.index(about(part)) + 1 if about(part) != (0, 0) else 0, at)
                elif part["type"] not in CORRECTIONS:
                    order.append(at)
        return order

    def counting(self) -> list[At]:
        """The events that count, in order."""
        return [at for at in self.order() if self.stands(at)]

    def events(self) -> list[Json]:
        """What they say: the evening as it should have been recorded."""
        return [self.event(at) for at in self.counting()]

    def became(self, seq: int) -> dict[At, tuple[str, int]]:
        """What became of a report and of its parts, and the number of the newest correction that did it."""
        found = dict[At, tuple[str, int]]()
        for at in {at for at in self.corrected if at[0] == seq}:
            for kind in ("event_amended", "event_taken_back"):
                if by := self.by(at, kind):
                    found[at] = kind.removeprefix("event_"), by[-1][0]
        return found

    # --- what it comes to -------------------------------------------------------------------------------------------

    def read(self, report: Json) -> Event:
        """Read a report, as the service reads it."""
        return read(report, self.opening["game"])

    @cached_property
    def begins(self) -> Table:
        """The table before anything happened."""
        return open_table(GAMES[self.opening["game"]], opening_of(self.opening))

    @cached_property
    def _all(self) -> tuple[list[Played], list[tuple[At, Refused]]]:
        table, played, conflicts = self.begins, list[Played](), list[tuple[At, Refused]]()
        for at in self.counting():
            said = self.event(at)
            try:
                applied = apply(table, self.read(said), 1, self.ids.get(at, ())[: brings_in(said)])
            except Refused as refusal:
                conflicts.append((at, refusal))
                continue
            of_round = table.rounds if table.open_round and said["type"] not in BESIDE_A_ROUND else None
            of_round = applied.table.rounds if said["type"] in {"round_opened", "round_entered"} else of_round
            played.append(Played(at, applied.event, of_round, table, applied.table, applied.transfers))
            table = applied.table
        return played, conflicts

    @property
    def played(self) -> list[Played]:
        """What counts, played from the opening; what does not fit is left out."""
        return self._all[0]

    @property
    def conflicts(self) -> list[tuple[At, Refused]]:
        """What does not fit, and why."""
        return self._all[1]

    @property
    def table(self) -> Table:
        """Where the table stands."""
        return self.played[-1].table if self.played else self.begins

    def rounds(self) -> list[Round]:
        """Every round as it stands, or as it ended, in order."""
        return list({on.table.round.number: on.table.round for on in self.played if on.table.round}.values())

    def holding(self) -> dict[str, int]:
        """What every account holds by all entries ever written, those that hold nothing left out."""
        held = Counter[str]()
        for entry in self.entries:
            held[entry.payer] -= entry.amount
            held[entry.payee] += entry.amount
        return {account: chips for account, chips in sorted(held.items()) if chips}


def facts_about(part: Json) -> dict[str, Any]:
    seq, number = about(part)
    return {"seq": seq, "inserted_part": number} if number else {"seq": seq}


def same_entry(entries: list[Entry], on: Played, moved: Transfer) -> Entry | None:
    """Take the first entry that moves the same chips in the same round out of a list."""
    found = next((entry for entry in entries if entry.moves == (on.round, moved)), None)
    if found:
        entries.remove(found)
    return found


# --- reports to try -------------------------------------------------------------------------------------------------


def random_report(rng: Random, model: Model, others: Sequence[Json]) -> Json:
    """Something that could be recorded next: mostly a correction, or several together, mostly of what came lately."""
    match rng.choice(("undo", "redo", "one", "one", "one", "together", "together", "event")):
        case "undo":
            return {"type": "event_taken_back"}
        case "redo" if undone := [at for at, part in model.parts.items() if part["type"] == "event_taken_back"]:
            return {"type": "event_taken_back", "seq": rng.choice(undone[-3:])[0]}
        case "together":
            parts = [random_correction(rng, model, others) for _ in range(rng.randint(1, 6))]
            if rng.random() < 0.8:
                parts = [part for part in parts if is_possible(model, part)] or parts
            return {"type": "corrections_made", "corrections": parts}
        case "event":
            return rng.choice(others)
    return random_correction(rng, model, others)


def random_correction(rng: Random, model: Model, others: Sequence[Json]) -> Json:
    """One correction of some event, of a part of some report, or of what is not there."""
    addresses: list[At] = [(seq, 0) for seq in range(1, len(model.rows) + 2)]
    inserted = [at for at, part in model.parts.items() if part["type"] == "event_inserted"]
    at = addresses[-1 - min(len(model.rows), int(rng.expovariate(0.15)))]
    if inserted and rng.random() < 0.4:
        at = rng.choice(inserted[-6:])
    elif rng.random() < 0.03:
        at = (at[0], rng.randint(1, 3))
    place = {"part": at[1]} if at[1] else {}
    match rng.choice(("take_back", "amend", "amend", "insert", "insert")):
        case "take_back":
            return {"type": "event_taken_back", "seq": at[0], **place}
        case "amend":
            said = model.event(at) if at in model.parts else rng.choice(others)
            return {"type": "event_amended", "seq": at[0], "event": changed(rng, said, others), **place}
    if rng.random() < 0.1:
        return {"type": "event_inserted", "after": 0, "event": rng.choice(others)}
    return {"type": "event_inserted", "after": at[0], "event": rng.choice(others), **place}


def is_possible(model: Model, report: Json) -> bool:
    """Whether something could be recorded next."""
    try:
        model.record(report)
    except Refused:
        return False
    return True


def changed(rng: Random, event: Json, others: Sequence[Json]) -> Json:
    """The same event with one thing different, or another event altogether.

    A turn of which no card is counted any more has no top card either.
    """
    alike = [other for other in others if other["type"] == event["type"]]
    if rng.random() < 0.2 or not alike:
        return rng.choice(others)
    name = rng.choice(sorted(event.keys() - {"type"}) or ["type"])
    if name == "amount" and rng.random() < 0.5:
        return {**event, name: max(1, event[name] + rng.choice((-1, 1)))}
    other = rng.choice(alike)
    if name not in other:
        return other
    now: Json = {**event, name: other[name]}
    return now if now.get("count") else {field: value for field, value in now.items() if field != "top"}


def other_events(state: Simulated, rng: Random) -> list[Json]:
    """Events to amend into or to insert: those of the evening itself, and as many that fit anywhere, or might."""
    players = [f"p{n}" for n in range(1, len(state.opening["players"]) + 1)]
    anywhere: list[Json] = [
        {"type": "chips_moved", "from": "bank", "to": rng.choice(players), "amount": rng.randint(1, 99)}
        for _ in range(2 + len(state.events) // 3)
    ]
    between: list[Json] = [
        {"type": "dealer_named", "player": rng.choice(players)},
        {"type": "player_left", "player": rng.choice(players)},
        {"type": "player_joined", "name": "Zoe"},
        {"type": "seats_changed", "seats": rng.sample(players, len(players))},
        {"type": "round_entered", "payments": {players[0]: 7}, "payouts": {players[1]: 7}},
        {"type": "player_renamed", "player": rng.choice(players), "name": "Nana"},
        {"type": "session_described", "name": "Obon"},
        {"type": "balances_brought", "balances": [{"name": "Gen", "balance": 5}, {"player": "p1", "balance": -5}]},
        {"type": "balances_brought", "balances": [{"name": "Rin", "balance": 1}, {"name": "Sho", "balance": -1}]},
        {"type": "pot_brought", "amount": 9},
        {"type": "round_opened"},
        {"type": "round_voided", "reason": "It was late."},
        {"type": "session_closed"},
        {"type": "session_reopened"},
    ]
    own = [event for event in state.events if not event["type"].startswith("event_")]
    return [*anywhere, *between, *own]
