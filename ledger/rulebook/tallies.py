"""Counts of a round that is over: the game's tallies, and the luck of each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ledger.i18n.sentences import Sentence
from ledger.records import Record
from ledger.rulebook.cards import Card
from ledger.rulebook.chips import Transfer
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Over, Phase
from ledger.rulebook.values import Chips, PlayerId, Reason

Count = Callable[[Over, Sequence[Transfer]], Mapping[PlayerId, int]]
"""A count by player of a round that is over, and of the chips that moved in it; 0 where a player is missing."""


class Tally(Record):
    """A count over the rounds of a session: its name on the wire, its label, and the count of a round."""

    name: str
    label: Sentence
    count: Count


def times_paid(reason: Reason) -> Count:
    return lambda _over, moved: Counter(move.payer for move in moved if move.reason == reason)


def chips_paid(reason: Reason) -> Count:
    return lambda _over, moved: sum((Counter({t.payer: t.amount}) for t in moved if t.reason == reason), Counter())


Steps = Sequence[tuple[Event, Phase]]
"""A round's events in order, each with the phase after it; the first one opened it."""


class Ride(NamedTuple):
    """Half the rights to a card, bought by a player: the price, and what they were worth then, in chips.

    The price is in the pot then, and comes back with it. `bid` is the index of the bid among the steps.
    """

    player: PlayerId
    owner: PlayerId
    card: Card
    price: Chips
    worth: Fraction
    bid: int


class Fortune(NamedTuple):
    """The luck in a round, and its back-rides.

    `luck` is in chips: by how much the cards that were seen have changed what each player had or could expect, summed.
    Its mean is 0 whatever the players bid or bet; their decisions are no luck.
    """

    luck: Mapping[PlayerId, Fraction]
    rides: tuple[Ride, ...] = ()
