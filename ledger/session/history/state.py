"""A session at one event of its log.

A `SessionState` is a frozen value: recording gives a new one and leaves the old as it was, so a dry run, a refusal or a
failed write needs no undoing, and readers never see half an event. It shares all but what is new with the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice, repeat, takewhile
from typing import Any, Literal, NamedTuple

from ledger.books import Balances, Books, Entry, entries_for, prove, won_of
from ledger.history.correcting import as_written, last_that_stands, parts_of, refuse
from ledger.history.effective import amended, effective, parts_in, taken_back
from ledger.history.folding import refold, step
from ledger.history.growing import Growing
from ledger.history.rows import Address, Logged, Row, Slot, Step
from ledger.play.events import Event
from ledger.play.refusals import Refused, RefusedAt
from ledger.play.rule_book import RuleBook
from ledger.play.values import BANK, POT, PlayerId
from ledger.records import Record, replace
from ledger.session.corrections import Correction, EventTakenBack
from ledger.session.events import ChipValue, brings_in
from ledger.session.refusals import SessionIsClosed
from ledger.session.rules import need_choice
from ledger.session.table import Opening, Round, Table, ids_from, open_table


class CorrectionStatus(NamedTuple):
    """What became of an event, and the number of the correction that did it."""

    status: Literal["amended", "taken_back"]
    correction: int


class Recorded(NamedTuple):
    """What recording an event gives: the state after it, the row in the log, its round, the entries it caused."""

    state: SessionState
    row: Row
    round: int | None
    entries: Sequence[Entry]


class SessionState(Record, eq=False):
    """A session at one event of its log: what was recorded, and what counts, each with the table after it.

    `begun` is the table before the first event, and `brought` the books then; `table` and `books` are where they stand.
    """

    begun: Table
    brought: Books
    rows: Growing[Row]
    slots: Growing[Slot]
    table: Table
    books: Books

    def __repr__(self) -> str:
        """Show how far the log goes and the balances, without all that was recorded."""
        return f"SessionState(seq={self.seq}, balances={self.balances})"

    @classmethod
    def opened(cls, rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> SessionState:
        """Begin at a table where nothing has happened yet. A carried pot is the bank's until it is won."""
        balances = {POT: opening.carried, BANK: -opening.carried} if opening.carried else {}
        return cls._standing(open_table(rule_books, opening), Books(balances), Growing(), Growing())

    @classmethod
    def _standing(cls, begun: Table, brought: Books, rows: Growing[Row], slots: Growing[Slot]) -> SessionState:
        table, books = slots[-1].table if slots else begun, rows[-1].books if rows else brought
        return cls(begun, brought, rows, slots, table, books)

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before the first."""
        return len(self.rows)

    @property
    def balances(self) -> Balances:
        """What every account holds, in chips."""
        return self.books.balances

    @property
    def won(self) -> Balances:
        """What play brought every account, in chips: its balance but for payments, purchases, cash-outs and gifts."""
        return won_of(self.books.balances, self.books.outside)

    # --- recording --------------------------------------------------------------------------------------------------

    def record(self, event: Event, version: int) -> Recorded:
        """Record an event, or refuse it.

        Raises Refused; `BooksDoNotBalance` if the program has made a mistake.
        """
        return self._corrected(event, version) if isinstance(event, Correction) else self._reported(event, version)

    def _reported(self, event: Event, version: int) -> Recorded:
        seq, table, books = self.seq + 1, self.table, self.books
        need_choice(table, event)
        newcomers = ids_from(table.next_number, brings_in(event))
        done = step(table, books.balances, Logged(seq, event, version, newcomers), self.slots)
        entries = entries_for(done.transfers, books.last_entry + 1, seq, done.round)
        row = Row(seq, done.event, version, newcomers, books=books.after(entries, done.balances))
        slot = Slot(row, done.table, done.round, entries)
        rows, slots = self.rows.and_then(row), self.slots.and_then(slot)
        state = SessionState(self.begun, self.brought, rows, slots, slot.table, row.books)
        return Recorded(state, row, done.round, entries)

    def _corrected(self, event: Correction, version: int) -> Recorded:
        seq, books = self.seq + 1, self.books
        if isinstance(event, EventTakenBack) and event.seq is None:
            event = replace(event, seq=last_that_stands(self.rows))
        parts = parts_of(event, version, self.rows, self.table.next_number)
        row = Row(seq, event, version, parts[0].newcomers, books=books, parts=parts)
        folded = refold(self.begun, self.slots, effective([*self.rows, row]))
        is_closed = self.table.status == "closed"
        if folded.conflicts and not is_closed:
            refuse(event, parts, folded.conflicts)
        slots, entries = folded.booked(seq, count(books.last_entry + 1))
        began_open = folded.begins is not None and folded.begins.status == "open"
        if is_closed and (folded.conflicts or (began_open and slots[-1].table.status == "closed")):
            raise SessionIsClosed(event.type)  # only what came after closing can be corrected
        event, parts = as_written(event, parts, folded)
        row = replace(row, event=event, books=books.after(entries), parts=parts)
        state = self._standing(self.begun, self.brought, self.rows.and_then(row), Growing(slots))
        prove(state.balances, state.table.pot)
        of_round = next((slot.round for slot in slots if slot.seq == seq and not slot.logged.part), None)
        return Recorded(state, row, of_round, entries)

    def record_all(self, reports: Iterable[tuple[Event, int]], first: int = 0) -> Iterator[Recorded]:
        """Record events one after the other, each with the version of the rule book in use, as they are asked for.

        Raises Refused, with the `index` of the event among them, counted from `first`.
        """
        state = self
        for index, (event, version) in enumerate(reports, first):
            try:
                recorded = state.record(event, version)
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

    def at(self, seq: int) -> SessionState:
        """Give the state as it was when `seq` was the last event of the log.

        Entries have the ids that they have today, those that do not stand today 0.
        """
        if seq >= self.seq:
            return self
        rows = self.rows.upto(seq)
        if not any(row.parts for row in self.rows[seq:]):
            return self._standing(self.begun, self.brought, rows, self.slots.upto(len(self.slots) - (self.seq - seq)))
        folded = refold(self.begun, self.slots, effective(rows))
        if folded.conflicts:
            raise folded.conflicts[0].refusal
        return self._standing(self.begun, self.brought, rows, Growing(folded.booked(seq, repeat(0))[0]))

    def steps(self, number: int | None = None) -> Iterator[Step]:
        """Go through what counts, oldest first: all of it, or the events of a round."""
        before, books = self.begun, self.brought
        for slot in self.slots:
            books = books.after(slot.entries)
            if slot.counts and number in (None, slot.round):
                yield Step(slot, before, books)
            before = slot.table

    def rounds(self, after: int = 0, limit: int | None = None) -> list[Round]:
        """Give the rounds after a number, each as it stands, or as it ended, in order."""
        rounds = {done.number: done for slot in self.slots if (done := slot.table.round)}
        return list(islice((done for number, done in rounds.items() if number > after), limit))

    def round(self, number: int) -> Round | None:
        """Give a round as it stands, or as it ended; None if there is none with this number."""
        return next((done for done in self.rounds(number - 1, 1) if done.number == number), None)

    def ended_since(self, seq: int) -> list[Round]:
        """Give the rounds that events from `seq` on have ended, in order."""
        last = list(takewhile(lambda slot: slot.seq >= seq, (slot for slot in reversed(self.slots) if slot.counts)))
        rounds = {slot.round: slot.table.round for slot in reversed(last) if slot.round is not None}
        return [done for done in rounds.values() if done and not done.is_open]

    def statuses(self) -> Mapping[Address, CorrectionStatus]:
        """Say of all events, and parts, that were corrected what became of them and by which correction."""
        parts = parts_in(self.rows)
        gone = taken_back(parts)
        changed = {at: CorrectionStatus("amended", part.seq) for at, part in amended(parts, gone).items()}
        return changed | {at: CorrectionStatus("taken_back", by) for at, by in gone.items()}

    def rounds_of_events(self) -> Mapping[int, int | None]:
        """Say to which round the event of each row belongs if it counts, or was in when it last did.

        Corrections of others belong to none.
        """
        return {slot.logged.seq: slot.round for slot in self.slots if not slot.logged.part}


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
