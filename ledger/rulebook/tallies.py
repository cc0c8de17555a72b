"""What is counted of a round that is over: tallies, game by game, and what it was for everybody beyond its chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

from ledger.cards import Card
from ledger.play.events import Event
from ledger.play.rounds import Over, Phase
from ledger.play.values import Account, Chips, PlayerId, Reason
from ledger.records import Record
from ledger.sentences import Sentence


class Moved(Protocol):
    """Chips that moved, however they are kept: who gave them, how many, and why."""

    @property
    def payer(self) -> Account: ...
    @property
    def amount(self) -> Chips: ...
    @property
    def reason(self) -> Reason: ...


Count = Callable[[Over, Sequence[Moved]], Mapping[PlayerId, int]]
"""What a round that is over, and the chips that moved in it, come to for each player; nothing said is 0."""


class Tally(Record):
    """Something that is counted over the rounds of an evening: its name on the wire, its label, what a round adds."""

    name: str
    label: Sentence
    count: Count


def times_paid(reason: Reason) -> Count:
    """Count how often each player paid for a reason."""
    return lambda _over, moved: Counter(move.payer for move in moved if move.reason == reason)


def chips_paid(reason: Reason) -> Count:
    """Count the chips that each player paid for a reason."""

    def count(_over: Over, moved: Sequence[Moved]) -> Mapping[PlayerId, Chips]:
        paid = Counter[PlayerId]()
        for move in moved:
            if move.reason == reason:
                paid[move.payer] += move.amount
        return paid

    return count


Steps = Sequence[tuple[Event, Phase]]
"""A round's events in order, each with the phase after it; the first one opened it."""


class Ride(NamedTuple):
    """Half the rights to a card that somebody bought: for how much, and what they were worth then, in chips.

    The price lies in the pot then, and comes back with it: a ride is dear if it cost more than this. `bid` is the place
    of the bid among the steps.
    """

    player: PlayerId
    owner: PlayerId
    card: Card
    price: Chips
    worth: Fraction
    bid: int


class Fortune(NamedTuple):
    """What a round was for everybody.

    `luck` is in chips: by how much the cards that were seen have changed what everybody had or could expect, summed.
    That is nothing in the mean, whatever people decide to bid or to bet; what they decide is no luck.
    """

    luck: Mapping[PlayerId, Fraction]
    rides: tuple[Ride, ...] = ()
