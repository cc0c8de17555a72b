"""What a place at Shirinma that is still dealt to may bring: the pot, where its card wins, less what that card costs.

Places of one kind are alike: those that are dealt for certain, those of them that decide on a third deal, and those of
that deal.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, perm
from typing import NamedTuple

from ledger.games.odds.shirinma import Chances, Counted, Place, Position, ToDeal


class Places(NamedTuple):
    """What one place of each kind is worth, in chips; nothing for a kind of which there is none."""

    certain: Fraction
    deciding: Fraction
    further: Fraction


class Wins(NamedTuple):
    """In how many ways the card that is dealt to one place of each kind wins, over one total."""

    certain: int
    deciding: int
    further: int
    total: int


def wins_of_places(position: Position, ways: Counted) -> Wins:
    """Count them, so that they are whole: the total is as many times that of the ways as it takes."""
    to_deal, decide, further = position.to_deal, ways.deciding[0], ways.further[0]
    certain = sum(ways.wins[card] for card in cards_to_come(position)) - decide - further
    places = to_deal.certain - to_deal.deciding, to_deal.deciding, to_deal.further
    times = lcm(*(many for many in places if many))
    of_certain, of_deciding, of_further = (times // many if many else 0 for many in places)
    return Wins(certain * of_certain, decide * of_deciding, further * of_further, ways.total * times)


def worth_of_places(position: Position, chances: Chances, pot: int) -> Places:
    """Give what a place of each kind is worth with this pot and no bid to come."""
    to_deal, to_come = position.to_deal, cards_to_come(position)
    decide, further = chances.deciding, chances.further
    wins = sum((chances.wins[card] for card in to_come), Fraction()) - decide[0] - further[0]
    paid = sum((chances.paid[card] for card in to_come), Fraction()) - decide[1] - further[1]
    costs = sum(position.prices[strength] for _, strength in to_come)
    dealt, dealt_then = Fraction(costs, position.deck or 1), costs * in_the_third_deal(position)
    return kinds(
        to_deal,
        pot * wins + paid - dealt * (to_deal.certain - to_deal.deciding),
        pot * decide[0] + decide[1] - dealt * to_deal.deciding,
        pot * further[0] + further[1] - dealt_then * to_deal.further,
    )


def cards_to_come(position: Position) -> list[Place]:
    """Give the showdown cards that nobody has seen."""
    return [(number, strength) for number, suit in enumerate(position.suits) for strength in suit.to_come]


def kinds(to_deal: ToDeal, certain: Fraction, deciding: Fraction, further: Fraction) -> Places:
    """Share what all places of a kind are worth among them."""
    shares = (certain, to_deal.certain - to_deal.deciding), (deciding, to_deal.deciding), (further, to_deal.further)
    return Places(*(chips / places if places else Fraction() for chips, places in shares))


def in_the_third_deal(position: Position) -> Fraction:
    """Give the chance of a showdown card to lie in one place of the third deal, and that there is one."""
    places, some = position.deck, position.showdown
    left = places - position.to_deal.deciding - 1
    return Fraction(perm(left, some - 1), perm(places, some)) if position.to_deal.further and some else Fraction()
