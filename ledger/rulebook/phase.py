"""A round: who sits where, where it stands, what an event does to it, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from ledger.cards import Card
from ledger.play.chips import Payout, Transfers
from ledger.play.events import Event
from ledger.play.refusals import OutOfPlace, UnknownPlayer
from ledger.play.values import Chips, EventType, PlayerId
from ledger.records import Meta, Record, field
from ledger.sentences import Sentence, say, snake_case


class Seats(tuple[str, ...]):
    """Players in seat order, counter-clockwise: each sits to the right of the one before, the first of the last."""

    __slots__ = ()

    def right_of(self, player: PlayerId) -> PlayerId:
        """Give the player to the right, who is the next in turn."""
        return self[(self.index(player) + 1) % len(self)]

    def starting_with(self, player: PlayerId) -> Seats:
        """Give the same round of seats, told from this player on."""
        first = self.index(player)
        return Seats(self[first:] + self[:first])

    def without(self, players: Iterable[PlayerId]) -> Seats:
        """Give the seats with some players gone and the rest closed up."""
        gone = set(players)
        return Seats([player for player in self if player not in gone])


R = TypeVar("R")


class Ground(Record, Generic[R]):
    """What a round is played on: who sits where, who deals, with which deck and house rules, for what carried pot.

    `set_aside` are cards that fell open by accident and are out of the round.
    """

    seats: Seats
    dealer: PlayerId
    deck: Any
    rules: R
    carried: Chips = 0
    set_aside: tuple[Card, ...] = ()

    def need(self, player: PlayerId, rule: str) -> None:
        """Refuse a player who does not sit in this round."""
        if player not in self.seats:
            raise UnknownPlayer(rule=rule, player=player, players=self.seats)


class Phase(Record, kw_only=True):
    """Where a round stands. `pot` is what lies in it, in chips, carried ones included.

    `label` is how a person calls a phase that a round can stand in.
    """

    label: ClassVar[Sentence]

    ground: Ground[Any]
    pot: Chips

    @property
    def name(self) -> str:
        """The phase's name on the wire."""
        return snake_case(type(self).__name__)


Result = Literal["won", "settled", "forfeited", "void"]

RESULTS: Mapping[Result, Sentence] = {
    "won": say("won"),
    "settled": say("settled"),
    "forfeited": say("forfeited"),
    "void": say("void"),
}
"""How a round can end, as people say it."""


Payouts = Annotated[tuple[Payout, ...], Meta(description="The payments to players, each with its reason.")]


class Outcome(Record, kw_only=True):
    """How a round ended: who is paid what, and who deals next.

    A way to end is a record of its own, with a `result` that is always the same and whatever else belongs to it.
    """

    result: Annotated[Result, Meta(description="How the round ended.")]
    payouts: Payouts
    next_dealer: Annotated[PlayerId, Meta(description="The id of the next round's dealer.")]

    @property
    def won_by(self) -> PlayerId | None:
        """Who won the round, if somebody did."""
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
    """Give the phase that a round stands in, or ended in. Raises TypeError for another game's."""
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

    type: Annotated[EventType, Meta(description="The type of the event.")]
    player: Annotated[
        PlayerId | None, Meta(description="The id of the only player of whom the event may be reported.")
    ] = None
    players: Annotated[
        tuple[PlayerId, ...] | None, Meta(description="The ids of the players of whom the event may be reported.")
    ] = None
    not_players: Annotated[
        tuple[PlayerId, ...] | None, Meta(description="The ids of the players of whom the event may not be reported.")
    ] = None
    amount_at_least: Annotated[Chips | None, Meta(description="The smallest possible amount, in chips.")] = None
    columns: Annotated[tuple[int, ...] | None, Meta(description="The columns that are possible, counted from 1.")] = (
        None
    )
    at_most: Annotated[int | None, Meta(description="The largest possible number of cards.")] = None


class CardsToCome(Record, kw_only=True):
    """The cards that may still be seen in a round, by their codes in the session's deck.

    `next` has a list for every event that may be reported now and shows a card: those that are accepted as its first,
    as the deck has them in order, and the words that may stand there instead. `together` has those of them that do not
    go down alone.
    """

    left: Annotated[Mapping[str, int], Meta(description="How many copies of each card may still be seen, by its code.")]
    next: Annotated[
        Mapping[str, tuple[str, ...]],
        Meta(description="By type of event, the cards that are accepted as its first, and words instead of a card."),
    ]
    together: Annotated[
        Mapping[str, int],
        Meta(
            description="The cards in `next` that are not accepted alone, with how many of their number go down "
            "together: in Kakkuri 3, or 2 after three pairs."
        ),
    ] = field(default_factory=dict)


def out_of_place(expected: Iterable[Expected]) -> OutOfPlace:
    """Make the refusal for an event whose time it is not, from what may be reported instead."""
    return OutOfPlace(expected=tuple(dict.fromkeys(e.type for e in expected)))


def then(step: Step, event: Event, play: Callable[[Phase, Event], Step]) -> Step:
    """Play an event on what a step led to, and hand on the chips of both."""
    further = play(step.phase, event)
    return Step(further.phase, step.transfers + further.transfers)


def fold(play: Callable[[Phase, Event], Step], opening: Step, events: Iterable[Event]) -> Step:
    """Play a whole round: every event in turn, all chips that moved in one step."""
    return reduce(lambda step, event: then(step, event, play), events, opening)
