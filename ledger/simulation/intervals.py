"""How far a figure may be off by chance: 95 % intervals, in floating point, for nobody pays by them.

What happens or not in each trial by itself is told by Wilson's interval. Everything else is a quotient of two sums over
evenings, which have nothing to do with one another, though the rounds of one may: how far it is off follows from how
the evenings differ (the quotient's linear approximation). Where two tables had the same evenings, their difference is
told from the differences evening by evening.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from ledger.simulation.sums import Moments

CONFIDENCE = 0.95
NORMAL = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
FEWEST_EVENINGS = 10
"""From fewer evenings nobody can tell how much they differ."""


class Interval(NamedTuple):
    """From where to where the true figure lies, in 95 of 100 such intervals."""

    low: float
    high: float

    @property
    def has_zero(self) -> bool:
        """Whether it may as well be nothing."""
        return self.low <= 0 <= self.high


def wilson(times: int, of: int) -> Interval:
    """Give Wilson's score interval for so many of so many trials, each by itself."""
    share, square = times / of, NORMAL**2 / of
    middle = (share + square / 2) / (1 + square)
    half = NORMAL * sqrt(share * (1 - share) / of + square / of / 4) / (1 + square)
    return Interval(0.0 if not times else middle - half, 1.0 if times == of else middle + half)


def quotient(moments: Moments, evenings: int) -> Interval | None:
    """Give the interval of a sum divided by another; None where there were too few evenings."""
    total, of = moments.totals
    value = Fraction(total, of)
    return around(value, moments, evenings, (Fraction(1, of), -value / of))


def difference(moments: Moments, evenings: int) -> Interval | None:
    """Give the interval of a quotient at one table less the same one at another, which had the same evenings."""
    one, of_one, other, of_other = moments.totals
    first, second = Fraction(one, of_one), Fraction(other, of_other)
    weights = (Fraction(1, of_one), -first / of_one, Fraction(-1, of_other), second / of_other)
    return around(first - second, moments, evenings, weights)


def around(value: Fraction, moments: Moments, evenings: int, weights: Sequence[Fraction]) -> Interval | None:
    """Give the interval around a value that is off by the weighted sum of what evenings are off by.

    The squares of these sums come from the moments exactly; only their root is taken in floating point.
    """
    if evenings < FEWEST_EVENINGS:
        return None
    both = combinations_with_replacement(range(len(weights)), 2)
    squares = sum(
        (weights[one] * weights[other] * product * (1 if one == other else 2))
        for (one, other), product in zip(both, moments.products, strict=True)
    )
    half = student(evenings - 1) * sqrt(squares * Fraction(evenings, evenings - 1))
    return Interval(float(value) - half, float(value) + half)


def student(freedom: int) -> float:
    """Give the quantile of Student's distribution that NORMAL is of the normal one (Abramowitz and Stegun, 26.7.5)."""
    z = NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
