"""The timeline: every event that counts, in the order in which it counts, and the table at times in between.

It is cut into segments of at most 64 slots; one begins at each `round_opened` (a round that is entered by its totals
begins none). A segment has the table that it begins with, and is replayed from there. An event that was taken back
keeps its slot. An inserted one has its slot right after that of the event it names: of several the newest comes first,
those of one row in the order given.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ledger.budget import breathe
from ledger.history.rows import Address, Logged
from ledger.records import Record, replace
from ledger.session import Round, RoundEntered, RoundOpened, Table, apply

LONGEST = 64
"""So many slots a segment has at most."""


class Step(NamedTuple):
    """A slot of the timeline that counts, and the table before and after it."""

    slot: Logged
    before: Table
    after: Table


class Segment(Record, eq=False, weakref=True, gc=True):
    """A stretch of the timeline, and the table that it begins with: the one that the segment before ends with."""

    begin: Table
    slots: tuple[Logged, ...] = ()

    def steps(self) -> Iterator[Step]:
        """Play what counts in it, from its beginning."""
        table = self.begin
        for slot in self.slots:
            if slot.counts:
                breathe()
                before, table = table, apply(table, slot.event, slot.version, slot.newcomers).table
                yield Step(slot, before, table)

    def can_begin_with(self, table: Table) -> bool:
        """Say whether all in it would come to the same if it began with another table.

        What an event does hangs on the table alone, and of a round that is over a new one only asks for its number.
        """
        if table is self.begin:
            return True
        if self.slots and self.slots[0].counts and isinstance(self.slots[0].event, RoundOpened):
            return table.rounds == self.begin.rounds and _between_rounds(table) == _between_rounds(self.begin)
        return table == self.begin


def begins_a_segment(slot: Logged, before: Sequence[Logged]) -> bool:
    """Say whether a slot begins a segment of its own, after so much of another."""
    return len(before) >= LONGEST or (len(before) > 0 and isinstance(slot.event, RoundOpened))


def _between_rounds(table: Table) -> Table:
    return table if table.open_round else replace(table, round=None)


class Timeline(Record, eq=False):
    """All segments, and the table after the last; only of a session without events the last one is empty."""

    closed: tuple[Segment, ...]
    last: Segment
    table: Table

    @classmethod
    def beginning(cls, table: Table) -> Timeline:
        """Begin with a table on which nothing has happened yet."""
        return cls((), Segment(table), table)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments, oldest first."""
        return (*self.closed, self.last)

    def and_then(self, slot: Logged, table: Table) -> Timeline:
        """Add what comes next, and the table after it."""
        last = self.last
        if begins_a_segment(slot, last.slots):
            return Timeline((*self.closed, last), Segment(self.table, (slot,)), table)
        return Timeline(self.closed, Segment(last.begin, (*last.slots, slot)), table)

    def upto(self, seq: int) -> Timeline:
        """Leave out all slots of events that were reported after a row, and what was inserted after those."""
        segments = self.segments
        number = bisect_right(segments, seq, key=_first_anchor) - 1
        if number < 0:
            return Timeline.beginning(segments[0].begin)
        segment = segments[number]
        length = bisect_right(segment.slots, seq, key=_anchor)
        if length == len(segment.slots):
            return Timeline(segments[:number], segment, self.end(number))
        cut = Segment(segment.begin, segment.slots[:length])
        table = cut.begin
        for step in cut.steps():
            table = step.after
        return Timeline(segments[:number], cut, table)

    # --- looking back -----------------------------------------------------------------------------------------------

    def slots(self) -> Iterator[Logged]:
        """Give what counts, oldest first."""
        return (slot for segment in self.segments for slot in segment.slots if slot.counts)

    def newest_first(self) -> Iterator[Logged]:
        """Go back from the last event that counts to the first."""
        segments = chain((self.last,), reversed(self.closed))
        return (slot for segment in segments for slot in reversed(segment.slots) if slot.counts)

    def segment_of(self, at: Address, anchor: int) -> int:
        """Find the segment that an address has its slot in. Anchors never fall along the timeline."""
        number = bisect_left(self.closed, anchor, key=_last_anchor)
        while not any(slot.is_at(at) for slot in self.segment(number).slots):
            number += 1
        return number

    def segment(self, number: int) -> Segment:
        """Give a segment by its number."""
        return self.last if number == len(self.closed) else self.closed[number]

    def end(self, number: int) -> Table:
        """Give the table after a segment."""
        return self.segment(number + 1).begin if number < len(self.closed) else self.table

    def slot(self, at: Address, anchor: int) -> Logged:
        """Find the slot of an address."""
        return next(slot for slot in self.segment(self.segment_of(at, anchor)).slots if slot.is_at(at))

    def steps(self, number: int) -> Iterator[Step]:
        """Play a round again, event by event."""
        for segment in self.segments[self.segment_opening(number) :]:
            if segment.begin.rounds > number:
                return
            yield from (step for step in segment.steps() if step.slot.round == number)

    # --- rounds -----------------------------------------------------------------------------------------------------

    def segment_opening(self, number: int) -> int:
        """Find the segment that a round begins in, if there is one with this number."""
        return max(0, bisect_left(self.segments, number, key=_rounds_before) - 1)

    def round(self, number: int) -> Round | None:
        """Give a round as it stands, or as it ended; None if there is none with this number."""
        if number == self.table.rounds:
            return self.table.round
        return next(self.rounds(number - 1), None) if 1 <= number < self.table.rounds else None

    def rounds(self, after: int = 0) -> Iterator[Round]:
        """Give the rounds after a number, each as it stands, or as it ended, in order."""
        first = self.segment_opening(after + 1)
        newest: Round | None = None
        for table in self.tables(first, len(self.closed) + 1):
            found = table.round
            if found is not None and found.number > after:
                if newest is not None and found.number != newest.number:
                    yield newest
                newest = found
        if newest is not None:
            yield newest

    def rounds_since(self, seq: int) -> set[int]:
        """Give the numbers of the rounds of what counts last, as far back as it stands in rows from `seq` on."""
        numbers = set[int]()
        for segment in (self.last, *reversed(self.closed)):
            for slot in reversed(segment.slots):
                if slot.counts and slot.seq < seq:
                    return numbers
                if slot.counts and slot.round is not None:
                    numbers.add(slot.round)
        return numbers

    def tables(self, first: int, last: int) -> Iterator[Table]:
        """Give the table after each of some segments; after each event where a round begins within a segment."""
        for number in range(first, last):
            segment = self.segment(number)
            if any(isinstance(slot.event, RoundEntered) for slot in segment.slots):
                yield from (step.after for step in segment.steps())
            yield self.end(number)


def _anchor(slot: Logged) -> int:
    return slot.anchor


def _first_anchor(segment: Segment) -> int:
    return segment.slots[0].anchor if segment.slots else 0


def _last_anchor(segment: Segment) -> int:
    return segment.slots[-1].anchor


def _rounds_before(segment: Segment) -> int:
    return segment.begin.rounds
