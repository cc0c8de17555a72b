"""Where a session stands: who sits where, the round, the pot, the house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ledger.play.chips import Transfers
from ledger.play.events import Event
from ledger.play.rounds import Expected, Ground, Outcome, Over, Phase, Result, Seats, Void
from ledger.play.rule_book import RuleBook, Seating
from ledger.play.values import Chips, Day, PlayerId, Words
from ledger.records import Record, convert, field
from ledger.session.events import ChipValue, PersonName


class Player(Record):
    """A player who sits or sat at the table."""

    id: PlayerId
    name: PersonName
    active: bool = True

    @property
    def number(self) -> int:
        """The number in the id."""
        return int(self.id[1:])


class Entered(Phase, kw_only=True):
    """Where a round stood that is known only by its totals."""


class Totals(Outcome, kw_only=True):
    """How a round ended that is known only by its totals."""

    result: Literal["settled"] = "settled"


OUTCOMES: tuple[type[Outcome], ...] = (Totals, Void)
"""How a round of any game can end; the game's own ways are in its rule book."""


RoundStatus = Literal["recording", Result]


class Round(Record, kw_only=True):
    """One round: the rule book and the ground it is played on, where it stands, and who paid what into its pot.

    `events` is how many events of the game it has. `played_on` is the day where somebody said it of this very round.
    """

    number: int
    book: RuleBook[Any]
    ground: Ground[Any]
    phase: Any
    paid_in: Mapping[PlayerId, Chips] = field(default_factory=dict)
    void_reason: Words | None = None
    played_on: Day | None = None
    overruled: tuple[tuple[str, Words], ...] = ()
    events: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the round still goes on."""
        return not isinstance(self.phase, Over)

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended; None while it goes on."""
        return self.phase.outcome if isinstance(self.phase, Over) else None

    @property
    def status(self) -> RoundStatus:
        """`recording` until the round ends, then its result."""
        return self.outcome.result if self.outcome else "recording"

    @property
    def expected(self) -> tuple[Expected, ...]:
        """What may be reported now."""
        return self.book.expected(self.phase) if self.is_open else ()

    @property
    def is_entered(self) -> bool:
        """Whether the round is known only by its totals."""
        return isinstance(self.phase, Over) and isinstance(self.phase.last, Entered)


class Table(Record, kw_only=True):
    """Where a session stands.

    `rule_books` are the game's rule books by version, `players` everyone who ever sat down, in the order of their ids.
    `round` is the newest round, open or over. `pot` is in chips; `stakes` says who put into it what has not been won.
    `name` is what the session is called, `odds` whether the table wants to be told the chances. `played_on` is the day,
    where all was recorded afterwards.
    """

    rule_books: Mapping[int, RuleBook[Any]]
    deck: Any
    rules: Any
    players: tuple[Player, ...]
    seating: Seating
    pot: Chips = 0
    stakes: Mapping[PlayerId, Chips] = field(default_factory=dict)
    round: Round | None = None
    status: Literal["open", "closed"] = "open"
    name: PersonName | None = None
    chip_value: ChipValue | None = None
    odds: bool = False
    played_on: Day | None = None

    @property
    def open_round(self) -> Round | None:
        """The round that is being recorded, if one is."""
        return self.round if self.round and self.round.is_open else None

    @property
    def rounds(self) -> int:
        """How many rounds there have been, the open one included."""
        return self.round.number if self.round else 0

    @property
    def next_number(self) -> int:
        """The number in the id that somebody new would get."""
        return self.players[-1].number + 1

    def player(self, player: PlayerId) -> Player | None:
        """Find a player by id, also one who has left."""
        return next((each for each in self.players if each.id == player), None)


def ids_from(number: int, count: int) -> tuple[PlayerId, ...]:
    """Give so many ids that follow one another."""
    return tuple(f"p{each}" for each in range(number, number + count))


class Opening(Record, kw_only=True, omit_defaults=True):
    """What a session is opened with: the game, who sits where (in seat order), who deals (a seat, from 1).

    `rules` are all the house rules; `carried` is in chips, what lies in the pot already; `odds` is whether the table
    wants to be told the chances; `overrule` is why fewer people play than the game takes; `played_on` is the day, where
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
        """What everyone is called who sits there from the beginning."""
        return {f"p{number}": name for number, name in enumerate(self.players, 1)}


class Applied(Record):
    """What an event did to a table: the next table, the event as it is written down, and the chips that moved."""

    table: Table
    event: Event
    transfers: Transfers = ()


def open_table(rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> Table:
    """Seat people in order, counter-clockwise, as p1, p2 and so on."""
    players = tuple(Player(number, name) for number, name in opening.names.items())
    seats = Seats(player.id for player in players)
    seating = Seating(seats, dealer=seats[opening.dealer - 1])
    return convert(Table, opening, rule_books=rule_books, players=players, seating=seating, pot=opening.carried)
