"""What a log means: which of its events count, and in which order.

What was taken back has no effect, so taking back a take-back restores what it had undone. An event keeps its place, and
an amendment replaces what stands there: its number, its version and the ids that it gave stay. An insertion stands
right after the event it names: of several the newest first, those of one row in their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ledger.history.rows import BEFORE_ALL, Address, Logged, Part, Row
from ledger.play.events import Event
from ledger.session.corrections import EventAmended, EventInserted, EventTakenBack
from ledger.session.refusals import NoSuchEvent, NoSuchPart


def parts_in(rows: Iterable[Row]) -> list[Part]:
    """Give what rows correct, part by part; those of the newest row first, those of one row in their order."""
    return [part for row in reversed([row for row in rows if row.parts]) for part in row.parts]


def taken_back(parts: Iterable[Part]) -> Mapping[Address, int]:
    """Say what has been taken back, and by which row: a row refers to earlier ones, so one pass from the last does."""
    gone: dict[Address, int] = {}
    for part in parts:
        if part.kind is EventTakenBack and stands(part.at, gone):
            gone.setdefault(part.about, part.seq)
    return gone


def stands(at: Address, gone: Mapping[Address, int]) -> bool:
    """Say whether neither an event nor the row that it is a part of has been taken back."""
    return at not in gone and (at.part == 0 or Address(at.seq) not in gone)


def amended(parts: Sequence[Part], gone: Mapping[Address, int]) -> Mapping[Address, Part]:
    """Say by which part of a correction each event was amended, for the last time that stands."""
    amendments = (part for part in reversed(parts) if part.kind is EventAmended and stands(part.at, gone))
    return {part.about: part for part in amendments}


def effective(rows: Sequence[Row]) -> Sequence[Logged]:
    """Give the events of the table in the order in which they count; those that were taken back are in their places."""
    parts = parts_in(rows)
    gone = taken_back(parts)
    instead = amended(parts, gone)
    inserted = defaultdict[Address, list[Logged]](list)
    for part in reversed(parts):
        if part.kind is EventInserted:
            inserted[part.about].append(part)

    def placed(first: Iterable[Logged]) -> Iterator[Logged]:
        """Give events, the last first, each with those that were inserted after it."""
        coming = list(first)
        while coming:
            logged = coming.pop()
            at = logged.at
            coming += inserted.get(at, ())
            latest, counts = instead.get(at, logged), stands(at, gone)
            if latest is not logged or not counts:
                event, newcomers = latest.event, latest.newcomers
                logged = Logged(logged.seq, event, logged.version, newcomers, logged.part, counts)
            yield logged

    ordered, done = list(placed(inserted.pop(BEFORE_ALL, ()))), 0
    for seq in sorted({at.seq for at in (*gone, *instead, *inserted)} | {part.seq for part in parts}):
        ordered += rows[done : seq - 1]  # most were not corrected
        if not rows[seq - 1].parts:
            ordered += placed([rows[seq - 1]])
        done = seq
    return [*ordered, *rows[done:]]


def logged_at(rows: Sequence[Row], at: Address) -> Logged | None:
    """Find what stands at an address; nothing stands before the first event. Raises NoSuchEvent, NoSuchPart."""
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
    """Give the events that corrections put in place, and those that they are about, down to what was reported.

    Each is given once: ways that part at one correction meet again at another.
    """
    coming, reached = list[Logged](parts), set[Address]()
    while coming:
        logged = coming.pop()
        yield logged.event
        if isinstance(logged, Part) and logged.kind is not EventInserted and logged.about not in reached:
            reached.add(logged.about)
            about = rows[logged.about.seq - 1]
            coming += [part for part in about.parts if logged.about.part in (0, part.part)] or [about]
