"""What many evenings came to, added up: enough to tell every figure, how far it may be off, and how two tables differ.

Of each figure two numbers are noted an evening, what there was and of how much. Kept are the sums of these numbers, and
of the products of any two of them; at two tables side by side, of the same evening at both. All are whole numbers, so
it makes no difference in which order evenings are added, or by how many processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from ledger.simulation.notes import Figure, Most, Notes


@dataclass(slots=True)
class Moments:
    """Sums of some numbers, and of the products of every two: first with first, first with second, and so on."""

    totals: list[int]
    products: list[int]

    @classmethod
    def of(cls, count: int) -> Moments:
        """Begin with nothing."""
        return cls([0] * count, [0] * (count * (count + 1) // 2))

    def add(self, values: Sequence[int]) -> None:
        """Add the numbers of one evening."""
        self.totals = [total + value for total, value in zip(self.totals, values, strict=True)]
        both = combinations_with_replacement(values, 2)
        self.products = [product + one * other for product, (one, other) in zip(self.products, both, strict=True)]

    def merge(self, other: Moments) -> None:
        """Add what was added up elsewhere."""
        self.totals = [one + more for one, more in zip(self.totals, other.totals, strict=True)]
        self.products = [one + more for one, more in zip(self.products, other.products, strict=True)]


@dataclass(slots=True)
class Sums:
    """What evenings came to at one table or at two: the moments of each figure, and the most of what has no sum.

    `differ` has for each figure how many evenings came to something else at the second table than at the first.
    """

    figures: tuple[Figure | Most, ...]
    tables: int
    evenings: int = 0
    rounds: int = 0
    moments: dict[str, Moments] = field(default_factory=dict)
    differ: Counter[str] = field(default_factory=Counter)
    most: dict[str, list[int | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for figure in self.figures:
            match figure:
                case Figure():
                    self.moments[figure.name] = Moments.of(2 * self.tables)
                case Most():
                    self.most[figure.name] = [None] * self.tables

    def add(self, evening: Sequence[Notes]) -> None:
        """Add an evening, as it went at each table."""
        self.evenings += 1
        self.rounds += evening[0].sums["rounds"]
        for figure in self.figures:
            match figure:
                case Figure(name, of):
                    values = [notes.sums[each] for notes in evening for each in (name, of)]
                    self.moments[name].add(values)
                    self.differ[name] += values[:2] != values[-2:]
                case Most(name):
                    self.reach(name, [notes.most.get(name) for notes in evening])

    def merge(self, other: Sums) -> None:
        """Add what was added up elsewhere."""
        self.evenings += other.evenings
        self.rounds += other.rounds
        for name, moments in other.moments.items():
            self.moments[name].merge(moments)
            self.differ[name] += other.differ[name]
        for name, most in other.most.items():
            self.reach(name, most)

    def reach(self, name: str, seen: Sequence[int | None]) -> None:
        """Take the larger of what was seen at each table."""
        both = zip(self.most[name], seen, strict=True)
        self.most[name] = [max((value for value in each if value is not None), default=None) for each in both]
