"""The meaning of a log: which of its events count, and in which order.

An event that was taken back has no effect, so taking back a take-back restores what it had undone. An event keeps its
place, and an amendment replaces it there: number, version and the ids that it gave stay. An insertion stands right
after the event that it names: of several the newest first, those of one row in their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledger.accounting.books import Books
from ledger.records import Record
from ledger.rulebook.event import Event
from ledger.rulebook.values import PlayerId
from ledger.session.corrections import EventAmended, EventInserted, EventTakenBack, SingleCorrection
from ledger.session.refusals import NoSuchEvent, NoSuchPart


class Address(NamedTuple):
    """The place of an event in a log: the number of its row and, of one inserted together with others, its part."""

    seq: int
    part: int = 0


BEFORE_ALL = Address(0)
"""The address after which an event before the first is inserted."""


class Logged(Record, eq=False):
    """An event at its address; one that does not `count` was taken back and may be restored.

    `version` is that of the rule book in use when it was recorded, `newcomers` are the ids that it gave to new people.
    """

    seq: int
    event: Event
    version: int
    newcomers: tuple[PlayerId, ...] = ()
    part: int = 0
    counts: bool = True

    @property
    def at(self) -> Address:
        return Address(self.seq, self.part)


class Part(Logged, eq=False, kw_only=True):
    """A single correction, or one of those made together, with the event that it puts in place.

    `about` is the event that it undoes or amends, or after which it inserts one.
    """

    kind: type[SingleCorrection]
    about: Address


class Row(Logged, eq=False, kw_only=True):
    """A row of the log and the books after it; a correction has parts."""

    books: Books
    parts: tuple[Part, ...] = ()


def parts_in(rows: Iterable[Row]) -> list[Part]:
    """Give the parts of all corrections, those of the newest row first, those of one row in their order."""
    return [part for row in reversed([row for row in rows if row.parts]) for part in row.parts]


def taken_back(parts: Iterable[Part]) -> Mapping[Address, int]:
    """Find the events that are taken back, each with the row that did it.

    Rows refer to earlier ones, so one pass from the last is enough.
    """
    gone: dict[Address, int] = {}
    for part in parts:
        if part.kind is EventTakenBack and stands(part.at, gone):
            gone.setdefault(part.about, part.seq)
    return gone


def stands(at: Address, gone: Mapping[Address, int]) -> bool:
    """Whether neither an event nor the row that it is a part of is taken back."""
    return at not in gone and (at.part == 0 or Address(at.seq) not in gone)


def amended(parts: Sequence[Part], gone: Mapping[Address, int]) -> Mapping[Address, Part]:
    """Find the newest amendment of each event that stands."""
    amendments = (part for part in reversed(parts) if part.kind is EventAmended and stands(part.at, gone))
    return {part.about: part for part in amendments}


def effective(rows: Sequence[Row]) -> Sequence[Logged]:
    """Give the events of the table in their order, those that are taken back too."""
    parts = parts_in(rows)
    gone = taken_back(parts)
    instead, inserted = amended(parts, gone), defaultdict[Address, list[Logged]](list)
    for part in reversed(parts):
        if part.kind is EventInserted:
            inserted[part.about].append(part)
    corrected = {at.seq for at in (*gone, *instead, *inserted)}
    ordered, coming = list[Logged](), [row for row in rows if not row.parts][::-1] + inserted[BEFORE_ALL]
    while coming:
        logged = coming.pop()
        if logged.seq in corrected:
            at = logged.at
            coming += inserted.get(at, ())
            latest, counts = instead.get(at, logged), stands(at, gone)
            if latest is not logged or not counts:
                logged = Logged(logged.seq, latest.event, logged.version, latest.newcomers, logged.part, counts)
        ordered.append(logged)
    return ordered


def logged_at(rows: Sequence[Row], at: Address) -> Logged | None:
    """Find the event at an address; None before the first. Raises NoSuchEvent, NoSuchPart."""
    if at == BEFORE_ALL:
        return None
    if not 1 <= at.seq <= len(rows):
        raise NoSuchEvent(seq=at.seq, last=len(rows))
    row = rows[at.seq - 1]
    if at.part == 0:
        return row
    found = next((part for part in row.parts if part.part == at.part), None)
    if found is None or found.kind is not EventInserted:
        raise NoSuchPart(seq=at.seq, inserted_part=at.part)
    return found


def concerned(parts: Iterable[Part], rows: Sequence[Row]) -> Iterator[Event]:
    """Give the events that corrections put in place and those that they are about, down to the reports, each once."""
    coming, reached = list[Logged](parts), set[Address]()
    while coming:
        logged = coming.pop()
        yield logged.event
        if isinstance(logged, Part) and logged.kind is not EventInserted and logged.about not in reached:
            reached.add(logged.about)
            about = rows[logged.about.seq - 1]
            coming += [part for part in about.parts if logged.about.part in (0, part.part)] or [about]
