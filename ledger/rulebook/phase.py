"""A round: seats, phases, steps, outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from ledger.i18n.sentences import Sentence, say, snake_case
from ledger.records import Record, doc
from ledger.rulebook.cards import Card
from ledger.rulebook.chips import Payout, Transfers
from ledger.rulebook.refusal import UnknownPlayer
from ledger.rulebook.values import Chips, EventType, PlayerId


class Seats(tuple[str, ...]):
    """Players in seat order, counter-clockwise: each sits to the right of the one before, the first of the last."""

    __slots__ = ()

    def right_of(self, player: PlayerId) -> PlayerId:
        """Give the player to the right, who is the next in turn."""
        return self[(self.index(player) + 1) % len(self)]

    def starting_with(self, player: PlayerId) -> Seats:
        """Give the same round of seats from this player on."""
        first = self.index(player)
        return Seats(self[first:] + self[:first])

    def without(self, players: Iterable[PlayerId]) -> Seats:
        gone = set(players)
        return Seats([player for player in self if player not in gone])


R = TypeVar("R")


class Ground(Record, Generic[R]):
    """The setup of a round: seats, dealer, deck, house rules, carried pot, and the cards set aside since."""

    seats: Seats
    dealer: PlayerId
    deck: Any
    rules: R
    carried: Chips = 0
    set_aside: tuple[Card, ...] = ()

    def need(self, player: PlayerId, rule: str) -> None:
        if player not in self.seats:
            raise UnknownPlayer(rule=rule, player=player, players=self.seats)


class Phase(Record, kw_only=True):
    """The state of a round. `pot` is in chips, with carried ones; `label` is the phase's name for people."""

    label: ClassVar[Sentence]

    ground: Ground[Any]
    pot: Chips

    @property
    def name(self) -> str:
        return snake_case(type(self).__name__)


Result = Literal["won", "settled", "forfeited", "void"]

RESULTS: Mapping[Result, Sentence] = {
    "won": say("won"),
    "settled": say("settled"),
    "forfeited": say("forfeited"),
    "void": say("void"),
}
"""How a round can end, as people say it."""


Payouts = Annotated[tuple[Payout, ...], doc("The payments to players, each with its reason.")]


class Outcome(Record, kw_only=True):
    """How a round ended: who is paid what, and who deals next.

    A way to end is a record of its own, with a `result` that is always the same and whatever else belongs to it.
    """

    result: Annotated[Result, doc("How the round ended.")]
    payouts: Payouts
    next_dealer: Annotated[PlayerId, doc("The id of the next round's dealer.")]

    @property
    def won_by(self) -> PlayerId | None:
        return None

    @property
    def forfeited_for(self) -> tuple[str, ...]:
        """Why nobody won, where the game has words for that."""
        return ()

    @property
    def ended_by(self) -> str | None:
        """The row of the rule book that ended it, where that is not what was to be expected."""
        return None


class Void(Outcome, kw_only=True):
    """The round does not count, and the same dealer deals again."""

    result: Literal["void"] = "void"
    payouts: Payouts = ()


class Over(Phase, kw_only=True):
    """The round has ended. `last` is the phase it ended in, `pot` what stays for the next round."""

    label = say("Over")

    last: Phase
    outcome: Outcome


P = TypeVar("P", bound=Phase)


def last_of(kind: type[P], phase: Phase) -> P:
    """Give the phase of a round, or the one it ended in. Raises TypeError for another game's."""
    last = phase.last if isinstance(phase, Over) else phase
    if not isinstance(last, kind):
        raise TypeError(phase)
    return last


class Step(Record):
    """What an event does: the phase it leads to and the chips that move."""

    phase: Phase
    transfers: Transfers = ()


class Expected(Record, kw_only=True, omit_defaults=True):
    """An event that may be reported now. A member is absent where nothing is known of that field."""

    type: Annotated[EventType, doc("The type of the event.")]
    player: Annotated[PlayerId | None, doc("The id of the only player of whom the event may be reported.")] = None
    players: Annotated[
        tuple[PlayerId, ...] | None, doc("The ids of the players of whom the event may be reported.")
    ] = None
    not_players: Annotated[
        tuple[PlayerId, ...] | None, doc("The ids of the players of whom the event may not be reported.")
    ] = None
    amount_at_least: Annotated[Chips | None, doc("The smallest possible amount, in chips.")] = None
    amount_at_most: Annotated[Chips | None, doc("The largest possible amount, in chips.")] = None
    columns: Annotated[tuple[int, ...] | None, doc("The columns that are possible, counted from 1.")] = None
    at_most: Annotated[int | None, doc("The largest possible number of cards.")] = None


class CardsToCome(Record, kw_only=True):
    """The cards that may still be seen in a round, by their codes in the session's deck.

    `next` has a list for every event that may be reported now and shows a card: those that are accepted as its first,
    as the deck has them in order, and the words that may stand there instead. `together` has those of them that do not
    go down alone.
    """

    left: Annotated[Mapping[str, int], doc("How many copies of each card may still be seen, by its code.")]
    next: Annotated[
        Mapping[str, tuple[str, ...]],
        doc("By type of event, the cards that are accepted as its first, and words instead of a card."),
    ]
    together: Annotated[
        Mapping[str, int],
        doc(
            "The cards in `next` that are not accepted alone, with how many of their number go down "
            "together: in Kakkuri 3, or 2 after three pairs."
        ),
    ] = {}
