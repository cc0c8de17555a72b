"""A correction worked out: what it says, which slots of the timeline it changes, and what the books are told.

Corrections that were made together are worked out once: refused as a whole, or kept as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from typing import Any, NamedTuple, NoReturn

from ledger.budget import breathe
from ledger.history.corrections import CorrectionIndex
from ledger.history.log import Log
from ledger.history.replay import Conflict, Edits, Replay
from ledger.history.rows import BEFORE_ALL, Address, CorrectionRow, Logged, in_effect, target
from ledger.history.timeline import Timeline
from ledger.play import Event, PlayerId, Refused, RefusedAt
from ledger.records import replace
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
    NoSuchPart,
    NotAnEventOfTheTable,
    NothingToTakeBack,
    OddsSwitched,
    PlayerErased,
    SessionIsClosed,
    brings_in,
    ids_from,
)

Part = EventTakenBack | EventAmended | EventInserted


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
    """What a correction comes to: what it says, part by part, and the timeline played again."""

    event: Correction
    parts: tuple[Logged, ...]
    replay: Replay


def correct(timeline: Timeline, log: Log, event: Correction, version: int, ahead: Replay | None = None) -> Corrected:
    """Work a correction out.

    `ahead` is how it was worked out on a log that had not come as far. Of a session that stays closed, only what was
    reported after closing can be corrected. Raises Refused.
    """
    event = _checked(event, log)
    parts = tuple(_logged(event, version, timeline, log))
    replay = Replay(timeline, _edits(parts, timeline, log), ahead)
    before, after = timeline.table.status, replay.table.status
    if replay.conflicts:
        if before == "closed":
            raise SessionIsClosed(event.type)
        _refuse(event, parts, replay.conflicts)
    if replay.begins and before == after == "closed" != replay.begins.status:
        raise SessionIsClosed(event.type)
    return Corrected(*_as_written(event, parts, replay.written), replay)


def earlier(timeline: Timeline, log: Log, upto: Log) -> Timeline:
    """Give the timeline as it was when a log ended where `upto` does: what later rows corrected is played again.

    Entries have the ids that they have today, those that do not stand today 0.
    """
    cut, corrected = timeline.upto(upto.length), set[Address]()
    for row in log.since(upto.length):
        breathe()
        if isinstance(row, CorrectionRow):
            corrected |= {at for at in _touched(row.parts, log) if at.seq <= upto.length}
    edits = Edits(cut)
    edits.remove_after(upto.length)
    for at in corrected:
        breathe()
        edits.change(_what_counts(log.logged(at), upto.corrections))
    if not edits.segments:
        return cut
    replay = Replay(cut, edits)
    if replay.conflicts:
        raise replay.conflicts[0].refusal
    return replay.booked(upto.length, repeat(0))[0]


# --- what is said ---------------------------------------------------------------------------------------------------


def _parts(event: Correction) -> tuple[Part, ...]:
    return event.corrections if isinstance(event, CorrectionsMade) else (event,)


def _checked(event: Correction, log: Log) -> Correction:
    """Make sure that what a correction is about is there, part by part; name it, if the report left it to us."""
    if isinstance(event, EventTakenBack) and event.seq is None:
        event = replace(event, seq=_last_that_stands(log))
    so_far, subjects = log.corrections, set[Address]()
    for number, part in enumerate(_parts(event), 1):
        try:
            if not isinstance(part, EventInserted):
                _need_new(target(part), subjects)
            _check(part, log, so_far, alone=part is event)
        except Refused as refusal:
            raise (RefusedAt(refusal, part=number) if isinstance(event, CorrectionsMade) else refusal) from None
        so_far = so_far.and_then([Logged(log.length + 1, part, 1, part=number)])
    return event


def _last_that_stands(log: Log) -> int:
    """Find the last row that stands, is not itself a take-back, and happened at the table: no switch of the chances."""
    for row in map(log.row, range(log.undo_from, 0, -1)):
        breathe()
        if not isinstance(row.event, EventTakenBack | OddsSwitched) and log.corrections.stands(row.at):
            return row.seq
    raise NothingToTakeBack


def _need_new(subject: Address, subjects: set[Address]) -> None:
    """Refuse a second part about the same event."""
    if subject in subjects:
        raise CorrectedTwice(seq=subject.seq, **_inserted_part(subject))
    subjects.add(subject)


def _inserted_part(at: Address) -> dict[str, Any]:
    """Tell which inserted event is meant; `part` says which of the corrections in hand is refused."""
    return {"inserted_part": at.part} if at.part else {}


def _check(part: Part, log: Log, corrections: CorrectionIndex, *, alone: bool) -> None:
    """Refuse a correction of what is not there, was taken back, or is no event of the table.

    Switching the chances is none either. It can be taken back, `alone`: an undo of several would undo it, too.
    """
    about = target(part)
    there = _event_at(about, log)
    if not isinstance(part, EventInserted):
        if not corrections.stands(about):
            raise AlreadyTakenBack(seq=about.seq, **_inserted_part(about))
        if isinstance(there, PlayerErased):
            raise ErasedForGood(seq=about.seq)
        if isinstance(there, OddsSwitched) and not (alone and isinstance(part, EventTakenBack)):
            raise NotAnEventOfTheTable(type=there.type)
    if isinstance(part, EventTakenBack):
        return
    if isinstance(part.event, Correction | PlayerErased | OddsSwitched):
        raise NotAnEventOfTheTable(type=part.event.type)
    if isinstance(there, EventTakenBack | EventAmended | CorrectionsMade):
        raise IsACorrection(seq=about.seq)


def _event_at(at: Address, log: Log) -> Event | None:
    """Find what stands at an address; nothing stands before the first event."""
    if at == BEFORE_ALL:
        return None
    event = log.row(at.seq).event
    if at.part == 0:
        return event
    parts = event.corrections if isinstance(event, CorrectionsMade) else ()
    if at.part > len(parts) or not isinstance(parts[at.part - 1], EventInserted):
        raise NoSuchPart(seq=at.seq, inserted_part=at.part)
    return parts[at.part - 1]


def _logged(event: Correction, version: int, timeline: Timeline, log: Log) -> Iterator[Logged]:
    """Give the parts of a correction as they will stand in the log, with the ids that they give to people."""
    seq, free = log.length + 1, timeline.table.next_number
    for number, part in enumerate(_parts(event), 1):
        count = brings_in(in_effect(part))
        known = _known_as(target(part), log) if count and isinstance(part, EventAmended) else ()
        newcomers = (*known, *ids_from(free, count - len(known)))[:count]
        free += max(0, count - len(known))
        anchor = _anchor(target(part), log) if isinstance(part, EventInserted) else seq
        yield Logged(seq, part, version, newcomers, anchor, part=number if isinstance(event, CorrectionsMade) else 0)


def _known_as(at: Address, log: Log) -> tuple[PlayerId, ...]:
    """Say which ids an event, or an amendment of it, has given to people who were new."""
    amendments = (part for part in log.corrections.amendments(at.seq) if _about(part) == at)
    return max((part.newcomers for part in (*amendments, log.logged(at))), key=len)


def _about(part: Logged) -> Address | None:
    return target(part.event) if isinstance(part.event, EventAmended) else None


def _anchor(at: Address, log: Log) -> int:
    """Say after which event, reported in its turn, the one at an address stands; itself, if it was. 0 is before all."""
    return 0 if at == BEFORE_ALL else log.logged(at).anchor


# --- what it changes ------------------------------------------------------------------------------------------------


def _edits(parts: Sequence[Logged], timeline: Timeline, log: Log) -> Edits:
    """Say what stands otherwise on the timeline because of a correction."""
    edits, corrections = Edits(timeline), log.corrections.and_then(parts)
    for part in parts:
        if isinstance(part.event, EventInserted):
            edits.insert(replace(part, event=part.event.event), target(part.event))
    for at in _touched(parts, log):
        edits.change(_what_counts(log.logged(at), corrections))
    return edits


def concerned(row: CorrectionRow, log: Log) -> Iterator[Event]:
    """Give the events of the table that a row puts in place, takes away, or puts back."""
    yield from (in_effect(part.event) for part in row.parts)
    yield from (in_effect(log.logged(at).event) for at in _touched(row.parts, log))


def _touched(parts: Iterable[Logged], log: Log) -> Iterator[Address]:
    """Give the events that corrections may put in place or take away: those that they are about, at last.

    Each is given once: ways that part at one correction meet again at another, twice as many each time.
    """
    coming = [part for part in parts if isinstance(part.event, EventTakenBack | EventAmended)]
    reached = set[Address]()
    while coming:
        breathe()
        part = coming.pop()
        if not isinstance(part.event, EventTakenBack | EventAmended):
            yield part.at
        elif (at := target(part.event)) not in reached:
            reached.add(at)
            about = log.row(at.seq)
            coming += about.parts if isinstance(about, CorrectionRow) and not at.part else [log.logged(at)]


def _what_counts(logged: Logged, corrections: CorrectionIndex) -> Logged:
    """Give what counts in the place of an event, or does not, if it was taken back.

    An amended event keeps its number, its place and the version it was recorded under, and somebody new the id.
    """
    latest = corrections.amendment(logged.at) or logged
    counts = corrections.stands(logged.at)
    return replace(
        logged, event=in_effect(latest.event), newcomers=latest.newcomers, round=None, entries=(), counts=counts
    )


# --- what comes of it -----------------------------------------------------------------------------------------------


def _places(parts: Sequence[Logged]) -> list[Address]:
    """Say at which address each part of a correction puts an event in place."""
    return [target(part.event) if isinstance(part.event, EventAmended) else part.at for part in parts]


def _refuse(event: Correction, parts: Sequence[Logged], conflicts: Sequence[Conflict]) -> NoReturn:
    """Refuse a correction: for what it says itself if that is not possible, otherwise for all that follows."""
    first = conflicts[0]
    places = _places(parts)
    if (at := Address(first.seq, first.part or 0)) in places:
        if isinstance(event, CorrectionsMade):
            raise RefusedAt(first.refusal, part=places.index(at) + 1)
        raise first.refusal
    raise LaterEventsDoNotFit(tuple(conflicts))


def _as_written(
    event: Correction, parts: Sequence[Logged], written: Mapping[Address, Event]
) -> tuple[Correction, tuple[Logged, ...]]:
    """Give a correction and its parts with their events' cards as the deck writes them."""

    def as_written(part: Logged, place: Address) -> Any:
        if isinstance(part.event, EventAmended | EventInserted) and place in written:
            return replace(part.event, event=written[place])
        return part.event

    events = tuple(as_written(part, place) for part, place in zip(parts, _places(parts), strict=True))
    event = replace(event, corrections=events) if isinstance(event, CorrectionsMade) else events[0]
    return event, tuple(replace(part, event=said) for part, said in zip(parts, events, strict=True))
