"""A correction worked out: what may be corrected, how that stands in the log, and what comes of it.

Corrections that were made together are worked out once: refused as a whole, or kept as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NoReturn

from ledger.history.effective import logged_at, parts_in, stands, taken_back
from ledger.history.folding import Conflict, Refolded
from ledger.history.rows import Address, Logged, Part, Row
from ledger.play.refusals import Refused, RefusedAt
from ledger.play.values import PlayerId
from ledger.records import replace
from ledger.sentences import Sentence, say
from ledger.session.corrections import Correction, CorrectionsMade, EventAmended, EventInserted, EventTakenBack
from ledger.session.events import OddsSwitched, PlayerErased, brings_in
from ledger.session.refusals import (
    AlreadyTakenBack,
    CorrectedTwice,
    ErasedForGood,
    IsACorrection,
    NotAnEventOfTheTable,
    NothingToTakeBack,
)
from ledger.session.table import ids_from

Said = EventTakenBack | EventAmended | EventInserted


class LaterEventsDoNotFit(Refused):
    """With that changed, later events would no longer be possible: {reasons:list}."""

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        reasons = tuple(_told(tuple(alike)) for _, alike in groupby(conflicts, key=_why))
        super().__init__(conflicts=tuple(conflicts), reasons=reasons)


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


# --- what may be corrected ------------------------------------------------------------------------------------------


def said_in(event: Correction) -> tuple[Said, ...]:
    """Give the corrections that were made together, or the single one."""
    return event.corrections if isinstance(event, CorrectionsMade) else (event,)


def target(said: Said) -> Address:
    """Say which event a correction is about: the one it undoes or amends, or after which it inserts another."""
    seq = said.after if isinstance(said, EventInserted) else said.seq
    return Address(seq or 0, said.part or 0)


def parts_of(event: Correction, version: int, rows: Sequence[Row], free: int) -> tuple[Part, ...]:
    """Give the parts of a correction as they will stand in the log; new people get ids from the number `free` on.

    Raises Refused for what may not be corrected.
    """
    before, together, found, seq = parts_in(rows), isinstance(event, CorrectionsMade), list[Part](), len(rows) + 1
    gone = taken_back(before)
    for number, said in enumerate(said_in(event), 1):
        try:
            _check(said, logged_at(rows, target(said)), gone, found, alone=not together)
        except Refused as refusal:
            raise (RefusedAt(refusal, part=number) if together else refusal) from None
        about, inner = target(said), said if isinstance(said, EventTakenBack) else said.event
        count = brings_in(inner)
        known = _known_as(about, rows, before) if count and isinstance(said, EventAmended) else ()
        if count > len(known):  # the ids that are known may be of people whom an earlier amendment brought
            free = max([free, *(1 + int(player.removeprefix("p")) for player in known)])
        newcomers = (*known, *ids_from(free, count - len(known)))[:count]
        free += max(0, count - len(known))
        place = number if together else 0
        found.append(Part(seq, inner, version, newcomers, place, kind=type(said), about=about))
        if isinstance(said, EventTakenBack):
            gone = taken_back([*found, *before])
    return tuple(found)


def _known_as(at: Address, rows: Sequence[Row], parts: Sequence[Part]) -> tuple[PlayerId, ...]:
    """Say which ids an event, or an amendment of it, has given to people who were new."""
    amendments = (part for part in parts if part.kind is EventAmended and part.about == at)
    return max((logged.newcomers for logged in (*amendments, logged_at(rows, at)) if logged), key=len)


def last_that_stands(rows: Sequence[Row]) -> int:
    """Find the last row that stands, is not itself a take-back, and happened at the table: no switch of the chances."""
    gone = taken_back(parts_in(rows))
    for row in reversed(rows):
        if not isinstance(row.event, EventTakenBack | OddsSwitched) and row.at not in gone:
            return row.seq
    raise NothingToTakeBack


def _check(
    said: Said, there: Logged | None, gone: Mapping[Address, int], before: Sequence[Part], *, alone: bool
) -> None:
    """Refuse a correction of what was taken back, is corrected by one `before`, erased for good, or no event of play.

    Switching the chances is none either. It can be taken back, `alone`: an undo of several would undo it, too.
    """
    at, was = target(said), there.event if there else None
    facts: dict[str, Any] = {"seq": at.seq, **({"inserted_part": at.part} if at.part else {})}
    if not isinstance(said, EventInserted):
        if any(part.about == at and part.kind is not EventInserted for part in before):
            raise CorrectedTwice(**facts)
        if not stands(at, gone):
            raise AlreadyTakenBack(**facts)
        if isinstance(was, PlayerErased):
            raise ErasedForGood(seq=at.seq)
        if isinstance(was, OddsSwitched) and not (alone and isinstance(said, EventTakenBack)):
            raise NotAnEventOfTheTable(type=was.type)
    if not isinstance(said, EventTakenBack):
        if isinstance(said.event, Correction | PlayerErased | OddsSwitched):
            raise NotAnEventOfTheTable(type=said.event.type)
        if isinstance(was, EventTakenBack | EventAmended | CorrectionsMade):
            raise IsACorrection(seq=at.seq)


# --- what comes of it -----------------------------------------------------------------------------------------------


def place_of(part: Part) -> Address:
    """Say at which address a part of a correction puts an event in place."""
    return part.about if part.kind is EventAmended else part.at


def refuse(event: Correction, parts: Sequence[Part], conflicts: Sequence[Conflict]) -> NoReturn:
    """Refuse a correction: for what it says itself if that is not possible, otherwise for all that follows."""
    first, places = conflicts[0], list(map(place_of, parts))
    if (at := Address(first.seq, first.part or 0)) in places:
        if isinstance(event, CorrectionsMade):
            raise RefusedAt(first.refusal, part=places.index(at) + 1)
        raise first.refusal
    raise LaterEventsDoNotFit(conflicts)


def as_written(event: Correction, parts: Sequence[Part], folded: Refolded) -> tuple[Correction, tuple[Part, ...]]:
    """Give a correction and its parts with their events' cards as the deck writes them."""
    slots = (folded.slots[place] for place in folded.anew)
    written = {slot.logged.at: slot.event for slot in slots if slot.counts}
    events = [part.event if part.kind is EventTakenBack else written.get(place_of(part), part.event) for part in parts]
    pairs = zip(said_in(event), events, strict=True)
    said = tuple(one if isinstance(one, EventTakenBack) else replace(one, event=inner) for one, inner in pairs)
    event = replace(event, corrections=said) if isinstance(event, CorrectionsMade) else said[0]
    return event, tuple(replace(part, event=inner) for part, inner in zip(parts, events, strict=True))
