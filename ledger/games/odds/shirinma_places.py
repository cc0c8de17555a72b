"""What a place at Shirinma that is still dealt to may bring: the pot, where its card wins, less what that card costs.

Places of one kind are alike: those that are dealt for certain, those of them that decide on a third deal, and those of
that deal.
"""

from __future__ import annotations

from fractions import Fraction
from math import perm
from typing import NamedTuple

from ledger.games.odds.shirinma import Chances, Position


class Places(NamedTuple):
    """What one place of each kind is worth, in chips; nothing for a kind of which there is none."""

    certain: Fraction
    deciding: Fraction
    further: Fraction


def worth_of_places(position: Position, chances: Chances, pot: int) -> Places:
    """Give what a place of each kind is worth with so much in the pot, and no bid to come."""
    to_deal = position.to_deal
    to_come = [(number, strength) for number, suit in enumerate(position.suits) for strength in suit.to_come]
    of_all = sum(chances.wins[card] for card in to_come), sum(chances.paid[card] for card in to_come)
    decide, further = chances.deciding, chances.further
    others = (of_all[0] - decide[0] - further[0], of_all[1] - decide[1] - further[1])
    costs = sum(position.prices[strength] for _, strength in to_come)
    dealt, dealt_then = costs * Fraction(1, position.deck or 1), costs * in_the_third_deal(position)

    def each(won: tuple[Fraction | int, Fraction | int], places: int, cost: Fraction) -> Fraction:
        return Fraction(won[0] * pot + won[1]) / places - cost if places else Fraction()

    return Places(
        each(others, to_deal.certain - to_deal.deciding, dealt),
        each(decide, to_deal.deciding, dealt),
        each(further, to_deal.further, dealt_then),
    )


def in_the_third_deal(position: Position) -> Fraction:
    """Give the chance of a showdown card to lie in one place of the third deal, and that there is one."""
    places, some = position.deck, position.showdown
    left = places - position.to_deal.deciding - 1
    return Fraction(perm(left, some - 1), perm(places, some)) if position.to_deal.further and some else Fraction()
