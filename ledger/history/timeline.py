"""The timeline: every event that counts, in the order in which it counts, with the table after it.

It is kept in chapters, so that a correction writes the chapter again that it changes and shares all others with the
timeline before it. An event that was taken back keeps its place. An inserted one has its place right after that of the
event it names: of several the newest comes first, those of one row in the order given.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain

from ledger.history.corrections import Address, Logged
from ledger.history.points import BEGINS_A_ROUND, Place, Point
from ledger.records import Record, replace
from ledger.session import Round, Table

SHORTEST = 16
"""A chapter ends before a round begins, unless it would be shorter than this many places."""

LONGEST = 64
"""So many places a chapter has at most."""


class Chapter(Record, eq=False, weakref=True):
    """A stretch of the timeline, and the table that it begins with: the one that the chapter before ends with."""

    begin: Table
    places: tuple[Place, ...] = ()

    @property
    def end(self) -> Table:
        """The table that the next chapter begins with."""
        return self.places[-1].table if self.places else self.begin

    def can_begin_with(self, table: Table) -> bool:
        """Say whether all in it would come to the same if it began with another table.

        What an event does hangs on the table alone, and of a round that is over a new one only asks for its number.
        """
        if table is self.begin:
            return True
        if self.places and isinstance(first := self.places[0], Point) and isinstance(first.event, BEGINS_A_ROUND):
            return table.rounds == self.begin.rounds and _between_rounds(table) == _between_rounds(self.begin)
        return table == self.begin

    def in_pieces(self) -> list[Chapter]:
        """Give it as several, equally long, if it has become too long."""
        pieces = -(-len(self.places) // LONGEST)
        size = -(-len(self.places) // pieces) if pieces else 1
        cuts = [self.places[at : at + size] for at in range(0, len(self.places), size)] or [()]
        begins = [self.begin, *(cut[-1].table for cut in cuts[:-1])]
        return [Chapter(begin, cut) for begin, cut in zip(begins, cuts, strict=True)]


def _between_rounds(table: Table) -> Table:
    return table if table.open_round else replace(table, round=None)


class Timeline(Record, eq=False):
    """All chapters; to the last one events are added. Only of a session without events it is empty."""

    closed: tuple[Chapter, ...]
    last: Chapter

    @classmethod
    def of(cls, chapters: Sequence[Chapter]) -> Timeline:
        """Make it of chapters that follow one another."""
        return cls(tuple(chapters[:-1]), chapters[-1])

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """All chapters, oldest first."""
        return (*self.closed, self.last)

    def chapter(self, number: int) -> Chapter:
        """Give a chapter by its number, without looking at all the others."""
        return self.last if number == len(self.closed) else self.closed[number]

    @property
    def table(self) -> Table:
        """The table after all that counts."""
        places = self.last.places
        return places[-1].table if places else self.last.begin

    def and_then(self, point: Point) -> Timeline:
        """Add what was reported in its turn."""
        closed, last = self.closed, self.last
        length = len(last.places)
        if length >= LONGEST or (length >= SHORTEST and isinstance(point.event, BEGINS_A_ROUND)):
            return Timeline((*closed, last), Chapter(last.end, (point,)))
        return Timeline(closed, Chapter(last.begin, (*last.places, point)))

    # --- looking back -----------------------------------------------------------------------------------------------

    def points(self) -> Iterator[Point]:
        """Go back from the last event that counts to the first."""
        for chapter in chain((self.last,), reversed(self.closed)):
            for place in reversed(chapter.places):
                if isinstance(place, Point):
                    yield place

    def said(self) -> Iterator[Logged]:
        """Go back along what counts, from the last to the first."""
        return (point.said for point in self.points())

    def chapter_of(self, at: Address, root: int) -> int:
        """Find the chapter that an address has its place in. Roots never fall along the timeline."""
        number = bisect_left(self.closed, root, key=_last_root)
        while not any(place.at == at for place in self.chapter(number).places):
            number += 1
        return number

    def place(self, at: Address, root: int) -> Place:
        """Find the place of an address."""
        return next(place for place in self.chapter(self.chapter_of(at, root)).places if place.at == at)

    def round(self, number: int) -> Round | None:
        """Give a round as it stands, or as it ended; None if there is none with this number."""
        chapter = self.chapters[max(0, bisect_right(self.chapters, number, key=_rounds_before) - 1)]
        tables = chain((place.table for place in reversed(chapter.places)), (chapter.begin,))
        return next((table.round for table in tables if table.round and table.round.number == number), None)

    def rounds(self, after: int = 0) -> Iterator[Round]:
        """Give the rounds after a number, each as it stands, or as it ended, in order."""
        now: Round | None = None
        for chapter in self.chapters[max(0, bisect_right(self.chapters, after, key=_rounds_before) - 1) :]:
            for place in chapter.places:
                found = place.table.round
                if found is not None and found is not now and found.number > after and isinstance(place, Point):
                    if now is not None and found.number != now.number:
                        yield now
                    now = found
        if now is not None:
            yield now

    def chapter_opening(self, number: int) -> int:
        """Find the chapter that a round begins in, if there is one with this number."""
        return max(0, bisect_left(self.chapters, number, key=_rounds_before) - 1)


def _last_root(chapter: Chapter) -> int:
    return chapter.places[-1].root


def _rounds_before(chapter: Chapter) -> int:
    return chapter.begin.rounds
