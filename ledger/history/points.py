"""The two chains that a session's history is made of, each element pointing at the one before it.

The log has every row as it was recorded (`Row`). The timeline has every event that counts, in the order in which it
counts, with the table after it (`Point`). They are the same until something is corrected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ledger.books import Balances, Entry, entries_for, posted, prove
from ledger.history.corrections import Address, Logged
from ledger.play import CardAlreadySeen, Event, PlayerId, RefusedAt, Transfers
from ledger.session import (
    BalancesBrought,
    ChipsMoved,
    CorrectionsMade,
    PlayerErased,
    PlayerRenamed,
    RoundEntered,
    RoundOpened,
    SettlementPaid,
    Table,
    apply,
)

BEGINS_A_ROUND = (RoundOpened, RoundEntered)
BESIDE_A_ROUND = (ChipsMoved, BalancesBrought, SettlementPaid, PlayerRenamed, PlayerErased)
"""What may be reported while a round is open, and does not belong to it."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of the log, and the one before it. `version` is that of the rule book in use when it was recorded.

    `round` is where it belonged then. `newcomers` are the ids that it gave to somebody new, one for each of its parts.
    `left` has the events that no longer stand because of it, and the rounds they were in until then.
    """

    seq: int
    event: Event
    version: int
    round: int | None
    before: Row | None
    newcomers: tuple[PlayerId | None, ...] = (None,)
    left: Mapping[Address, int | None] = field(default_factory=dict)

    @property
    def logged(self) -> tuple[Logged, ...]:
        """What corrections look at: the row, or each part of corrections that were made together."""
        if not isinstance(self.event, CorrectionsMade):
            return (Logged(Address(self.seq), self.event, self.version, self.newcomers[0]),)
        parts = enumerate(zip(self.event.corrections, self.newcomers, strict=True), 1)
        return tuple(Logged(Address(self.seq, part), said, self.version, new) for part, (said, new) in parts)


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A point on the timeline: the table after an event that counts, its entries that stand, the point before it.

    The first point has no event: it is the table as it was opened.
    """

    at: Address
    event: Event | None
    version: int
    round: int | None
    table: Table
    balances: Balances
    entries: tuple[Entry, ...]
    before: Point | None

    @property
    def seq(self) -> int:
        """The number of the row that the event stands in."""
        return self.at.seq


class Stepped(NamedTuple):
    """What an event leads to on the timeline: the table and the balances after it, and the chips it moves."""

    at: Address
    event: Event
    version: int
    round: int | None
    table: Table
    balances: Balances
    transfers: Transfers

    def point(self, entries: tuple[Entry, ...], before: Point) -> Point:
        """Make the point, once its entries are written down."""
        return Point(self.at, self.event, self.version, self.round, self.table, self.balances, entries, before)

    def entries(self, first_id: int, seq: int) -> tuple[Entry, ...]:
        """Write down what moved, because of the row `seq`."""
        part = self.at.part if self.at.seq == seq and self.at.part else None
        return entries_for(self.transfers, first_id=first_id, seq=seq, round_number=self.round, part=part)


def step(tip: Point, logged: Logged) -> Stepped:
    """Fold one event on, and make sure that the books add up.

    Raises Refused; `BooksDoNotBalance` if they do not.
    """
    try:
        applied = apply(tip.table, logged.event, logged.version, logged.newcomer)
    except CardAlreadySeen as refusal:
        raise RefusedAt(refusal, **where_seen(refusal.facts["card"], tip)) from refusal
    balances = posted(tip.balances, applied.transfers) if applied.transfers else tip.balances
    prove(balances, applied.table.pot)
    number = _round_of(tip.table, applied.table, logged.event)
    return Stepped(logged.at, applied.event, logged.version, number, applied.table, balances, applied.transfers)


def points_back(point: Point) -> Iterator[Point]:
    """Go back along the timeline, from a point to the first event that counts."""
    while point.before is not None:
        yield point
        point = point.before


def rows_back(row: Row | None) -> Iterator[Row]:
    """Go back along the log, from a row to the first."""
    while row is not None:
        yield row
        row = row.before


def first_point(point: Point) -> Point:
    """Give the table as it was opened."""
    while point.before is not None:
        point = point.before
    return point


def where_seen(card: object, tip: Point) -> Mapping[str, int]:
    """Find the event of the open round that showed a card; between rounds none did."""
    if (now := tip.table.open_round) is None:
        return {}
    for point in points_back(tip):
        if isinstance(point.event, now.book.events) and card in now.book.shows(point.event):
            part = {"first_seen_part": point.at.part} if point.at.part else {}
            return {"first_seen_seq": point.seq, **part}
        if isinstance(point.event, RoundOpened):
            break
    return {}


def _round_of(before: Table, after: Table, event: Event) -> int | None:
    """Say which round an event belongs to: the one it opens, or the open one if it is an event of a round."""
    if isinstance(event, BEGINS_A_ROUND):
        return after.rounds
    if before.open_round is None or isinstance(event, BESIDE_A_ROUND):
        return None
    return before.open_round.number
