"""Rows of the log and slots of the timeline: an event where it stands, and what it counts as there."""

from __future__ import annotations

from typing import NamedTuple

from ledger.books import Books, Entry
from ledger.play import Event, PlayerId
from ledger.records import Record
from ledger.session import EventAmended, EventInserted, EventTakenBack


class Address(NamedTuple):
    """Where an event stands in a log: the number of its row, and of its part if it was inserted together with others.

    Part 0 is the row itself.
    """

    seq: int
    part: int = 0


BEFORE_ALL = Address(0)
"""After this stands what is inserted before the first event."""


class Logged(Record, eq=False):
    """An event where it stands: a row of the log, a part of one, or a slot of the timeline.

    `version` is that of the rule book in use when it was recorded, `newcomers` the ids that it gave to people.
    `anchor` is the row, reported in its turn, after which it counts: its own, unless it was inserted. `entries` are
    those that it caused; in a slot, those that stand. A slot that does not `count` was taken back and may be restored.
    """

    seq: int
    event: Event
    version: int
    newcomers: tuple[PlayerId, ...] = ()
    anchor: int = 0
    round: int | None = None
    entries: tuple[Entry, ...] = ()
    counts: bool = True
    part: int = 0

    @property
    def at(self) -> Address:
        """Where it stands in the log."""
        return Address(self.seq, self.part)

    def is_at(self, at: Address) -> bool:
        """Say whether it stands at an address."""
        return self.seq == at.seq and self.part == at.part


class CorrectionRow(Logged, eq=False, kw_only=True):
    """A row that corrects others: its parts, or itself if it is a single one, and the books after it.

    The entries of a correction may be many; they are in the store alone, and in the slots where they stand.
    """

    parts: tuple[Logged, ...]
    books: Books


def target(correction: EventTakenBack | EventAmended | EventInserted) -> Address:
    """Say which event a correction is about: the one it undoes or amends, or after which it inserts another."""
    seq = correction.after if isinstance(correction, EventInserted) else correction.seq
    return Address(seq or 0, correction.part or 0)


def in_effect(event: Event) -> Event:
    """Give the event of the table that an event of the log puts in place: its own, or the one within a correction."""
    return event.event if isinstance(event, EventAmended | EventInserted) else event
