"""What a round brought people beyond what was to be expected, and what they paid for a part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ledger.cards import Card
from ledger.play.events import Event
from ledger.play.rounds import Phase
from ledger.play.values import Chips, PlayerId

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
