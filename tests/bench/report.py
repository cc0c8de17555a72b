"""What is measured, beside its goal, and the one place that prints it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple


class Goal(NamedTuple):
    """What a figure should come to: `bound` or more, or `bound` or less."""

    bound: float
    is_floor: bool

    def is_met(self, value: float) -> bool:
        return value >= self.bound if self.is_floor else value <= self.bound

    def __str__(self) -> str:
        return f"{'at least' if self.is_floor else 'at most'} {number(self.bound)}"


def at_least(bound: float) -> Goal:
    return Goal(bound, is_floor=True)


def at_most(bound: float) -> Goal:
    return Goal(bound, is_floor=False)


class Figure(NamedTuple):
    """What one row of a table came to: a value a repeat, in a unit; none if it could not be measured, and then why."""

    name: str
    unit: str
    values: Sequence[float]
    goal: Goal | None = None
    beside: str = ""
    """What helps to read it: the yardstick in absolute terms, or why there is no value."""

    @property
    def misses(self) -> bool:
        """Whether it has a goal that it does not meet. Judged by what is printed: 0.349 is 0.35."""
        return self.goal is not None and not (self.values and self.goal.is_met(float(number(median(self.values)))))

    def __str__(self) -> str:
        if not self.values:
            return f"{self.name:<58} not measured: {self.beside}"
        spread = f"({number(min(self.values))} to {number(max(self.values))})"
        told = f"{number(median(self.values)):>7} {spread:<16} {self.unit}"
        judged = f"{self.goal}: {'MISSED' if self.misses else 'met'}" if self.goal else ""
        return f"{self.name:<58} {told:<42} {judged:<22} {self.beside}".rstrip()


def number(value: float) -> str:
    """Write a number with as many places as are worth reading."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) >= 10 else f"{value:.2f}"


def milliseconds(seconds: float) -> str:
    return f"{number(seconds * 1000)} ms"


class Effort(NamedTuple):
    """How much is measured: `repeats` of everything; `quick` only tries the benchmark out."""

    repeats: int = 5
    quick: bool = False

    def of(self, full: int, quick: int) -> int:
        """Choose a size."""
        return quick if self.quick else full


QUICK = Effort(repeats=1, quick=True)
