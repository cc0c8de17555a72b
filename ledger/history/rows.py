"""What a session is made of: rows of the log, and the slots that they come to, each with the table after it."""

from __future__ import annotations

from typing import NamedTuple

from ledger.books import Books, Entry
from ledger.play.events import Event
from ledger.play.values import PlayerId
from ledger.records import Record
from ledger.session.corrections import EventAmended, EventInserted, EventTakenBack
from ledger.session.table import Table


class Address(NamedTuple):
    """Where an event stands in a log: the number of its row, and of its part if it was inserted together with others.

    Part 0 is the row itself.
    """

    seq: int
    part: int = 0


BEFORE_ALL = Address(0)
"""After this stands what is inserted before the first event."""


class Logged(Record, eq=False):
    """An event at its address.

    `version` is that of the rule book in use when it was recorded, `newcomers` the ids that it gave to people. One that
    does not `count` was taken back and may be restored.
    """

    seq: int
    event: Event
    version: int
    newcomers: tuple[PlayerId, ...] = ()
    part: int = 0
    counts: bool = True

    @property
    def at(self) -> Address:
        """Where it stands in the log."""
        return Address(self.seq, self.part)


class Part(Logged, eq=False, kw_only=True):
    """A single correction, or one of those made together: the event that it puts in place, or takes back.

    `kind` is which correction it is, `about` the event that it undoes or amends, or after which it inserts another.
    """

    kind: type[EventTakenBack | EventAmended | EventInserted]
    about: Address


class Row(Logged, eq=False, kw_only=True):
    """A row of the log, and the books after it; of a correction also its parts."""

    books: Books
    parts: tuple[Part, ...] = ()


class Slot(Record, eq=False):
    """An event in its place among others, the table after it, and its entries that stand.

    `round` is the number of the round that it belongs to, or did when it last counted.
    """

    logged: Logged
    table: Table
    round: int | None = None
    entries: tuple[Entry, ...] = ()

    @property
    def event(self) -> Event:
        """What happened."""
        return self.logged.event

    @property
    def seq(self) -> int:
        """The number of the row that it comes from."""
        return self.logged.seq

    @property
    def counts(self) -> bool:
        """Whether it was not taken back."""
        return self.logged.counts


class Step(NamedTuple):
    """A slot that counts, the table before it, and the books after it."""

    slot: Slot
    before: Table
    books: Books

    @property
    def after(self) -> Table:
        return self.slot.table
