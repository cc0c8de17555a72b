"""Shippin's chances, counted by the values of the cards that nobody has seen; any of them may lie anywhere alike.

A hand is the values of its first and its second card. Who wins is asked of the rule book: `Verdict`.

For one column two cards decide, the dealer's first and its own. That all four win is counted column by column: first
cards that win in the same columns are alike, and so many of them as lie there are laid into some of these columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import perm
from typing import Literal

from ledger.records import Record

Hand = tuple[int, int]
"""The values of a hand's first and second card."""

Verdict = Callable[[Hand, Hand], Literal["player", "dealer", "tie"]]
"""Who wins, with a column's hand and the dealer's."""


class Chances(Record):
    """The chances of a hand against the dealer's. They come to one."""

    wins: Fraction
    loses: Fraction
    ties: Fraction


def with_second_cards(unseen: Mapping[int, int], second: int, dealer: int, verdict: Verdict) -> Chances:
    """Give the chances of a column with this second card, against the dealer's: any two others are their first."""
    ways = Counter[str]()
    for (own, dealers), both in twos(unseen):
        ways[verdict((own, second), (dealers, dealer))] += both
    return _shares(ways, perm(sum(unseen.values()), 2))


def before_second_cards(unseen: Mapping[int, int], verdict: Verdict) -> Chances:
    """Give the chances of any column before a card lies there: two cards are its own, and two are the dealer's."""
    ways = Counter[str]()
    for dealer, dealers in twos(unseen):
        left = Counter(unseen) - Counter(dealer)
        for own, both in twos(left):
            ways[verdict(own, dealer)] += dealers * both
    return _shares(ways, perm(sum(unseen.values()), 4))


def twos(unseen: Mapping[int, int]) -> Iterator[tuple[Hand, int]]:
    """Give every two cards, one and another, and in how many ways they may come."""
    for two in product(unseen, unseen):
        one, other = two
        if ways := unseen[one] * (unseen[other] - (one == other)):
            yield two, ways


def total_loss(unseen: Mapping[int, int], seconds: Sequence[int], dealer: int, verdict: Verdict) -> Fraction:
    """Give the chance that the dealer loses to every hand, with these second cards."""
    ways = 0
    for dealers, count in unseen.items():
        if count:
            left = {**unseen, dealers: count - 1}
            ways += count * ways_to_win_all(left, seconds, (dealers, dealer), verdict)
    return Fraction(ways, perm(sum(unseen.values()), len(seconds) + 1))


def ways_to_win_all(left: Mapping[int, int], seconds: Sequence[int], dealer: Hand, verdict: Verdict) -> int:
    """Count the ways to lay a first card over every second one so that each wins. A set of columns is one number."""
    alike = Counter[int]()
    for own, count in left.items():
        wins_in = sum(1 << place for place, second in enumerate(seconds) if verdict((own, second), dealer) == "player")
        alike[wins_in] += count
    filled = Counter({0: 1})
    for wins_in, count in alike.items():
        further = Counter[int]()
        for so_far, ways in filled.items():
            for more in parts_of(wins_in & ~so_far):
                further[so_far | more] += ways * perm(count, more.bit_count())
        filled = further
    return filled[(1 << len(seconds)) - 1]


def parts_of(columns: int) -> Iterator[int]:
    """Give every choice among some columns, all and none of them too."""
    part = columns
    while part:
        yield part
        part = (part - 1) & columns
    yield 0


def _shares(ways: Mapping[str, int], total: int) -> Chances:
    return Chances(*(Fraction(ways[end], total) for end in ("player", "dealer", "tie")))
