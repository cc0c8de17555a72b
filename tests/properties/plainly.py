"""The plainest history there is, to hold the real one against: every correction goes through the whole log again.

It reads off the log which events count and in what order, plays all of them from the opening, and gives the books the
difference. Nothing of it is kept from one event to the next but the log, what counted before, and its entries.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

from ledger.books import Balances, Entry, outside_play, posted, prove, reversal, won_of
from ledger.history import Address, Conflict, LaterEventsDoNotFit, Logged, SessionState
from ledger.history.corrections import stands, undone
from ledger.history.replay import Stepped, step
from ledger.history.rows import in_effect, target
from ledger.play import BANK, POT, Event, PlayerId, Refused, RefusedAt
from ledger.records import replace
from ledger.session import (
    AlreadyTakenBack,
    CorrectedTwice,
    Correction,
    CorrectionsMade,
    ErasedForGood,
    EventAmended,
    EventInserted,
    EventTakenBack,
    IsACorrection,
    NoSuchEvent,
    NoSuchPart,
    NotAnEventOfTheTable,
    NothingToTakeBack,
    OddsSwitched,
    PlayerErased,
    Round,
    SessionIsClosed,
    Table,
    brings_in,
    ids_from,
    need_choice,
)


def amended(newest_first: Iterable[Logged], gone: Container[Address]) -> dict[Address, Logged]:
    """Which events of a log have been amended, and by what: the newest amendment that stands."""
    latest: dict[Address, Logged] = {}
    for row in newest_first:
        if isinstance(row.event, EventAmended) and stands(row.at, gone):
            latest.setdefault(target(row.event), row)
    return latest


def timeline(newest_first: Sequence[Logged]) -> tuple[Logged, ...]:
    """Which events of a log count, in the order in which they count.

    Events count in the order they were reported. An inserted one stands right after the event it names, the newest
    first, those of one row in the order given. An amended event keeps its number, its place and the version it was
    recorded under, and somebody new the id.
    """
    gone = undone(newest_first)
    amendments = amended(newest_first, gone)
    inserted: dict[Address, list[Logged]] = {}
    for row in newest_first:
        if isinstance(row.event, EventInserted):
            inserted.setdefault(target(row.event), []).append(row)
    counting: list[Logged] = []
    coming = [row for row in newest_first if not isinstance(row.event, Correction)]
    coming += reversed(inserted.get(Address(0), []))
    while coming:
        row = coming.pop()
        coming += reversed(inserted.get(row.at, []))
        if stands(row.at, gone):
            latest = amendments.get(row.at, row)
            counting.append(Logged(row.seq, in_effect(latest.event), row.version, latest.newcomers, part=row.part))
    return tuple(counting)


@dataclass
class Row:
    """A row as it was recorded, and the events that it took off the timeline, with their rounds."""

    seq: int
    event: Event
    version: int
    newcomers: tuple[tuple[PlayerId, ...], ...]
    round: int | None = None
    left: Mapping[Address, int | None] = field(default_factory=dict)

    @property
    def logged(self) -> list[Logged]:
        if not isinstance(self.event, CorrectionsMade):
            return [Logged(self.seq, self.event, self.version, self.newcomers[0])]
        parts = enumerate(zip(self.event.corrections, self.newcomers, strict=True), 1)
        return [Logged(self.seq, said, self.version, new, part=part) for part, (said, new) in parts]


@dataclass
class Counted:
    """An event that counts, what it led to, and its entries."""

    stepped: Stepped
    entries: tuple[Entry, ...] = ()


class PlainMoment(NamedTuple):
    """An event that counts, its round and its entries, the table before it, and what every account held after it."""

    logged: Logged
    round: int | None
    entries: tuple[Entry, ...]
    before: Table
    held: Mapping[str, int]
    outside: Mapping[str, int]


@dataclass
class PlainHistory:
    """An evening at a table, and how it began."""

    begins: Table
    brought: Balances
    rows: list[Row] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    balances: Balances = field(default_factory=dict)

    @classmethod
    def of(cls, opened: SessionState) -> PlainHistory:
        """Begin as a session does that was just opened."""
        return cls(opened.table, opened.balances, balances=opened.balances)

    def copy(self) -> PlainHistory:
        """Give another that records on its own from here on. What a list holds is never changed."""
        return dataclasses.replace(self, rows=[*self.rows], counted=[*self.counted], entries=[*self.entries])

    @property
    def table(self) -> Table:
        return self.counted[-1].stepped.table if self.counted else self.begins

    @property
    def log(self) -> list[Logged]:
        """The log, newest first."""
        return [logged for row in reversed(self.rows) for logged in row.logged]

    def record(self, event: Event, version: int) -> list[Entry]:
        """Record an event, and give the entries that it adds. Raises Refused, and has then changed nothing."""
        return self._correct(event, version) if isinstance(event, Correction) else self._report(event, version)

    def _report(self, event: Event, version: int) -> list[Entry]:
        seq = len(self.rows) + 1
        need_choice(self.table, event)
        newcomers = ids_from(self.table.next_number, brings_in(event))
        earlier = [counted.stepped.logged for counted in reversed(self.counted)]
        stepped = step(self.table, self.balances, Logged(seq, event, version, newcomers), lambda: earlier)
        added = stepped.entries(len(self.entries) + 1, seq)
        self.rows.append(Row(seq, stepped.logged.event, version, (newcomers,), stepped.round))
        self.counted.append(Counted(stepped, added))
        self.entries += added
        self.balances = stepped.balances
        return list(added)

    def _correct(self, event: Correction, version: int) -> list[Entry]:
        event = self._checked(event)
        seq = len(self.rows) + 1
        row = Row(seq, event, version, tuple(self._newcomers(parts(event))))
        after = timeline([*row.logged, *self.log])
        pairs = list(zip((counted.stepped.logged for counted in self.counted), after, strict=False))
        same = [own.at == other.at and own.event == other.event for own, other in pairs]
        shared = same.index(False) if False in same else len(same)
        kept = self.counted[shared - 1].stepped.table if shared else self.begins
        reworked, conflicts = self._from_the_opening(after)
        end = reworked[-1].table if reworked else self.begins
        if conflicts:
            if self.table.status == "closed":
                raise SessionIsClosed(event.type)
            refuse(row, conflicts)
        if self.table.status == end.status == "closed" != kept.status:
            raise SessionIsClosed(event.type)
        standing = {stepped.logged.at for stepped in reworked}
        row.left = {
            counted.stepped.logged.at: counted.stepped.round
            for counted in self.counted
            if counted.stepped.logged.at not in standing
        }
        row.event = as_written(row, {stepped.logged.at: stepped.logged.event for stepped in reworked[shared:]})
        return self._write(row, reworked)

    def _write(self, row: Row, reworked: Sequence[Stepped]) -> list[Entry]:
        """Give the books the difference: what no longer stands is reversed, what is new is added, the rest stays."""
        old: dict[tuple[Address, object], list[Entry]] = {}
        for counted in self.counted:
            for entry in counted.entries:
                old.setdefault((counted.stepped.logged.at, entry.moves), []).append(entry)
        stays = [[pop(old.get((new.logged.at, (new.round, moved)), [])) for moved in new.transfers] for new in reworked]
        stale = sorted(entry for left in old.values() for entry in left)
        first = len(self.entries) + 1
        added = [reversal(entry, number=number, seq=row.seq) for number, entry in enumerate(stale, first)]
        self.counted = []
        for new, kept in zip(reworked, stays, strict=True):
            entries = []
            for moved, old_entry in zip(new.transfers, kept, strict=True):
                if old_entry is None:
                    added += replace(new, transfers=(moved,)).entries(first + len(added), row.seq)
                entries.append(old_entry or added[-1])
            self.counted.append(Counted(new, tuple(entries)))
        balances = self.counted[-1].stepped.balances if self.counted else self.brought
        self.balances = {**dict.fromkeys(self.balances, 0), **balances}
        prove(self.balances, self.table.pot)
        self.rows.append(row)
        self.entries += added
        return added

    def _from_the_opening(self, after: Sequence[Logged]) -> tuple[list[Stepped], list[Conflict]]:
        """Play events from the opening; those that do not fit are left out, with the reason."""
        table, balances, played, conflicts = self.begins, self.brought, list[Stepped](), list[Conflict]()
        for logged in after:
            try:
                stepped = step(table, balances, logged, lambda: [done.logged for done in reversed(played)])
            except Refused as refusal:
                conflicts.append(Conflict(logged.at.seq, refusal, logged.at.part or None))
                continue
            played.append(stepped)
            table, balances = stepped.table, stepped.balances
        return played, conflicts

    # --- what is said -----------------------------------------------------------------------------------------------

    def _checked(self, event: Correction) -> Correction:
        if isinstance(event, EventTakenBack) and event.seq is None:
            gone = undone(self.log)
            last = (row.seq for row in reversed(self.rows) if Address(row.seq) not in gone)
            left_out = (EventTakenBack, OddsSwitched)
            seq = next((seq for seq in last if not isinstance(self.rows[seq - 1].event, left_out)), None)
            if seq is None:
                raise NothingToTakeBack
            event = replace(event, seq=seq)
        told, subjects = list[Logged](), set[Address]()
        for number, part in enumerate(parts(event), 1):
            about = target(part)
            try:
                if not isinstance(part, EventInserted):
                    if about in subjects:
                        raise CorrectedTwice(seq=about.seq, **inserted_part(about))
                    subjects.add(about)
                self._check(part, undone([*told, *self.log]), among=isinstance(event, CorrectionsMade))
            except Refused as refusal:
                raise (RefusedAt(refusal, part=number) if isinstance(event, CorrectionsMade) else refusal) from None
            told.append(Logged(len(self.rows) + 1, part, 1, part=number))
        return event

    def _check(self, part: Any, gone: Mapping[Address, int], *, among: bool) -> None:
        about = target(part)
        there = self._event_at(about)
        if not isinstance(part, EventInserted):
            if not stands(about, gone):
                raise AlreadyTakenBack(seq=about.seq, **inserted_part(about))
            if isinstance(there, PlayerErased):
                raise ErasedForGood(seq=about.seq)
            if isinstance(there, OddsSwitched) and (among or isinstance(part, EventAmended)):
                raise NotAnEventOfTheTable(type=there.type)
        if isinstance(part, EventTakenBack):
            return
        if isinstance(part.event, Correction | PlayerErased | OddsSwitched):
            raise NotAnEventOfTheTable(type=part.event.type)
        if isinstance(there, EventTakenBack | EventAmended | CorrectionsMade):
            raise IsACorrection(seq=about.seq)

    def _event_at(self, at: Address) -> Event | None:
        if at == Address(0):
            return None
        if at.seq > len(self.rows):
            raise NoSuchEvent(seq=at.seq, last=len(self.rows))
        event = self.rows[at.seq - 1].event
        if at.part == 0:
            return event
        inner = event.corrections if isinstance(event, CorrectionsMade) else ()
        if at.part > len(inner) or not isinstance(inner[at.part - 1], EventInserted):
            raise NoSuchPart(seq=at.seq, inserted_part=at.part)
        return inner[at.part - 1]

    def _newcomers(self, said: Sequence[Any]) -> Iterable[tuple[PlayerId, ...]]:
        free = self.table.next_number
        for part in said:
            new: list[PlayerId] = []
            if count := brings_in(in_effect(part)):
                about = target(part) if isinstance(part, EventAmended) else None
                amends: Callable[[Event], Address | None] = lambda e: (  # noqa: E731
                    target(e) if isinstance(e, EventAmended) else None
                )
                same = [row.newcomers for row in self.log if about in (row.at, amends(row.event))] if about else []
                new = [*max(same, key=len, default=())][:count]
                while len(new) < count:
                    new, free = [*new, f"p{free}"], free + 1
            yield tuple(new)

    # --- looking back -----------------------------------------------------------------------------------------------

    def statuses(self) -> dict[Address, tuple[str, int]]:
        """What became of every event that was corrected."""
        gone = undone(self.log)
        changed = {at: ("amended", row.at.seq) for at, row in amended(self.log, gone).items()}
        return changed | {at: ("taken_back", by) for at, by in gone.items()}

    def rounds_of_events(self) -> dict[Address, int | None]:
        """To which round every event belongs that counts, or was in when it last did."""
        found = {counted.stepped.logged.at: counted.stepped.round for counted in self.counted}
        for row in reversed(self.rows):
            for at, number in row.left.items():
                found.setdefault(at, number)
        return found

    def rounds(self) -> list[Round]:
        """Every round as it stands, or as it ended."""
        tables = [counted.stepped.table for counted in self.counted]
        found = {table.round.number: table.round for table in tables if table.round}
        return [found[number] for number in sorted(found)]

    def ended_since(self, seq: int) -> list[Round]:
        """The rounds that the last of what counts has ended, as far back as it stands in rows from `seq` on."""
        lately = list(takewhile(lambda counted: counted.stepped.logged.at.seq >= seq, reversed(self.counted)))
        ends = [(counted.stepped.round, counted.stepped.table.round) for counted in reversed(lately)]
        return [done for number, done in ends if done is not None and not done.is_open and done.number == number]

    def outside(self) -> Balances:
        """What every account holds that came outside play, by all entries there are."""
        return posted({}, outside_play(self.entries))

    def won(self) -> Balances:
        """What play brought every account."""
        return won_of(self.balances, self.outside())

    def moments(self) -> list[PlainMoment]:
        """Every event that counts, with what stood before it, and what came of it."""
        tables = [self.begins, *(counted.stepped.table for counted in self.counted)]
        held = accumulate((counted.entries for counted in self.counted), posted, initial=self.brought)
        nothing: Balances = {}
        outside = accumulate(map(outside_play, (counted.entries for counted in self.counted)), posted, initial=nothing)
        after = zip(self.counted, tables, [*held][1:], [*outside][1:], strict=False)
        return [
            PlainMoment(on.stepped.logged, on.stepped.round, on.entries, before, chips(has), chips(beside))
            for on, before, has, beside in after
        ]

    def bank(self) -> tuple[int, int, int]:
        """What the bank gave out in chips, what came back to it, and what it holds of pots."""
        beside = ("settlement_paid", "brought_forward")
        entries = [entry for counted in self.counted for entry in counted.entries]
        bought = [e for e in entries if e.reason not in beside and POT not in (e.payer, e.payee)]
        given = sum(entry.amount for entry in bought if entry.payer == BANK)
        returned = sum(entry.amount for entry in bought if entry.payee == BANK)
        pots = sum(e.amount for e in entries if (e.payer, e.payee) == (POT, BANK))
        return given, returned, pots - sum(e.amount for e in entries if (e.payer, e.payee) == (BANK, POT))


def inserted_part(at: Address) -> dict[str, Any]:
    return {"inserted_part": at.part} if at.part else {}


def parts(event: Correction) -> tuple[Any, ...]:
    return event.corrections if isinstance(event, CorrectionsMade) else (event,)


def places(row: Row) -> list[Address]:
    return [target(said.event) if isinstance(said.event, EventAmended) else said.at for said in row.logged]


def refuse(row: Row, conflicts: Sequence[Conflict]) -> None:
    first, where = conflicts[0], places(row)
    if (at := Address(first.seq, first.part or 0)) in where:
        if isinstance(row.event, CorrectionsMade):
            raise RefusedAt(first.refusal, part=where.index(at) + 1)
        raise first.refusal
    raise LaterEventsDoNotFit(tuple(conflicts))


def as_written(row: Row, written: Mapping[Address, Event]) -> Event:
    said: tuple[Any, ...] = tuple(
        replace(part.event, event=written[place])
        if isinstance(part.event, EventAmended | EventInserted) and place in written
        else part.event
        for part, place in zip(row.logged, places(row), strict=True)
    )
    return replace(row.event, corrections=said) if isinstance(row.event, CorrectionsMade) else said[0]


def pop(entries: list[Entry]) -> Entry | None:
    return entries.pop(0) if entries else None


def chips(balances: Balances) -> Mapping[str, int]:
    """Balances, without accounts that hold nothing."""
    return {account: held for account, held in balances.items() if held}
