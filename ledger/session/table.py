"""The state of a session between two events: seats, round, pot, house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ledger.records import Record, convert, field
from ledger.rulebook.chips import Transfers
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Expected, Ground, Outcome, Over, Phase, Result, Seats, Void
from ledger.rulebook.rule_book import RuleBook, Seating
from ledger.rulebook.values import Chips, Day, PlayerId, Words
from ledger.session.events import ChipValue, PersonName


class Player(Record):
    """A player at the table, or who left it."""

    id: PlayerId
    name: PersonName
    active: bool = True

    @property
    def number(self) -> int:
        return int(self.id[1:])


class Entered(Phase, kw_only=True):
    """The phase of a round that is known only by its totals."""


class Totals(Outcome, kw_only=True):
    """How a round ended that is known only by its totals."""

    result: Literal["settled"] = "settled"


OUTCOMES: tuple[type[Outcome], ...] = (Totals, Void)
"""How a round of any game can end; the game's own ways are in its rule book."""


RoundStatus = Literal["recording", Result]


class Round(Record, kw_only=True):
    """A round with its rule book, its phase and what each player paid into its pot.

    `events` is the number of its events of the game; `played_on` is only there if it was reported for this round.
    """

    number: int
    book: RuleBook[Any]
    ground: Ground[Any]
    phase: Any
    paid_in: Mapping[PlayerId, Chips] = {}
    void_reason: Words | None = None
    played_on: Day | None = None
    overruled: tuple[tuple[str, Words], ...] = ()
    events: int = 0

    @property
    def is_open(self) -> bool:
        return not isinstance(self.phase, Over)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the round is open."""
        return self.phase.outcome if isinstance(self.phase, Over) else None

    @property
    def status(self) -> RoundStatus:
        """`recording` until the round ends, then its result."""
        return self.outcome.result if self.outcome else "recording"

    @property
    def expected(self) -> tuple[Expected, ...]:
        return self.book.expected(self.phase) if self.is_open else ()

    @property
    def is_entered(self) -> bool:
        return isinstance(self.phase, Over) and isinstance(self.phase.last, Entered)


class Table(Record, kw_only=True):
    """The state of a session between two events.

    `rule_books` are by version, `players` in the order of their ids, with those who left. `round` is the newest round,
    open or over. `pot` is in chips, `stakes` are the players' chips in it that were not won. `odds` is whether they are
    shown. `played_on` is the day of a session recorded afterwards.
    """

    rule_books: Mapping[int, RuleBook[Any]]
    deck: Any
    rules: Any
    players: tuple[Player, ...]
    seating: Seating
    pot: Chips = 0
    stakes: Mapping[PlayerId, Chips] = {}
    round: Round | None = None
    status: Literal["open", "closed"] = "open"
    name: PersonName | None = None
    chip_value: ChipValue | None = None
    odds: bool = False
    played_on: Day | None = None

    @property
    def open_round(self) -> Round | None:
        return self.round if self.round and self.round.is_open else None

    @property
    def rounds(self) -> int:
        """The number of rounds, with the open one."""
        return self.round.number if self.round else 0

    @property
    def next_number(self) -> int:
        """The number in the id of the next new player."""
        return self.players[-1].number + 1

    def player(self, player: PlayerId) -> Player | None:
        """Find a player by id, also one who left."""
        return next((each for each in self.players if each.id == player), None)


def ids_from(number: int, count: int) -> tuple[PlayerId, ...]:
    return tuple(f"p{each}" for each in range(number, number + count))


class Opening(Record, kw_only=True, omit_defaults=True):
    """What a session is opened with: the game, who sits where (in seat order), who deals (a seat, from 1).

    `rules` are all the house rules; `carried` is in chips, what lies in the pot already; `odds` is whether the chances
    are shown; `overrule` is why fewer people play than the game takes; `played_on` is the day, where
    all is recorded afterwards.
    """

    game: str
    deck: Any
    players: tuple[PersonName, ...]
    rules: Any
    dealer: int = field(default_factory=lambda: 1)
    name: PersonName | None = None
    chip_value: ChipValue | None = None
    carried: Chips = 0
    odds: bool = False
    overrule: Words | None = None
    played_on: Day | None = None

    @property
    def names(self) -> Mapping[PlayerId, PersonName]:
        """The first players' names by id."""
        return {f"p{number}": name for number, name in enumerate(self.players, 1)}


class Applied(Record):
    """The table after an event, the event as it is written in the log, and the chips that moved."""

    table: Table
    event: Event
    transfers: Transfers = ()


def open_table(rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> Table:
    """Seat the players in order, counter-clockwise, as p1, p2 and so on."""
    players = tuple(Player(number, name) for number, name in opening.names.items())
    seats = Seats(player.id for player in players)
    seating = Seating(seats, dealer=seats[opening.dealer - 1])
    return convert(Table, opening, rule_books=rule_books, players=players, seating=seating, pot=opening.carried)
