"""A session at one event of its log.

A `SessionState` is a frozen value: recording gives a new one, so a dry run, a refusal or a failed write needs no
undoing, and readers never see half an event. The new state shares everything else with the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby, islice, repeat
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeVar, overload

from ledger.accounting.books import Balances, Books, Entry, entries_for, prove
from ledger.records import Record, replace
from ledger.rulebook.event import Event
from ledger.rulebook.refusal import Refused, RefusedAt
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import BANK, POT, PlayerId
from ledger.session.corrections import Correction, EventTakenBack
from ledger.session.events import ChipValue
from ledger.session.history.correcting import as_written, last_that_stands, parts_of, refuse
from ledger.session.history.effective import Address, Logged, Row, amended, effective, parts_in, taken_back
from ledger.session.history.folding import Slot, Step, refold, step
from ledger.session.refusals import SessionIsClosed
from ledger.session.rules import brings_in, need_choice
from ledger.session.table import Opening, Round, Table, ids_from, open_table

T = TypeVar("T")

_appending = Lock()


class SharedList(Sequence[T]):
    """A frozen prefix of a list that several values share; only the longest appends in place, others copy first.

    Copying both lists of a state for each event would double the time to fold a session of 10,000.
    """

    def __init__(self, items: list[T], length: int | None = None) -> None:
        self._items = items
        self.length = len(items) if length is None else length

    def plus(self, item: T) -> SharedList[T]:
        with _appending:
            items = self._items if len(self._items) == self.length else self._items[: self.length]
            items.append(item)
        return SharedList(items, self.length + 1)

    def prefix(self, length: int) -> SharedList[T]:
        return SharedList(self._items, length)

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        places = range(self.length)[index]
        return self._items[places] if isinstance(places, int) else self._items[places.start : places.stop]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self.length)


class CorrectionStatus(NamedTuple):
    """The status of a corrected event, and the number of the correction."""

    status: Literal["amended", "taken_back"]
    correction: int


class Recorded(NamedTuple):
    """The state after an event, its row in the log, its round (a correction has none), and its entries."""

    state: SessionState
    row: Row
    round: int | None
    entries: Sequence[Entry]


class SessionState(Record, eq=False):
    """A session at one event of its log: its rows, and the slots of what counts.

    `begun` and `brought` are table and books before the first event, `table` and `books` those now.
    """

    begun: Table
    brought: Books
    rows: SharedList[Row]
    slots: SharedList[Slot]
    table: Table
    books: Books

    @classmethod
    def opened(cls, rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> SessionState:
        """Give the state before the first event. A carried pot is the bank's until it is won."""
        balances = {POT: opening.carried, BANK: -opening.carried} if opening.carried else {}
        begun, brought = open_table(rule_books, opening), Books(balances)
        return cls(begun, brought, SharedList([]), SharedList([]), begun, brought)

    def _with(self, rows: SharedList[Row], slots: SharedList[Slot]) -> SessionState:
        table, books = slots[-1].table if slots else self.begun, rows[-1].books if rows else self.brought
        return SessionState(self.begun, self.brought, rows, slots, table, books)

    @property
    def seq(self) -> int:
        """The number of the last event; 0 before the first."""
        return self.rows.length

    @property
    def balances(self) -> Balances:
        return self.books.balances

    @property
    def won(self) -> Balances:
        return self.books.won

    # --- recording --------------------------------------------------------------------------------------------------

    def record(self, event: Event, version: int) -> Recorded:
        """Record an event. Raises Refused; BooksDoNotBalance for a fault of the program."""
        return self._corrected(event, version) if isinstance(event, Correction) else self._reported(event, version)

    def _reported(self, event: Event, version: int) -> Recorded:
        seq, table, books = self.rows.length + 1, self.table, self.books
        need_choice(table, event)
        people = brings_in(event)
        newcomers = ids_from(table.next_number, people) if people else ()
        slot, transfers = step(table, Logged(seq, event, version, newcomers), self.slots)
        entries = entries_for(transfers, books.last_entry + 1, seq, slot.round)
        books = books.after(entries)
        prove(books.balances, slot.table.pot)
        row = Row(seq, slot.event, version, newcomers, books=books)
        rows, slots = self.rows.plus(row), self.slots.plus(replace(slot, entries=entries) if entries else slot)
        state = SessionState(self.begun, self.brought, rows, slots, slot.table, books)
        return Recorded(state, row, slot.round, entries)

    def _corrected(self, event: Correction, version: int) -> Recorded:
        """Record a correction: fold what counts with it, from the first difference on, and book what comes out else."""
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
        if is_closed and (folded.conflicts or (folded.begins.status == "open" and slots[-1].table.status == "closed")):
            raise SessionIsClosed(event.type)  # only what came after closing can be corrected
        event, parts = as_written(event, parts, folded)
        row = replace(row, event=event, books=books.after(entries), parts=parts)
        state = self._with(self.rows.plus(row), SharedList(slots))
        prove(state.balances, state.table.pot)
        return Recorded(state, row, None, entries)

    def record_all(self, reports: Iterable[tuple[Event, int]], first: int = 0) -> Iterator[Recorded]:
        """Record events, each with the version of the rule book in use, one whenever the next result is asked for.

        Raises Refused with the `index` of the event, counted from `first`.
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
        """Record events, each with the version of the rule book in use, and give the state. Raises Refused."""
        state = self
        for recorded in self.record_all(reports):
            state = recorded.state
        return state

    # --- looking back -----------------------------------------------------------------------------------------------

    def at(self, seq: int) -> SessionState:
        """Give the state at an earlier event. Entries that stand today have their ids of today, others 0."""
        if seq >= self.seq:
            return self
        rows = self.rows.prefix(seq)
        if not any(row.parts for row in self.rows[seq:]):
            return self._with(rows, self.slots.prefix(len(self.slots) - (self.seq - seq)))
        folded = refold(self.begun, self.slots, effective(rows))
        if folded.conflicts:
            raise folded.conflicts[0].refusal
        return self._with(rows, SharedList(folded.booked(seq, repeat(0))[0]))

    def steps(self, number: int | None = None) -> Iterator[Step]:
        """Iterate over the events that count, or those of a round."""
        before, books = self.begun, self.brought
        for slot in self.slots:
            books = books.after(slot.entries)
            if slot.counts and number in (None, slot.round):
                yield Step(slot, before, books)
            before = slot.table

    def played(self) -> Iterator[tuple[Round, Sequence[Step]]]:
        of_rounds = (step for step in self.steps() if step.slot.round is not None)
        for _, group in groupby(of_rounds, key=lambda step: step.slot.round):
            steps = list(group)
            if now := steps[-1].after.round:
                yield now, steps

    def rounds(self, after: int = 0, limit: int | None = None) -> list[Round]:
        """Give the rounds after a number, in order."""
        rounds = {done.number: done for slot in self.slots if (done := slot.table.round)}
        return list(islice((done for number, done in rounds.items() if number > after), limit))

    def round(self, number: int) -> Round | None:
        return next((done for done in self.rounds(number - 1, 1) if done.number == number), None)

    def ended_since(self, seq: int) -> list[Round]:
        """Give the rounds that events from `seq` on have ended."""
        rounds = dict[int, Round]()
        for place in range(self.slots.length - 1, -1, -1):
            slot = self.slots[place]
            if slot.counts and slot.seq < seq:
                break
            if slot.counts and slot.round and slot.table.round:
                rounds.setdefault(slot.round, slot.table.round)
        return [done for done in reversed(rounds.values()) if not done.is_open]

    def statuses(self) -> Mapping[Address, CorrectionStatus]:
        """Give the status of every event, and part, that was corrected."""
        parts = parts_in(self.rows)
        gone = taken_back(parts)
        changed = {at: CorrectionStatus("amended", part.seq) for at, part in amended(parts, gone).items()}
        return changed | {at: CorrectionStatus("taken_back", by) for at, by in gone.items()}

    def rounds_of_events(self) -> Mapping[int, int | None]:
        """Give the round of each row, or the last one of an event that does not count; corrections have none."""
        return {slot.seq: slot.round for slot in self.slots if not slot.part}


class Session(Record, eq=False):
    """A session: its opening, and its state."""

    id: str
    opening: Opening
    created_at: str
    state: SessionState

    @property
    def name(self) -> str | None:
        return self.state.table.name

    @property
    def chip_value(self) -> ChipValue | None:
        return self.state.table.chip_value

    @property
    def names(self) -> Mapping[PlayerId, str]:
        """The names of all players, also of those who left."""
        return {player.id: player.name for player in self.state.table.players}
