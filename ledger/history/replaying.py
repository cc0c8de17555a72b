"""The timeline played again as far as something changes: from the first place that does on, until all is as it was.

A chapter that nothing changes in, and that begins as it did before, is kept as it is, with all its entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from ledger.books import Balances, Entry, reversal
from ledger.budget import breathe
from ledger.history.corrections import BEFORE_ALL, Address, Logged
from ledger.history.points import Place, Point, Stepped, TakenBack, only_the_pot, step
from ledger.history.timeline import Chapter, Timeline
from ledger.play import Event, Refused, Transfer
from ledger.records import Record, field, replace
from ledger.session import Table


class Conflict(Record):
    """An event that would no longer fit after a correction, and why. `part` is its place among others, if inserted."""

    seq: int
    refusal: Refused
    part: int | None = None


class Changed(NamedTuple):
    """A place where something else is said now, or nothing any more; `was` is what is there, if it was there before."""

    at: Address
    root: int
    said: Logged | None
    was: Place | None


class Edits:
    """What stands otherwise on a timeline, by the number of the chapter: all its places, some of them changed."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.chapters: dict[int, list[Place | Changed]] = {}

    def insert(self, said: Logged, after: Address, root: int) -> None:
        """Put an event right after another; after what the same row has put there already."""
        chapter, place = 0, -1
        if after != BEFORE_ALL:
            chapter = self._timeline.chapter_of(after, root)
        places = self._places(chapter)
        if after != BEFORE_ALL:
            place = _place_in(places, after)
        while place + 1 < len(places) and places[place + 1].at.seq == said.at.seq:
            place += 1
        places.insert(place + 1, Changed(said.at, root, said, None))

    def say(self, at: Address, root: int, said: Logged | None) -> None:
        """Let something else count in the place of an event, or nothing; if it is the same, nothing is changed.

        Events are compared by what they say: the same one read from the log is another object.
        """
        chapter = self._timeline.chapter_of(at, root)
        was = next(place for place in self._timeline.chapters[chapter].places if place.at == at)
        if (was.said and was.said.event) != (said and said.event):
            places = self._places(chapter)
            places[_place_in(places, at)] = Changed(at, root, said, was)

    def _places(self, chapter: int) -> list[Place | Changed]:
        if chapter not in self.chapters:
            self.chapters[chapter] = list(self._timeline.chapters[chapter].places)
        return self.chapters[chapter]


def _place_in(places: Sequence[Place | Changed], at: Address) -> int:
    return next(number for number, place in enumerate(places) if place.at == at)


class Replayed(NamedTuple):
    """What playing again came to.

    `begins` is the table before the first change, `written` what was changed with its cards as the deck writes them.
    """

    timeline: Timeline
    begins: Table
    entries: tuple[Entry, ...]
    conflicts: Sequence[Conflict]
    written: Mapping[Address, Event]
    redone: int


def play_again(timeline: Timeline, edits: Edits, seq: int, last_entry: int) -> Replayed:
    """Play a timeline again as far as edits change it, because of the row `seq`; number entries from `last_entry` on.

    What no longer fits is left out, and told.
    """
    playing = _Playing(timeline, edits)
    playing.play()
    halves = [chapter for chapter in playing.done if isinstance(chapter, _Half)]
    redone = [place for half in halves for place in half.places if isinstance(place, _Redone)]
    entries = tuple(_difference(seq, redone, last_entry))
    chapters: list[Chapter] = []
    for chapter in playing.done:
        if isinstance(chapter, Chapter):
            chapters.append(chapter)
        else:
            places = tuple(place.place() if isinstance(place, _Redone) else place for place in chapter.places)
            chapters += Chapter(chapter.begin, places).in_pieces()
    return Replayed(
        Timeline.of(chapters),
        playing.begins or timeline.table,
        entries,
        playing.conflicts,
        {place.at: place.stepped.said.event for place in redone if place.stepped and place.is_changed},
        len(redone),
    )


class _Redone(Struct):
    """A place that was played again: what was there, and what came of it; nothing, if it is taken back.

    `entries` are those that stand for it now, as far as they are written down.
    """

    at: Address
    root: int
    was: Place | None
    is_changed: bool
    table: Table
    stepped: Stepped | None
    entries: tuple[Entry, ...] = ()

    @property
    def said(self) -> Logged | None:
        """What counts here."""
        return self.stepped.said if self.stepped else None

    def place(self) -> Place:
        """Make the place, once its entries are written down."""
        if self.stepped is not None:
            return Point(self.stepped.said, self.root, self.stepped.round, self.table, self.entries)
        return TakenBack(self.at, self.root, self.was.round if self.was else None, self.table)


class _Half(NamedTuple):
    """A chapter of which something was played again."""

    begin: Table
    places: list[Place | _Redone]


class _Playing(Struct):
    """A timeline while it is played again: what of it is done, and what did not fit."""

    timeline: Timeline
    edits: Edits
    done: list[Chapter | _Half] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    begins: Table | None = None

    def play(self) -> None:
        """Go through the chapters; those that come to the same are kept."""
        chapters, edited = self.timeline.chapters, self.edits.chapters
        number, table = 0, chapters[0].begin
        while number < len(chapters):
            chapter = chapters[number]
            if number not in edited and chapter.can_begin_with(table):
                # all chapters up to the next edited one begin as the one before them ends
                following = min((other for other in edited if other > number), default=len(chapters))
                self.done.append(chapter if table is chapter.begin else replace(chapter, begin=table))
                self.done += chapters[number + 1 : following]
                number, table = following, chapters[following - 1].end
            else:
                table = self._play(chapter, table, edited.get(number, chapter.places))
                number += 1

    def _play(self, chapter: Chapter, table: Table, places: Sequence[Place | Changed]) -> Table:
        """Play a chapter, but where the table is as it was; give the table that it ends with."""
        half = _Half(table, [])
        self.done.append(half)
        balances: Balances | None = None
        same, before = chapter.can_begin_with(table), chapter.begin
        for place in places:
            breathe()
            is_changed, was = (True, place.was) if isinstance(place, Changed) else (False, place)
            same = not is_changed and (same or table is before)
            before = was.table if was else before
            if same and not isinstance(place, Changed):
                half.places.append(place)
                table, balances = place.table, None
                continue
            if balances is None:
                balances = only_the_pot(table)
            if self.begins is None:
                self.begins = table
            redone = _Redone(place.at, place.root, was, is_changed, table, None)
            if place.said is not None:
                try:
                    stepped = redone.stepped = step(table, balances, place.said, self._said())
                except Refused as refusal:
                    self.conflicts.append(Conflict(place.at.seq, refusal, place.at.part or None))
                    continue
                table, balances = stepped.table, stepped.balances
                redone.table = table
            half.places.append(redone)
        return table

    def _said(self) -> Iterator[Logged]:
        """Go back along what counts so far."""
        return (place.said for chapter in reversed(self.done) for place in reversed(chapter.places) if place.said)


# --- the books ------------------------------------------------------------------------------------------------------


def _difference(seq: int, redone: Sequence[_Redone], last_entry: int) -> list[Entry]:
    """Give the books the difference: what no longer stands is reversed, what is new is added, the rest stays."""
    kept: list[list[Entry | None]] = []
    stale: list[Entry] = []
    for place in redone:
        old = list(place.was.entries) if place.was else []
        stepped = place.stepped
        kept.append([_taken_from(old, stepped.round, moved) for moved in stepped.transfers] if stepped else [])
        stale += old
    added = [reversal(entry, number=number, seq=seq) for number, entry in enumerate(sorted(stale), last_entry + 1)]
    for place, stays in zip(redone, kept, strict=True):
        if place.stepped is not None:
            entries = []
            for moved, entry in zip(place.stepped.transfers, stays, strict=True):
                if entry is None:
                    added += replace(place.stepped, transfers=(moved,)).entries(last_entry + len(added) + 1, seq)
                entries.append(entry or added[-1])
            place.entries = tuple(entries)
    return added


def _taken_from(entries: list[Entry], of_round: int | None, moved: Transfer) -> Entry | None:
    """Take the first entry that moves the same chips in the same round out of a list."""
    for number, entry in enumerate(entries):
        if (entry.round, entry.payer, entry.payee, entry.amount, entry.reason) == (
            of_round,
            moved.payer,
            moved.payee,
            moved.amount,
            moved.reason,
        ):
            return entries.pop(number)
    return None
