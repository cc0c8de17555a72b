"""What a place at Shirinma that is still dealt to may bring: the pot, where its card wins, less what that card costs.

Places of one kind are alike: those that are dealt for certain, those of them that decide on a third deal, and those of
that deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import perm

from ledger.games.odds.shirinma import Counted, Position


def worth_of_places(position: Position, counted: Counted, pot: int) -> Mapping[str, Fraction]:
    """Give what one place of each kind is worth, in chips, with this pot and no bid to come."""
    to_deal, worth = position.to_deal, dict[str, Fraction]()
    to_come = [(number, strength) for number, suit in enumerate(position.suits) for strength in suit.to_come]
    costs = sum(position.prices[strength] for _, strength in to_come)
    gains = {kind: pot * counted.ways["wins", kind] + counted.ways["paid", kind] for kind in ("deciding", "further")}
    every = sum(pot * counted.ways["wins", *card] + counted.ways["paid", *card] for card in to_come)
    gains["certain"] = every - sum(gains.values())
    for kind, places, dealt in (
        ("certain", to_deal.certain - to_deal.deciding, Fraction(1, position.deck or 1)),
        ("deciding", to_deal.deciding, Fraction(1, position.deck or 1)),
        ("further", to_deal.further, in_the_third_deal(position)),
    ):
        worth[kind] = Fraction(gains[kind], counted.total * places) - costs * dealt if places else Fraction()
    return worth


def in_the_third_deal(position: Position) -> Fraction:
    """Give the chance of a showdown card to lie in one place of the third deal, and that there is one."""
    places, some = position.deck, position.showdown
    left = places - position.to_deal.deciding - 1
    return Fraction(perm(left, some - 1), perm(places, some)) if position.to_deal.further and some else Fraction()
