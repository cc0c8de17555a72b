"""The log in memory: every row as it was recorded, in blocks, each with the books before its first row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, takewhile
from sys import getsizeof
from typing import Any, NamedTuple

from ledger.books import Books
from ledger.cards import Card
from ledger.history.corrections import CorrectionIndex
from ledger.history.rows import Address, CorrectionRow, Logged, target
from ledger.records import Record, field
from ledger.session import EventTakenBack, NoSuchEvent

BLOCK = 64
"""So many rows a block has, but for the last."""

A_ROW, AN_ENTRY = 350, 210
"""About how many bytes a row takes with its event and its share of a block, and an entry; measured at all games."""


class Block(NamedTuple):
    """Rows that follow one another, and the books before the first of them."""

    before: Books
    rows: tuple[Logged, ...] = ()


class Log(Record, eq=False):
    """All rows of a session, and an index of what was corrected. `held` is about how many bytes they take.

    No row after `undo_from` stands, but take-backs: an undo looks from there on for the last that stands. A frozen
    value: recording gives another, which shares all but its last block with the one before.
    """

    full: tuple[Block, ...]
    last: Block
    corrections: CorrectionIndex = field(default_factory=CorrectionIndex)
    undo_from: int = 0
    held: int = 0

    @property
    def length(self) -> int:
        """The number of the last row, 0 before the first."""
        return BLOCK * len(self.full) + len(self.last.rows)

    @property
    def brought(self) -> Books:
        """The books before the first row: a carried pot is the bank's."""
        return (self.full[0] if self.full else self.last).before

    def row(self, seq: int) -> Logged:
        """Find the row with a number. Raises NoSuchEvent."""
        if not 1 <= seq <= self.length:
            raise NoSuchEvent(seq=seq, last=self.length)
        block, place = divmod(seq - 1, BLOCK)
        return (self.full[block] if block < len(self.full) else self.last).rows[place]

    def logged(self, at: Address) -> Logged:
        """Find an event of the table, or a single correction, at an address. Raises NoSuchEvent."""
        row = self.row(at.seq)
        return row.parts[max(at.part - 1, 0)] if isinstance(row, CorrectionRow) else row

    def and_then(self, row: Logged, before: Books) -> Log:
        """Add a row; `before` are the books before it."""
        full, last = (self.full, self.last) if len(self.last.rows) < BLOCK else ((*self.full, self.last), Block(before))
        corrections, weight = self.corrections, A_ROW + _of_words(row.event) + AN_ENTRY * len(row.entries)
        if isinstance(row, CorrectionRow):
            corrections = corrections.and_then(row.parts)
            weight += A_ROW * (len(row.parts) + 1) + getsizeof(row.books.balances) + getsizeof(row.books.outside)
        undo_from = self._undo_from(row.event) if isinstance(row.event, EventTakenBack) else row.seq
        return Log(full, Block(last.before, (*last.rows, row)), corrections, undo_from, self.held + weight)

    def _undo_from(self, event: EventTakenBack) -> int:
        """Say from where on nothing but take-backs stands after one. What it restores was before what it undid."""
        about = target(event)
        if isinstance(self.row(about.seq).event, EventTakenBack):
            return max(self.undo_from, about.seq)
        return self.undo_from - 1 if about == Address(self.undo_from) else self.undo_from

    def newest_first(self) -> Iterator[Logged]:
        """Go back along the log, from the last row to the first."""
        return (row for block in chain((self.last,), reversed(self.full)) for row in reversed(block.rows))

    def since(self, seq: int) -> Iterator[Logged]:
        """Give the rows after a number, newest first."""
        return takewhile(lambda row: row.seq > seq, self.newest_first())

    def upto(self, seq: int) -> Log:
        """Give the log as it was when a row before its end was the last."""
        number, length = divmod(seq, BLOCK)
        blocks = (*self.full, self.last)
        cut = blocks[number]._replace(rows=blocks[number].rows[:length])
        is_corrected = any(isinstance(row, CorrectionRow) for row in self.since(seq))
        corrections = self.corrections.upto(seq) if is_corrected else self.corrections
        return Log(blocks[:number], cut, corrections, seq, self.held)

    def books(self) -> Books:
        """Add up the books after the last row."""
        books = self.last.before
        for row in self.last.rows:
            books = row.books if isinstance(row, CorrectionRow) else books.after(row.entries)
        return books


def _of_words(event: Any) -> int:
    """Say what the texts and lists of an event take, and of the events in it. Cards are the deck's."""
    held, coming = 0, [event]
    while coming:
        value = coming.pop()
        if isinstance(value, str | tuple | Mapping):
            held += getsizeof(value)
        if isinstance(value, Record) and not isinstance(value, Card):
            coming += [getattr(value, name) for name in value.__struct_fields__]
        elif isinstance(value, tuple | Mapping):
            coming += value.values() if isinstance(value, Mapping) else value
    return held
