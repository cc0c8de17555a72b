"""A correction worked out: which events count after it, what they come to, and what the books are told.

A correction goes back along the timeline to the last point before the change and folds on from there; the books get the
difference, as reversing entries and new ones. Corrections that were made together are worked out once: refused as a
whole, or kept as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any, NamedTuple, NoReturn

from ledger.books import Entry, reversal
from ledger.history.corrections import Address, Logged, in_effect, stands, target, timeline, undone
from ledger.history.points import Point, Row, Stepped, first_point, points_back, rows_back, step
from ledger.play import Event, PlayerId, Refused, RefusedAt
from ledger.sentences import Sentence, say
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
    PlayerErased,
    PlayerJoined,
    SessionIsClosed,
)

Part = EventTakenBack | EventAmended | EventInserted


@dataclass(frozen=True, slots=True)
class Conflict:
    """An event that would no longer fit after a correction, and why. `part` is its place among others, if inserted."""

    seq: int
    refusal: Refused
    part: int | None = None


class LaterEventsDoNotFit(Refused):
    """With that changed, later events would no longer be possible: {reasons:list}."""

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        reasons = tuple(_told(tuple(alike)) for _, alike in groupby(conflicts, key=_why))
        super().__init__(conflicts=conflicts, reasons=reasons)


def _why(conflict: Conflict) -> tuple[Sentence, Address | None]:
    """Give what conflicts have in common that are told together; an inserted event is told by itself."""
    return conflict.refusal.sentence, Address(conflict.seq, conflict.part) if conflict.part else None


def _told(alike: Sequence[Conflict]) -> Sentence:
    """Say which events no longer fit, and why. A whole deal may not for one reason, which is then said once."""
    first, why = alike[0], alike[0].refusal.sentence
    if len(alike) > 1:
        return say("events {seqs:numbers} ({why:sentence})", seqs=tuple(each.seq for each in alike), why=why)
    if first.part:
        return say("event {seq}, part {part} ({why:sentence})", seq=first.seq, part=first.part, why=why)
    return say("event {seq} ({why:sentence})", seq=first.seq, why=why)


class Corrected(NamedTuple):
    """What a correction comes to: the last point of the timeline after it, its row, the entries it adds."""

    tip: Point
    row: Row
    entries: tuple[Entry, ...]


def correct(tip: Point, last: Row | None, last_entry: int, event: Correction, version: int) -> Corrected:
    """Work a correction out, which comes after the row `last`.

    Of a session that stays closed, only what was reported after closing can be corrected. An account that has had
    entries stays in the balances, also if nothing stands on it any more. Raises Refused.
    """
    log = [logged for row in rows_back(last) for logged in row.logged]
    event = _checked(event, log, last)
    seq = last.seq + 1 if last else 1
    row = Row(seq, event, version, None, last, tuple(_newcomers(_parts(event), tip, log)))
    after = timeline([*row.logged, *log])
    kept, dropped, new = _from_where_they_differ(tip, after)
    reworked, conflicts = _fold_on(kept, new)
    end = reworked[-1].table if reworked else kept.table
    if conflicts:
        if tip.table.status == "closed":
            raise SessionIsClosed
        _refuse(row, conflicts)
    if tip.table.status == end.status == "closed" != kept.table.status:
        raise SessionIsClosed
    standing = {logged.at for logged in after}
    left = {point.at: point.round for point in dropped if point.at not in standing}
    row = replace(_as_written(row, reworked), left=left)
    books = _difference(row.seq, dropped, reworked, last_entry)
    for stepped, entries in zip(reworked, books.standing, strict=True):
        kept = stepped.point(entries, kept)
    kept = replace(kept, balances={**dict.fromkeys(tip.balances, 0), **kept.balances})
    return Corrected(kept, row, books.added)


# --- what is said ---------------------------------------------------------------------------------------------------


def _parts(event: Correction) -> tuple[Part, ...]:
    return event.corrections if isinstance(event, CorrectionsMade) else (event,)


def _checked(event: Correction, log: Sequence[Logged], last: Row | None) -> Correction:
    """Make sure that what a correction is about is there, part by part; name it, if the report left it to us."""
    rows = {row.seq: row for row in rows_back(last)}
    if isinstance(event, EventTakenBack) and event.seq is None:
        event = replace(event, seq=_last_that_stands(rows, undone(log)))
    gone, told, subjects = undone(log), list[Logged](), set[Address]()
    for number, part in enumerate(_parts(event), 1):
        try:
            if not isinstance(part, EventInserted):
                _need_new(target(part), subjects)
            _check(part, rows, gone)
        except Refused as refusal:
            raise (RefusedAt(refusal, part=number) if isinstance(event, CorrectionsMade) else refusal) from None
        told.append(Logged(Address(len(rows) + 1, number), part, 1))
        if isinstance(part, EventTakenBack) and number < len(_parts(event)):
            gone = undone([*told, *log])
    return event


def _last_that_stands(rows: Mapping[int, Row], gone: Mapping[Address, int]) -> int:
    """Find the last row that stands and is not itself a take-back."""
    for seq in sorted(rows, reverse=True):
        if Address(seq) not in gone and not isinstance(rows[seq].event, EventTakenBack):
            return seq
    raise NothingToTakeBack


def _need_new(subject: Address, subjects: set[Address]) -> None:
    """Refuse a second part about the same event."""
    if subject in subjects:
        raise CorrectedTwice(seq=subject.seq, **_inserted_part(subject))
    subjects.add(subject)


def _inserted_part(at: Address) -> dict[str, Any]:
    """Tell which inserted event is meant; `part` says which of the corrections in hand is refused."""
    return {"inserted_part": at.part} if at.part else {}


def _check(part: Part, rows: Mapping[int, Row], gone: Mapping[Address, int]) -> None:
    """Refuse a correction of what is not there, was taken back, or is no event of the table."""
    about = target(part)
    there = _event_at(about, rows)
    if not isinstance(part, EventInserted):
        if not stands(about, gone):
            raise AlreadyTakenBack(seq=about.seq, **_inserted_part(about))
        if isinstance(there, PlayerErased):
            raise ErasedForGood(seq=about.seq)
    if isinstance(part, EventTakenBack):
        return
    if isinstance(part.event, Correction | PlayerErased):
        raise NotAnEventOfTheTable(type=part.event.type)
    if isinstance(there, EventTakenBack | EventAmended | CorrectionsMade):
        raise IsACorrection(seq=about.seq)


def _event_at(at: Address, rows: Mapping[int, Row]) -> Event | None:
    """Find what stands at an address; nothing stands before the first event."""
    if at == Address(0):
        return None
    if at.seq not in rows:
        raise NoSuchEvent(seq=at.seq, last=len(rows))
    event = rows[at.seq].event
    if at.part == 0:
        return event
    parts = event.corrections if isinstance(event, CorrectionsMade) else ()
    if at.part > len(parts) or not isinstance(parts[at.part - 1], EventInserted):
        raise NoSuchPart(seq=at.seq, inserted_part=at.part)
    return parts[at.part - 1]


def _newcomers(parts: Sequence[Part], tip: Point, log: Sequence[Logged]) -> list[PlayerId | None]:
    """Say which id each part gives to somebody new: the one they had before an amendment, or the next that is free."""
    given: list[PlayerId | None] = []
    free = tip.table.next_number
    for part in parts:
        said = in_effect(part)
        new = None
        if isinstance(said, PlayerJoined) and said.name is not None:
            about = target(part) if isinstance(part, EventAmended) else None
            same = (row.newcomer for row in log if about in (row.at, _amends(row.event)) and row.newcomer)
            new = next(same, None) if about else None
            if new is None:
                new, free = f"p{free}", free + 1
        given.append(new)
    return given


def _amends(event: Event) -> Address | None:
    return target(event) if isinstance(event, EventAmended) else None


# --- what comes of it -----------------------------------------------------------------------------------------------


def _from_where_they_differ(tip: Point, after: Sequence[Logged]) -> tuple[Point, list[Point], Sequence[Logged]]:
    """Give the last point that another timeline shares with this one, the points after it, and what comes instead.

    Events are compared by what they say: the same one read from the log is another object.
    """
    own = list(points_back(tip))
    own.reverse()
    pairs = zip(own, after, strict=False)
    same = takewhile(lambda pair: pair[0].at == pair[1].at and pair[0].event == pair[1].event, pairs)
    shared = sum(1 for _ in same)
    return own[shared - 1] if shared else first_point(tip), own[shared:], after[shared:]


def _fold_on(kept: Point, new: Sequence[Logged]) -> tuple[list[Stepped], list[Conflict]]:
    """Fold events on from a point; those that do not fit are left out, with the reason."""
    tip, reworked, conflicts = kept, list[Stepped](), list[Conflict]()
    for logged in new:
        try:
            stepped = step(tip, logged)
        except Refused as refusal:
            conflicts.append(Conflict(logged.at.seq, refusal, logged.at.part or None))
            continue
        reworked.append(stepped)
        tip = stepped.point((), tip)
    return reworked, conflicts


def _places(row: Row) -> list[Address]:
    """Say at which address each part of a correction puts an event in place."""
    return [target(said.event) if isinstance(said.event, EventAmended) else said.at for said in row.logged]


def _refuse(row: Row, conflicts: list[Conflict]) -> NoReturn:
    """Refuse a correction: for what it says itself if that is not possible, otherwise for all that follows."""
    first = conflicts[0]
    places = _places(row)
    if (at := Address(first.seq, first.part or 0)) in places:
        if isinstance(row.event, CorrectionsMade):
            raise RefusedAt(first.refusal, part=places.index(at) + 1)
        raise first.refusal
    raise LaterEventsDoNotFit(tuple(conflicts))


def _as_written(row: Row, reworked: Sequence[Stepped]) -> Row:
    """Give a correction's row with its events' cards as the deck writes them."""
    written = {stepped.at: stepped.event for stepped in reworked}

    def as_written(said: Logged, place: Address) -> Any:
        if isinstance(said.event, EventAmended | EventInserted) and place in written:
            return replace(said.event, event=written[place])
        return said.event

    parts = tuple(as_written(said, place) for said, place in zip(row.logged, _places(row), strict=True))
    event = replace(row.event, corrections=parts) if isinstance(row.event, CorrectionsMade) else parts[0]
    return replace(row, event=event)


class _Difference(NamedTuple):
    """What a correction does to the books: the entries that stand for each event, and those that it adds."""

    standing: list[tuple[Entry, ...]]
    added: tuple[Entry, ...]


def _difference(seq: int, dropped: Sequence[Point], reworked: Sequence[Stepped], last_entry: int) -> _Difference:
    """Give the books the difference: what no longer stands is reversed, what is new is added, the rest stays."""
    old: dict[tuple[Address, object], list[Entry]] = {}
    for point in dropped:
        for entry in point.entries:
            old.setdefault((point.at, entry.moves), []).append(entry)
    stays = [[_pop(old.get((new.at, (new.round, moved)), [])) for moved in new.transfers] for new in reworked]
    stale = sorted(entry for left in old.values() for entry in left)
    added = [reversal(entry, number=number, seq=seq) for number, entry in enumerate(stale, last_entry + 1)]
    standing: list[tuple[Entry, ...]] = []
    for new, kept in zip(reworked, stays, strict=True):
        entries = []
        for moved, old_entry in zip(new.transfers, kept, strict=True):
            if old_entry is None:
                added += new._replace(transfers=(moved,)).entries(last_entry + len(added) + 1, seq)
            entries.append(old_entry or added[-1])
        standing.append(tuple(entries))
    return _Difference(standing, tuple(added))


def _pop(entries: list[Entry]) -> Entry | None:
    return entries.pop(0) if entries else None
