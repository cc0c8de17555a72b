"""A session at one event of its log.

A `SessionState` is a frozen value: recording gives a new one and leaves the old as it was, so a dry run, a refusal or a
failed write needs no undoing, and readers never see half an event. It shares all but what is new with the one before.
How the session stood at an earlier event is played again from the nearest table that is kept (`timeline`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any, Literal, NamedTuple

from ledger.books import Balances, Books, Entry, prove, won_of
from ledger.budget import breathe
from ledger.history.correcting import correct, earlier
from ledger.history.log import Block, Log
from ledger.history.replay import Replay, step
from ledger.history.rows import Address, CorrectionRow, Logged
from ledger.history.timeline import Timeline
from ledger.play import BANK, POT, Event, PlayerId, Refused, RefusedAt, RuleBook
from ledger.records import Record, replace
from ledger.session import (
    ChipValue,
    Correction,
    EventInserted,
    Opening,
    Round,
    Table,
    brings_in,
    ids_from,
    need_choice,
    open_table,
)

A_SEGMENT = 2_000
"""About how many bytes a segment of the timeline takes with the table that it begins with."""


class CorrectionStatus(NamedTuple):
    """What became of an event, and the number of the correction that did it."""

    status: Literal["amended", "taken_back"]
    correction: int


class Recorded(Record, eq=False):
    """What recording an event gives: the state after it, the row in the log, and the entries it caused.

    `replay` is how a correction was worked out.
    """

    state: SessionState
    row: Logged
    entries: tuple[Entry, ...]
    replay: Replay | None = None


class SessionState(Record, eq=False):
    """A session at one event of its log: what counts, what was recorded, and what every account holds, in chips.

    `seq` is the number of that event, 0 before the first.
    """

    timeline: Timeline
    log: Log
    books: Books
    seq: int = 0

    def __repr__(self) -> str:
        """Show how far the log goes and the balances, without all that was recorded."""
        return f"SessionState(seq={self.seq}, balances={self.balances})"

    @classmethod
    def opened(cls, rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> SessionState:
        """Begin at a table where nothing has happened yet. A carried pot is the bank's until it is won."""
        balances = {POT: opening.carried, BANK: -opening.carried} if opening.carried else {}
        return cls.beginning(open_table(rule_books, opening), balances)

    @classmethod
    def beginning(cls, table: Table, balances: Balances) -> SessionState:
        """Begin at a table where it does not matter what has happened."""
        books = Books(balances)
        return cls(Timeline.beginning(table), Log((), Block(books)), books)

    @property
    def table(self) -> Table:
        """Where the table stands."""
        return self.timeline.table

    @property
    def last_entry(self) -> int:
        """The id of the last entry in the books, 0 before the first."""
        return self.books.last_entry

    @property
    def balances(self) -> Balances:
        """What every account holds, in chips."""
        return self.books.balances

    @property
    def won(self) -> Balances:
        """What play brought every account, in chips: its balance but for payments, purchases, cash-outs and gifts."""
        return won_of(self.books.balances, self.books.outside)

    @property
    def held(self) -> int:
        """About how many bytes of memory the session takes, besides what one without events does."""
        return self.log.held + A_SEGMENT * len(self.timeline.closed)

    # --- recording --------------------------------------------------------------------------------------------------

    def record(self, event: Event, version: int, ahead: Replay | None = None) -> Recorded:
        """Record an event, or refuse it; `ahead` is how a correction was worked out before others were recorded.

        Raises Refused; `BooksDoNotBalance` if the program has made a mistake.
        """
        if isinstance(event, Correction):
            return self._corrected(event, version, ahead)
        return self._reported(event, version)

    def _reported(self, event: Event, version: int) -> Recorded:
        books, timeline, seq = self.books, self.timeline, self.seq + 1
        need_choice(timeline.table, event)
        newcomers = ids_from(timeline.table.next_number, brings_in(event))
        logged = Logged(seq, event, version, newcomers, seq)
        stepped = step(timeline.table, books.balances, logged, timeline.newest_first)
        entries = stepped.entries(books.last_entry + 1, seq) if stepped.transfers else ()
        row = replace(stepped.logged, round=stepped.round, entries=entries)
        timeline, log = timeline.and_then(row, stepped.table), self.log.and_then(row, books)
        return Recorded(SessionState(timeline, log, books.after(entries, stepped.balances), seq), row, entries)

    def _corrected(self, event: Correction, version: int, ahead: Replay | None) -> Recorded:
        event, parts, replay = correct(self.timeline, self.log, event, version, ahead)
        seq = self.seq + 1
        timeline, entries = replay.booked(seq, count(self.books.last_entry + 1))
        books = self.books.after(entries)
        prove(books.balances, timeline.table.pot)
        only = parts[0]
        row = CorrectionRow(seq, event, version, only.newcomers, only.anchor, parts=parts, books=books)
        return Recorded(SessionState(timeline, self.log.and_then(row, self.books), books, seq), row, entries, replay)

    def record_all(
        self, reports: Iterable[tuple[Event, int]], first: int = 0, ahead: Sequence[Recorded] = ()
    ) -> Iterator[Recorded]:
        """Record events one after the other, each with the version of the rule book in use, as they are asked for.

        `ahead` is what the same came to before others were recorded. Raises Refused, with the `index` of the event
        among them, counted from `first`.
        """
        state, before = self, iter(ahead)
        for index, (event, version) in enumerate(reports, first):
            breathe()
            known = next(before, None)
            try:
                recorded = state.record(event, version, known.replay if known else None)
            except Refused as refusal:
                raise RefusedAt(refusal, index=index) from refusal
            state = recorded.state
            yield recorded

    def after(self, reports: Iterable[tuple[Event, int]]) -> SessionState:
        """Give the state after some events, each with the version of the rule book in use. Raises Refused."""
        state = self
        for recorded in self.record_all(reports):
            state = recorded.state
        return state

    # --- looking back -----------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[Logged]:
        """Go back along the log, from the last row to the first."""
        return self.log.newest_first()

    def at(self, seq: int) -> SessionState:
        """Give the state as it was when `seq` was the last event of the log."""
        if seq >= self.seq:
            return self
        log = self.log.upto(seq)
        return SessionState(earlier(self.timeline, self.log, log), log, log.books(), seq)

    def rounds(self, after: int = 0, limit: int | None = None) -> list[Round]:
        """Give the rounds after a number, each as it stands, or as it ended, in order."""
        return list(islice(self.timeline.rounds(after), limit))

    def round(self, number: int) -> Round | None:
        """Give a round as it stands, or as it ended; None if there is none with this number."""
        return self.timeline.round(number)

    def ended_since(self, seq: int) -> list[Round]:
        """Give the rounds that events from `seq` on have ended, in order."""
        rounds = [self.timeline.round(number) for number in sorted(self.timeline.rounds_since(seq))]
        return [done for done in rounds if done and not done.is_open]

    def statuses(self, seq: int) -> Mapping[Address, CorrectionStatus]:
        """Say of a row, and of each of its parts, if it was corrected, what became of it and by which correction."""
        corrections = self.log.corrections
        amended = {at: CorrectionStatus("amended", by.seq) for at, by in corrections.amended(seq).items()}
        taken_back = {at: CorrectionStatus("taken_back", by) for at, by in corrections.taken_back(seq).items()}
        return amended | taken_back

    def round_of(self, seq: int) -> int | None:
        """Say to which round the event of a row belongs if it counts, or was in when it last did.

        Corrections of others belong to none, and so does what has not been recorded.
        """
        if not 1 <= seq <= self.seq:
            return None
        row = self.log.row(seq)
        if isinstance(row, CorrectionRow) and not isinstance(row.event, EventInserted):
            return None
        return self.timeline.slot(Address(seq), row.anchor).round


class Session(Record, eq=False):
    """A session as somebody looks at it: what it was opened with, and where it stands."""

    id: str
    opening: Opening
    created_at: str
    state: SessionState

    @property
    def name(self) -> str | None:
        """What the session is called."""
        return self.state.table.name

    @property
    def chip_value(self) -> ChipValue | None:
        """What a chip is worth here, if anybody has said so."""
        return self.state.table.chip_value

    @property
    def names(self) -> Mapping[PlayerId, str]:
        """What everyone who ever sat here is called."""
        return {player.id: player.name for player in self.state.table.players}
