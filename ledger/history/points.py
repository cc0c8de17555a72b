"""The two orders that a session's history has: that of the log, and that in which events count.

The log has every row as it was recorded (`Row`), each pointing at the one before it. The timeline has a place for every
event that was ever put on it: a `Point` where it counts, with the table after it, and `TakenBack` where it does not.
The two are the same until something is corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.books import Balances, Entry, entries_for, posted, prove
from ledger.history.chains import back_to
from ledger.history.corrections import BEFORE_ALL, Address, Logged
from ledger.play import BANK, POT, CardAlreadySeen, CardExposed, CardSetAside, Event, PlayerId, RefusedAt, Transfers
from ledger.records import Record
from ledger.session import (
    BalancesBrought,
    ChipsMoved,
    CorrectionsMade,
    OddsSwitched,
    PlayerErased,
    PlayerRenamed,
    RoundEntered,
    RoundOpened,
    SessionDescribed,
    SettlementPaid,
    Table,
    apply,
)

BEGINS_A_ROUND = (RoundOpened, RoundEntered)
BESIDE_A_ROUND = (
    ChipsMoved,
    BalancesBrought,
    SettlementPaid,
    PlayerRenamed,
    SessionDescribed,
    OddsSwitched,
    PlayerErased,
)
"""What may be reported while a round is open, and does not belong to it."""


class Row(Record, eq=False):
    """A row of the log, and the one before it. `version` is that of the rule book in use when it was recorded.

    `round` is where it belonged then. Each of its parts has a newcomer, the id that it gave to somebody new, and a
    root: itself if it was reported in its turn, or the one that was after which it is inserted at last.
    """

    seq: int
    event: Event
    version: int
    round: int | None
    before: Row | None
    jump: Row | None
    newcomers: tuple[PlayerId | None, ...]
    roots: tuple[int, ...]

    def __repr__(self) -> str:
        """Show the row without those before it, which may be thousands."""
        return f"Row(seq={self.seq}, event={self.event}, version={self.version}, round={self.round})"

    @property
    def logged(self) -> tuple[Logged, ...]:
        """What corrections look at: the row, or each part of corrections that were made together."""
        if not isinstance(self.event, CorrectionsMade):
            return (Logged(Address(self.seq), self.event, self.version, self.newcomers[0]),)
        parts = enumerate(zip(self.event.corrections, self.newcomers, strict=True), 1)
        return tuple(Logged(Address(self.seq, part), said, self.version, new) for part, (said, new) in parts)

    def part(self, at: Address) -> Logged:
        """Give the part at an address of this row."""
        return self.logged[max(at.part - 1, 0)]

    def root(self, at: Address) -> int:
        """Give the root of the part at an address of this row."""
        return self.roots[max(at.part - 1, 0)]


class Point(Record, eq=False):
    """An event that counts, the table after it, and its entries that stand. `root` is as a row has it.

    What everybody holds is not known here: chips that moved earlier may be corrected, and the point stays as it is.
    """

    said: Logged
    root: int
    round: int | None
    table: Table
    entries: tuple[Entry, ...]

    @property
    def at(self) -> Address:
        """Where the event stands in the log."""
        return self.said.at

    @property
    def seq(self) -> int:
        """The number of the row that the event stands in."""
        return self.said.at.seq

    @property
    def event(self) -> Event:
        """What counts: what was reported, or should have been."""
        return self.said.event


class TakenBack(Record, eq=False):
    """The place of an event that was taken back and may be restored; `round` is where it was when it last counted."""

    at: Address
    root: int
    round: int | None
    table: Table
    said: None = None
    entries: tuple[()] = ()


Place = Point | TakenBack


class Stepped(Record, eq=False):
    """What an event leads to on the timeline: the table and the balances after it, and the chips it moves."""

    said: Logged
    round: int | None
    table: Table
    balances: Balances
    transfers: Transfers

    def entries(self, first_id: int, seq: int) -> tuple[Entry, ...]:
        """Write down what moved, because of the row `seq`."""
        at = self.said.at
        part = at.part if at.seq == seq and at.part else None
        return entries_for(self.transfers, first_id=first_id, seq=seq, round_number=self.round, part=part)


def step(table: Table, balances: Balances, logged: Logged, earlier: Iterable[Logged] = ()) -> Stepped:
    """Fold one event on, and make sure that the books add up.

    What it leads to hangs on the table alone; `earlier` is what counts before it, newest first, and only says where a
    card was seen. Raises Refused; `BooksDoNotBalance` if the books do not add up.
    """
    try:
        applied = apply(table, logged.event, logged.version, logged.newcomer)
    except (CardAlreadySeen, CardSetAside) as refusal:
        raise RefusedAt(refusal, **where_seen(refusal.facts["card"], table, earlier)) from refusal
    if applied.transfers:
        balances = posted(balances, applied.transfers)
    prove(balances, applied.table.pot)
    number = _round_of(table, applied.table, logged.event)
    if applied.event is not logged.event:
        logged = logged._replace(event=applied.event)
    return Stepped(logged, number, applied.table, balances, applied.transfers)


def only_the_pot(table: Table) -> Balances:
    """Give balances that a table can be played on from when nobody asks who holds what: the bank has paid the pot.

    That chips only move, and that the pot in the books is the one on the table, is proved with these as with others.
    """
    return {POT: table.pot, BANK: -table.pot} if table.pot else {}


def rows_back(row: Row | None) -> Iterator[Row]:
    """Go back along the log, from a row to the first."""
    while row is not None:
        yield row
        row = row.before


def root_of(at: Address, last: Row | None) -> int:
    """Say after which event, reported in its turn, the one at an address stands; itself, if it was. 0 is before all."""
    row = None if at == BEFORE_ALL else back_to(last, at.seq)
    return row.root(at) if row else 0


def where_seen(card: object, table: Table, earlier: Iterable[Logged]) -> Mapping[str, int]:
    """Find the event of the open round that showed a card, or of a draw for seats that goes on."""
    now = table.open_round
    if now is None and table.seating.drawing is None:
        return {}
    for said in earlier:
        book = now.book if now else table.rule_books[said.version]
        shows = book.shows(said.event) if isinstance(said.event, book.events if now else book.between) else ()
        if isinstance(said.event, CardExposed) and not said.event.returns:
            shows = (said.event.card,)
        if card in shows:
            part = {"first_seen_part": said.at.part} if said.at.part else {}
            return {"first_seen_seq": said.at.seq, **part}
        if isinstance(said.event, RoundOpened):
            break
    return {}


def _round_of(before: Table, after: Table, event: Event) -> int | None:
    """Say which round an event belongs to: the one it opens, or the open one if it is an event of a round."""
    if isinstance(event, BEGINS_A_ROUND):
        return after.rounds
    if before.open_round is None or isinstance(event, BESIDE_A_ROUND):
        return None
    return before.open_round.number
