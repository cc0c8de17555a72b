"""A session at one event of its log.

A `SessionState` is a frozen value: recording gives a new one and leaves the old as it was, so a dry run, a refusal or a
failed write needs no undoing, and readers never see half an event. It shares everything with the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from ledger.books import Balances, Entry
from ledger.history.correcting import correct
from ledger.history.corrections import Address, Logged, amended, undone
from ledger.history.points import Point, Row, first_point, points_back, rows_back, step
from ledger.play import BANK, POT, Event, PlayerId, Refused, RefusedAt, RuleBook
from ledger.session import Correction, Opening, PlayerJoined, Round, Table, open_table


class CorrectionStatus(NamedTuple):
    """What became of an event, and the number of the correction that did it."""

    status: Literal["amended", "taken_back"]
    correction: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording an event gives: the state after it, the row in the log, and the entries it caused."""

    state: SessionState
    row: Row
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SessionState:
    """A session at one event of its log: `row` is the last of the log, `tip` the last that counts."""

    tip: Point
    row: Row | None = None
    last_entry: int = 0

    @classmethod
    def opened(cls, rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> SessionState:
        """Begin at a table where nothing has happened yet. A carried pot is the bank's until it is won."""
        balances = {POT: opening.carried, BANK: -opening.carried} if opening.carried else {}
        table = open_table(rule_books, opening)
        return cls(Point(Address(0), None, 0, None, table, balances, (), None))

    @property
    def seq(self) -> int:
        """The number of the last event in the log, 0 before the first."""
        return self.row.seq if self.row else 0

    @property
    def table(self) -> Table:
        """Where the table stands."""
        return self.tip.table

    @property
    def balances(self) -> Balances:
        """What every account holds, in chips."""
        return self.tip.balances

    # --- recording --------------------------------------------------------------------------------------------------

    def record(self, event: Event, version: int) -> Recorded:
        """Record an event, or refuse it.

        Raises Refused; `BooksDoNotBalance` if the program has made a mistake.
        """
        if isinstance(event, Correction):
            tip, row, entries = correct(self.tip, self.row, self.last_entry, event, version)
        else:
            seq = self.seq + 1
            is_new = isinstance(event, PlayerJoined) and event.name is not None
            newcomer = self.table.next_id if is_new else None
            stepped = step(self.tip, Logged(Address(seq), event, version, newcomer))
            entries = stepped.entries(self.last_entry + 1, seq)
            row = Row(seq, stepped.event, version, stepped.round, self.row, (newcomer,))
            tip = stepped.point(entries, self.tip)
        return Recorded(SessionState(tip, row, self.last_entry + len(entries)), row, entries)

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

    def points(self) -> Iterator[Point]:
        """Go back along the timeline, from the last event that counts to the first."""
        return points_back(self.tip)

    def rows(self) -> Iterator[Row]:
        """Go back along the log, from the last row to the first."""
        return rows_back(self.row)

    def at(self, seq: int) -> SessionState:
        """Give the state as it was when `seq` was the last event of the log."""
        rows = [row for row in self.rows() if row.seq <= seq]
        return SessionState(first_point(self.tip)).after((row.event, row.version) for row in reversed(rows))

    def rounds(self) -> list[Round]:
        """Every round as it stands, or as it ended, in order."""
        found: dict[int, Round] = {}
        for point in self.points():
            if point.table.round:
                found.setdefault(point.table.round.number, point.table.round)
        return [found[number] for number in sorted(found)]

    def ended_since(self, seq: int) -> list[Round]:
        """Give the rounds that events from `seq` on have ended, in order."""
        ended: list[Round] = []
        for point in takewhile(lambda point: point.seq >= seq, self.points()):
            done = point.table.round
            if done is not None and not done.is_open and done.number == point.round:
                ended.append(done)
        ended.reverse()
        return ended

    def correction_statuses(self) -> Mapping[Address, CorrectionStatus]:
        """Say of every event that was corrected what became of it, and by which correction."""
        log = [logged for row in self.rows() for logged in row.logged]
        gone = undone(log)
        changed = {at: CorrectionStatus("amended", row.at.seq) for at, row in amended(log, gone).items()}
        return changed | {at: CorrectionStatus("taken_back", by) for at, by in gone.items()}

    def rounds_of_events(self) -> Mapping[Address, int | None]:
        """Say to which round every event belongs that counts, or was in when it last did."""
        found = {point.at: point.round for point in self.points()}
        for row in self.rows():
            for at, number in row.left.items():
                found.setdefault(at, number)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A session as somebody looks at it: what it was opened with, and where it stands."""

    id: str
    opening: Opening
    created_at: str
    state: SessionState

    @property
    def names(self) -> Mapping[PlayerId, str]:
        """What everyone who ever sat here is called."""
        return {player.id: player.name for player in self.state.table.players}
