"""The checks of a correction, its parts as they stand in the log, and its refusal.

Corrections made together are refused or recorded as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NoReturn

from ledger.i18n.sentences import Sentence, say
from ledger.records import replace
from ledger.rulebook.refusal import Refused, RefusedAt
from ledger.rulebook.values import PlayerId
from ledger.session import refusals
from ledger.session.corrections import (
    Correction,
    CorrectionsMade,
    EventAmended,
    EventInserted,
    EventTakenBack,
    SingleCorrection,
)
from ledger.session.events import OddsSwitched, PlayerErased
from ledger.session.history.effective import Address, Logged, Part, Row, logged_at, parts_in, stands, taken_back
from ledger.session.history.folding import Conflict, Refolded
from ledger.session.rules import brings_in
from ledger.session.table import ids_from


class LaterEventsDoNotFit(Refused):
    """With that changed, later events would no longer be possible: {reasons:list}."""

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        # an event that was inserted together with others has a sentence of its own
        alike = groupby(conflicts, lambda each: (each.refusal.sentence, each.at if each.at.part else None))
        reasons = tuple(_sentence_of(tuple(group)) for _, group in alike)
        super().__init__(conflicts=tuple(conflicts), reasons=reasons)


def _sentence_of(alike: Sequence[Conflict]) -> Sentence:
    """Make the sentence of conflicts that share a reason, as those of a whole deal may."""
    (seq, part), why = alike[0].at, alike[0].refusal.sentence
    if len(alike) > 1:
        return say("events {seqs:numbers} ({why:sentence})", seqs=tuple(each.at.seq for each in alike), why=why)
    if part:
        return say("event {seq}, part {part} ({why:sentence})", seq=seq, part=part, why=why)
    return say("event {seq} ({why:sentence})", seq=seq, why=why)


# --- what may be corrected ------------------------------------------------------------------------------------------


def corrections_in(event: Correction) -> tuple[SingleCorrection, ...]:
    return event.corrections if isinstance(event, CorrectionsMade) else (event,)


def target(correction: SingleCorrection) -> Address:
    """Give the address that a correction is about: of the event it undoes or amends, or after which it inserts."""
    seq = correction.after if isinstance(correction, EventInserted) else correction.seq
    return Address(seq or 0, correction.part or 0)


def parts_of(event: Correction, version: int, rows: Sequence[Row], free: int) -> tuple[Part, ...]:
    """Give the parts of a correction; new people get ids from the number `free` on. Raises Refused."""
    before, together, found, seq = parts_in(rows), isinstance(event, CorrectionsMade), list[Part](), len(rows) + 1
    gone = taken_back(before)
    for number, correction in enumerate(corrections_in(event), 1):
        about, inner = target(correction), correction if isinstance(correction, EventTakenBack) else correction.event
        try:
            _check(correction, logged_at(rows, about), gone, found, alone=not together)
        except Refused as refusal:
            raise (RefusedAt(refusal, part=number) if together else refusal) from None
        count = brings_in(inner)
        newcomers = _known_as(about, rows, before) if count and isinstance(correction, EventAmended) else ()
        if (more := count - len(newcomers)) > 0:  # those known may be of people whom an earlier amendment brought
            free = max([free, *(1 + int(player.removeprefix("p")) for player in newcomers)])
            newcomers, free = (*newcomers, *ids_from(free, more)), free + more
        place = number if together else 0
        found.append(Part(seq, inner, version, newcomers[:count], place, kind=type(correction), about=about))
        if isinstance(correction, EventTakenBack):
            gone = taken_back([*found, *before])
    return tuple(found)


def _known_as(at: Address, rows: Sequence[Row], parts: Sequence[Part]) -> tuple[PlayerId, ...]:
    """Give the ids that an event, or an amendment of it, gave to new people."""
    amendments = (part for part in parts if part.kind is EventAmended and part.about == at)
    return max((logged.newcomers for logged in (*amendments, logged_at(rows, at)) if logged), key=len)


def last_that_stands(rows: Sequence[Row]) -> int:
    """Find the last row that stands and is neither a take-back nor a switch of the odds."""
    gone = taken_back(parts_in(rows))
    for row in reversed(rows):
        if not isinstance(row.event, EventTakenBack | OddsSwitched) and row.at not in gone:
            return row.seq
    raise refusals.NothingToTakeBack


def _check(
    correction: SingleCorrection, old: Logged | None, gone: Mapping[Address, int], parts: Sequence[Part], *, alone: bool
) -> None:
    """Refuse to correct what is taken back, corrected by an earlier one of `parts`, erased, or no event of the table.

    A switch of the odds can only be taken back, and only `alone`: an undo of several events would undo it, too.
    """
    at, was = target(correction), old.event if old else None
    facts: dict[str, Any] = {"seq": at.seq, **({"inserted_part": at.part} if at.part else {})}
    if not isinstance(correction, EventInserted):
        if any(part.about == at and part.kind is not EventInserted for part in parts):
            raise refusals.CorrectedTwice(**facts)
        if not stands(at, gone):
            raise refusals.AlreadyTakenBack(**facts)
        if isinstance(was, PlayerErased):
            raise refusals.ErasedForGood(seq=at.seq)
        if isinstance(was, OddsSwitched) and not (alone and isinstance(correction, EventTakenBack)):
            raise refusals.NotAnEventOfTheTable(type=was.type)
    if not isinstance(correction, EventTakenBack):
        if isinstance(correction.event, Correction | PlayerErased | OddsSwitched):
            raise refusals.NotAnEventOfTheTable(type=correction.event.type)
        if isinstance(was, EventTakenBack | EventAmended | CorrectionsMade):
            raise refusals.IsACorrection(seq=at.seq)


# --- what comes of it -----------------------------------------------------------------------------------------------


def place_of(part: Part) -> Address:
    """Give the address at which a part puts an event in place."""
    return part.about if part.kind is EventAmended else part.at


def refuse(event: Correction, parts: Sequence[Part], conflicts: Sequence[Conflict]) -> NoReturn:
    """Refuse a correction for the first event that it puts in place and does not fit, else for all that follow."""
    first, places = conflicts[0], list(map(place_of, parts))
    if first.at in places:
        if isinstance(event, CorrectionsMade):
            raise RefusedAt(first.refusal, part=places.index(first.at) + 1)
        raise first.refusal
    raise LaterEventsDoNotFit(conflicts)


def as_written(event: Correction, parts: Sequence[Part], folded: Refolded) -> tuple[Correction, tuple[Part, ...]]:
    """Give a correction and its parts with cards as the deck writes them."""
    slots = (folded.slots[place] for place in folded.anew)
    written = {slot.at: slot.event for slot in slots if slot.counts}
    events = [part.event if part.kind is EventTakenBack else written.get(place_of(part), part.event) for part in parts]
    pairs = zip(corrections_in(event), events, strict=True)
    corrections = tuple(one if isinstance(one, EventTakenBack) else replace(one, event=inner) for one, inner in pairs)
    event = replace(event, corrections=corrections) if isinstance(event, CorrectionsMade) else corrections[0]
    return event, tuple(replace(part, event=inner) for part, inner in zip(parts, events, strict=True))
