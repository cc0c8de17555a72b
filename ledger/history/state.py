"""A session at one event of its log.

A `SessionState` is a frozen value: recording gives a new one and leaves the old as it was, so a dry run, a refusal or a
failed write needs no undoing, and readers never see half an event. It shares all but what is new with the one before,
and points at it: how it stood at any event is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, takewhile
from sys import getsizeof
from typing import Any, Literal, NamedTuple

from ledger.books import Balances, Entry, outside_play, posted, prove, won_of
from ledger.budget import breathe
from ledger.history.chains import back_to, jump_over
from ledger.history.correcting import Log, correct
from ledger.history.corrections import (
    Address,
    Corrections,
    Logged,
    Standing,
    newest_row_first,
    target,
    target_of_amendment,
)
from ledger.history.points import Point, Row, rows_back, step
from ledger.history.timeline import Chapter, Timeline
from ledger.history.weights import A_PLACE, MOST_OF_THE_PAST, of_a_row, of_a_state
from ledger.play import BANK, POT, Chips, Event, PlayerId, Reason, Refused, RefusedAt, RuleBook
from ledger.records import Record, field, replace
from ledger.session import (
    ChipValue,
    Correction,
    CorrectionsMade,
    EventAmended,
    EventTakenBack,
    Opening,
    PlayerJoined,
    Round,
    Table,
    open_table,
)

NOT_IN_CHIPS: tuple[Reason, ...] = ("settlement_paid", "brought_forward")
"""Reasons of entries for which no chips cross the table, but for those that are brought into the pot."""


class CorrectionStatus(NamedTuple):
    """What became of an event, and the number of the correction that did it."""

    status: Literal["amended", "taken_back"]
    correction: int


class Recorded(Record, eq=False):
    """What recording an event gives: the state after it, the row in the log, and the entries it caused."""

    state: SessionState
    row: Row
    entries: tuple[Entry, ...]


class BankChips(NamedTuple):
    """What the bank gave out in chips, and what came back to it, by the entries that stand."""

    given: Chips = 0
    returned: Chips = 0

    def after(self, entries: Iterable[Entry]) -> BankChips:
        """Give the same after more entries. One that reverses another undoes what that one did."""
        given, returned = self
        for entry in entries:
            accounts = (entry.payer, entry.payee)
            if BANK not in accounts or (entry.reason in NOT_IN_CHIPS and POT not in accounts):
                continue
            if entry.reverses is None:
                given += entry.amount * (entry.payer == BANK)
                returned += entry.amount * (entry.payee == BANK)
            else:
                given -= entry.amount * (entry.payee == BANK)
                returned -= entry.amount * (entry.payer == BANK)
        return BankChips(given, returned)


class SessionState(Record, eq=False):
    """A session at one event of its log: `row` is the last of it, `balances` are what every account holds, in chips.

    `outside` is what of them came outside play. No row after `undo_from` stands, but take-backs. `before` is None where
    the states before it have been let go, and `start` where this is the first. `lasting` is about how many bytes of
    memory it takes without those before it, and `held` with them.
    """

    timeline: Timeline
    balances: Balances
    row: Row | None = None
    last_entry: int = 0
    corrections: Corrections = field(default_factory=Corrections)
    undo_from: int = 0
    bank: BankChips = field(default_factory=BankChips)
    outside: Balances = field(default_factory=dict)
    lasting: int = 0
    held: int = 0
    before: SessionState | None = None
    jump: SessionState | None = None
    start: SessionState | None = None

    def __repr__(self) -> str:
        """Show the row that the state stands at and the balances, without the states before it."""
        return f"SessionState(row={self.row}, balances={self.balances})"

    @classmethod
    def opened(cls, rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> SessionState:
        """Begin at a table where nothing has happened yet. A carried pot is the bank's until it is won."""
        balances = {POT: opening.carried, BANK: -opening.carried} if opening.carried else {}
        return cls.beginning(open_table(rule_books, opening), balances)

    @classmethod
    def beginning(cls, table: Table, balances: Balances) -> SessionState:
        """Begin at a table where it does not matter what has happened."""
        return cls(Timeline((), Chapter(table)), balances)

    @property
    def seq(self) -> int:
        """The number of the last event in the log, 0 before the first."""
        return self.row.seq if self.row else 0

    @property
    def table(self) -> Table:
        """Where the table stands."""
        return self.timeline.table

    @property
    def won(self) -> Balances:
        """What play brought every account, in chips: its balance but for payments, purchases, cash-outs and gifts."""
        return won_of(self.balances, self.outside)

    def _outside_after(self, entries: Iterable[Entry]) -> Balances:
        outside = outside_play(entries)
        return posted(self.outside, outside) if outside else self.outside

    # --- recording --------------------------------------------------------------------------------------------------

    def record(self, event: Event, version: int) -> Recorded:
        """Record an event, or refuse it.

        Raises Refused; `BooksDoNotBalance` if the program has made a mistake.
        """
        return self._corrected(event, version) if isinstance(event, Correction) else self._reported(event, version)

    def _reported(self, event: Event, version: int) -> Recorded:
        before, timeline = self.row, self.timeline
        seq, table = before.seq + 1 if before else 1, timeline.table
        is_new = isinstance(event, PlayerJoined) and event.name is not None
        newcomer = table.next_id if is_new else None
        logged = Logged(Address(seq), event, version, newcomer)
        stepped = step(table, self.balances, logged, timeline.said())
        entries = stepped.entries(self.last_entry + 1, seq) if stepped.transfers else ()
        row = Row(seq, stepped.said.event, version, stepped.round, before, jump_over(before), (newcomer,), roots=(seq,))
        point = Point(stepped.said, seq, stepped.round, stepped.table, entries)
        people = stepped.table.players
        more = of_a_row(row.event, entries) + (getsizeof(people) if people is not table.players else 0)
        outside = self._outside_after(entries)
        of_outside = getsizeof(outside) if outside is not self.outside else 0
        state = SessionState(
            timeline.and_then(point),
            stepped.balances,
            row,
            self.last_entry + len(entries),
            self.corrections,
            seq,
            self.bank.after(entries) if entries else self.bank,
            outside,
            self.lasting + more,
            self.held + more + of_a_state(stepped.balances if entries else None) + of_outside,
            self,
            jump_over(self),
            self.start or self,
        )
        return Recorded(state, row, entries)

    def _corrected(self, event: Correction, version: int) -> Recorded:
        log = Log(self.row, self.corrections, self.undo_from)
        row, corrections, timeline, entries, redone = correct(self.timeline, log, self.last_entry, event, version)
        balances = posted(self.balances, entries) if entries else self.balances
        prove(balances, timeline.table.pot)
        more = of_a_row(row.event, entries)
        outside = self._outside_after(entries)
        of_outside = getsizeof(outside) if outside is not self.outside else 0
        state = SessionState(
            timeline,
            balances,
            row,
            self.last_entry + len(entries),
            corrections,
            _undo_from(self.undo_from, row),
            self.bank.after(entries),
            outside,
            self.lasting + more,
            self.held + more + redone * A_PLACE + of_a_state(balances) + of_outside,
            self,
            jump_over(self),
            self.start or self,
        )
        return Recorded(state, row, entries)

    def record_all(self, reports: Iterable[tuple[Event, int]], first: int = 0) -> Iterator[Recorded]:
        """Record events one after the other, each with the version of the rule book in use, as they are asked for.

        How the session stood before them is let go where that takes too much.
        Raises Refused, with the `index` of the event among them, counted from `first`.
        """
        state = self
        for index, (event, version) in enumerate(reports, first):
            breathe()
            try:
                recorded = state.record(event, version)
            except Refused as refusal:
                raise RefusedAt(refusal, index=index) from refusal
            state = recorded.state.without_much_past()
            yield recorded

    def after(self, reports: Iterable[tuple[Event, int]]) -> SessionState:
        """Give the state after some events, each with the version of the rule book in use. Raises Refused."""
        state = self
        for recorded in self.record_all(reports):
            state = recorded.state
        return state

    # --- looking back -----------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[Row]:
        """Go back along the log, from the last row to the first."""
        return rows_back(self.row)

    def at(self, seq: int) -> SessionState:
        """Give the state as it was when `seq` was the last event of the log.

        If it has been let go, the log is lived through again, from its beginning.
        """
        if seq >= self.seq or (start := self.start) is None:
            return self
        kept = start if seq == 0 else back_to(self, seq)
        if kept is not None:
            return kept
        last = back_to(self.row, seq)
        rows = list(rows_back(last))
        return start.after((row.event, row.version) for row in reversed(rows))

    def without_past(self) -> SessionState:
        """Give the same state, with those before it let go."""
        return replace(self, held=self.lasting, before=None, jump=None)

    def without_much_past(self, most: int = MOST_OF_THE_PAST) -> SessionState:
        """Let those before it go if they take more than so many bytes."""
        return self.without_past() if self.held - self.lasting > most else self

    def points(self) -> Iterator[Point]:
        """Go back along the timeline, from the last event that counts to the first."""
        return self.timeline.points()

    def rounds(self, after: int = 0, limit: int | None = None) -> list[Round]:
        """Give the rounds after a number, each as it stands, or as it ended, in order."""
        return list(islice(self.timeline.rounds(after), limit))

    def round(self, number: int) -> Round | None:
        """Give a round as it stands, or as it ended; None if there is none with this number."""
        return self.timeline.round(number)

    def ended_since(self, seq: int) -> list[Round]:
        """Give the rounds that events from `seq` on have ended, in order."""
        ended: list[Round] = []
        for point in takewhile(lambda point: point.seq >= seq, self.points()):
            done = point.table.round
            if done is not None and not done.is_open and done.number == point.round:
                ended.append(done)
        ended.reverse()
        return ended

    def statuses(self, seq: int, standing: Standing | None = None) -> Mapping[Address, CorrectionStatus]:
        """Say of a row, and of each of its parts, if it was corrected, what became of it and by which correction.

        Who asks about many rows brings what stands after the corrections of this state: it is then found out once.
        """
        standing = standing or Standing(self.corrections)
        found: dict[Address, CorrectionStatus] = {}
        for said in sorted(standing.amended(seq), key=newest_row_first):
            if (about := target_of_amendment(said)) is not None:
                found.setdefault(about, CorrectionStatus("amended", said.at.seq))
        return found | {at: CorrectionStatus("taken_back", by) for at, by in standing.gone(seq).items()}

    def round_of(self, seq: int) -> int | None:
        """Say to which round the event of a row belongs if it counts, or was in when it last did.

        Corrections of others belong to none, and so does what has not been recorded.
        """
        row = back_to(self.row, seq)
        if row is None or row.seq != seq or isinstance(row.event, EventTakenBack | EventAmended | CorrectionsMade):
            return None
        return self.timeline.place(Address(seq), row.roots[0]).round


def _undo_from(before: int, row: Row) -> int:
    """Say from where on nothing but take-backs stands after a correction. What it restores was before what it undid."""
    if not isinstance(row.event, EventTakenBack):
        return row.seq
    about = target(row.event)
    there = back_to(row, about.seq)
    if there is not None and isinstance(there.event, EventTakenBack):
        return max(before, about.seq)
    return before - 1 if about == Address(before) else before


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
