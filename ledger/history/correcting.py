"""A correction worked out: what it says, which places of the timeline it changes, and what the books are told.

Only what it changes is played again (`replaying`); the books get the difference, as reversing entries and new ones.
Corrections that were made together are worked out once: refused as a whole, or kept as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, NoReturn

from ledger.books import Entry
from ledger.budget import breathe
from ledger.history.chains import back_to, jump_over
from ledger.history.corrections import (
    BEFORE_ALL,
    Address,
    Corrections,
    Logged,
    Standing,
    in_effect,
    target,
    target_of_amendment,
)
from ledger.history.points import Row, root_of
from ledger.history.replaying import Conflict, Edits, play_again
from ledger.history.timeline import Timeline
from ledger.play import Event, PlayerId, Refused, RefusedAt
from ledger.records import Record, replace
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
    OddsSwitched,
    PlayerErased,
    PlayerJoined,
    SessionIsClosed,
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


class Log(Record):
    """A log, and what its corrections say. `undo_from` is as a session's state has it."""

    last: Row | None
    corrections: Corrections
    undo_from: int

    @property
    def length(self) -> int:
        """The number of the last row."""
        return self.last.seq if self.last else 0

    def row(self, seq: int) -> Row:
        """Find the row with a number. Raises NoSuchEvent."""
        found = back_to(self.last, seq)
        if found is None or found.seq != seq:
            raise NoSuchEvent(seq=seq, last=self.length)
        return found


class Corrected(NamedTuple):
    """What a correction comes to: its row, the timeline after it, the entries it adds; how many places were redone."""

    row: Row
    corrections: Corrections
    timeline: Timeline
    entries: tuple[Entry, ...]
    redone: int


def correct(timeline: Timeline, log: Log, last_entry: int, event: Correction, version: int) -> Corrected:
    """Work a correction out.

    Of a session that stays closed, only what was reported after closing can be corrected. Raises Refused.
    """
    event = _checked(event, log)
    row = Row(
        log.length + 1,
        event,
        version,
        None,
        log.last,
        jump_over(log.last),
        newcomers=tuple(_newcomers(_parts(event), timeline, log)),
        roots=tuple(_roots(_parts(event), log)),
    )
    edits = _edits(row, timeline, log.corrections.and_then(row.logged))
    again = play_again(timeline, edits, row.seq, last_entry)
    before, after = timeline.table.status, again.timeline.table.status
    if again.conflicts:
        if before == "closed":
            raise SessionIsClosed
        _refuse(row, again.conflicts)
    if before == after == "closed" != again.begins.status:
        raise SessionIsClosed
    row = _as_written(row, again.written)
    return Corrected(row, log.corrections.and_then(row.logged), again.timeline, again.entries, again.redone)


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
        so_far = so_far.and_then([Logged(Address(log.length + 1, number), part, 1)])
    return event


def _last_that_stands(log: Log) -> int:
    """Find the last row that stands, is not itself a take-back, and happened at the table: no switch of the chances."""
    row, standing = back_to(log.last, log.undo_from), Standing(log.corrections)
    while row is not None:
        breathe()
        if not isinstance(row.event, EventTakenBack | OddsSwitched) and standing.stands(Address(row.seq)):
            return row.seq
        row = row.before
    raise NothingToTakeBack


def _need_new(subject: Address, subjects: set[Address]) -> None:
    """Refuse a second part about the same event."""
    if subject in subjects:
        raise CorrectedTwice(seq=subject.seq, **_inserted_part(subject))
    subjects.add(subject)


def _inserted_part(at: Address) -> dict[str, Any]:
    """Tell which inserted event is meant; `part` says which of the corrections in hand is refused."""
    return {"inserted_part": at.part} if at.part else {}


def _check(part: Part, log: Log, corrections: Corrections, *, alone: bool) -> None:
    """Refuse a correction of what is not there, was taken back, or is no event of the table.

    Switching the chances is none either. It can be taken back, `alone`: an undo of several would undo it, too.
    """
    about = target(part)
    there = _event_at(about, log)
    if not isinstance(part, EventInserted):
        if not Standing(corrections).stands(about):
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


def _newcomers(parts: Sequence[Part], timeline: Timeline, log: Log) -> Iterator[PlayerId | None]:
    """Say which id each part gives to somebody new: the one they had before an amendment, or the next that is free."""
    free = timeline.table.next_number
    for part in parts:
        said = in_effect(part)
        new = None
        if isinstance(said, PlayerJoined) and said.name is not None:
            new = _known_as(target(part), log) if isinstance(part, EventAmended) else None
            if new is None:
                new, free = f"p{free}", free + 1
        yield new


def _known_as(at: Address, log: Log) -> PlayerId | None:
    """Say which id an event, or an amendment of it, has given to somebody new."""
    amendments = (said for said in log.corrections.ever_amended(at.seq) if target_of_amendment(said) == at)
    return next((said.newcomer for said in (*amendments, log.row(at.seq).part(at)) if said.newcomer), None)


def _roots(parts: Sequence[Part], log: Log) -> Iterator[int]:
    for part in parts:
        yield root_of(target(part), log.last) if isinstance(part, EventInserted) else log.length + 1


# --- what it changes ------------------------------------------------------------------------------------------------


def _edits(row: Row, timeline: Timeline, corrections: Corrections) -> Edits:
    """Say what stands otherwise on the timeline because of a correction."""
    edits, standing = Edits(timeline), Standing(corrections)
    for said, root in zip(row.logged, row.roots, strict=True):
        if isinstance(said.event, EventInserted):
            edits.insert(said._replace(event=said.event.event), target(said.event), root)
    for at in _touched(row):
        found = row if at.seq == row.seq else back_to(row, at.seq)
        if found is not None:
            edits.say(at, found.root(at), _what_counts(found.part(at), standing))
    return edits


def concerned(row: Row) -> Iterator[Event]:
    """Give the events of the table that a row puts in place, takes away, or puts back."""
    yield from (in_effect(said.event) for said in row.logged)
    for at in _touched(row):
        if (found := row if at.seq == row.seq else back_to(row, at.seq)) is not None:
            yield in_effect(found.part(at).event)


def _touched(row: Row) -> Iterator[Address]:
    """Give the events that a correction may put in place or take away: those that it is about, at last.

    Each is given once: ways that part at one correction meet again at another, twice as many each time.
    """
    coming = [(row, said) for said in row.logged if isinstance(said.event, EventTakenBack | EventAmended)]
    reached = set[Address]()
    while coming:
        breathe()
        later, said = coming.pop()
        if not isinstance(said.event, EventTakenBack | EventAmended):
            yield said.at
            continue
        at = target(said.event)
        about = back_to(later, at.seq) if at not in reached else None
        reached.add(at)
        if about is not None:
            coming += [(about, each) for each in ((about.part(at),) if at.part else about.logged)]


def _what_counts(said: Logged, standing: Standing) -> Logged | None:
    """Give what counts in the place of an event, if it has not been taken back.

    An amended event keeps its number, its place and the version it was recorded under, and somebody new the id.
    """
    if not standing.stands(said.at):
        return None
    latest = standing.amendment(said.at) or said
    return Logged(said.at, in_effect(latest.event), said.version, latest.newcomer)


# --- what comes of it -----------------------------------------------------------------------------------------------


def _places(row: Row) -> list[Address]:
    """Say at which address each part of a correction puts an event in place."""
    return [target(said.event) if isinstance(said.event, EventAmended) else said.at for said in row.logged]


def _refuse(row: Row, conflicts: Sequence[Conflict]) -> NoReturn:
    """Refuse a correction: for what it says itself if that is not possible, otherwise for all that follows."""
    first = conflicts[0]
    places = _places(row)
    if (at := Address(first.seq, first.part or 0)) in places:
        if isinstance(row.event, CorrectionsMade):
            raise RefusedAt(first.refusal, part=places.index(at) + 1)
        raise first.refusal
    raise LaterEventsDoNotFit(tuple(conflicts))


def _as_written(row: Row, written: Mapping[Address, Event]) -> Row:
    """Give a correction's row with its events' cards as the deck writes them."""

    def as_written(said: Logged, place: Address) -> Any:
        if isinstance(said.event, EventAmended | EventInserted) and place in written:
            return replace(said.event, event=written[place])
        return said.event

    parts = tuple(as_written(said, place) for said, place in zip(row.logged, _places(row), strict=True))
    event = replace(row.event, corrections=parts) if isinstance(row.event, CorrectionsMade) else parts[0]
    return replace(row, event=event)
