"""What is told of evenings that were played: every figure with its interval, and the differences of two tables."""

from __future__ import annotations

from fractions import Fraction

from ledger.records import Record
from ledger.sentences import Sentence
from ledger.simulation.intervals import FEWEST_EVENINGS, Interval, difference, quotient, wilson
from ledger.simulation.notes import Figure, Most, Unit
from ledger.simulation.sums import Moments, Sums


class Told(Record):
    """A figure: `value` for each of so many. None where there was nothing that it could be told of."""

    name: str
    label: Sentence
    unit: Unit
    of: int
    value: Fraction | None
    interval: Interval | None = None


class Report(Record):
    """The figures of each table, in the same order; and for each the difference, the first less the second, if two."""

    evenings: int
    rounds: int
    tables: tuple[tuple[Told, ...], ...]
    differences: tuple[Told, ...] = ()


def report(sums: Sums) -> Report:
    """Tell all figures."""
    tables = tuple(tuple(told(sums, figure, at) for figure in sums.figures) for at in range(sums.tables))
    differences = tuple(compared(sums, figure) for figure in sums.figures) if sums.tables > 1 else ()
    return Report(sums.evenings, sums.rounds, tables, differences)


def told(sums: Sums, figure: Figure | Most, table: int) -> Told:
    """Tell a figure of one table."""
    match figure:
        case Most(name, label, unit):
            most = sums.most[name][table]
            return Told(f"most_{name}", label, unit, 0, None if most is None else Fraction(most))
        case Figure(name, _, label, unit):
            alone = at_table(sums.moments[name], table)
            total, of = alone.totals
            if not of:
                return Told(name, label, unit, 0, None)
            interval = wilson(total, of) if is_counted(figure, total, of) else quotient(alone, sums.evenings)
            return Told(name, label, unit, of, Fraction(total, of), within(figure, interval))


def compared(sums: Sums, figure: Figure | Most) -> Told:
    """Tell by how much a figure is larger at the first table than at the second.

    From a few evenings that differ, among many that do not, nobody can tell how much others would.
    """
    match figure:
        case Most(name, label, unit):
            return Told(f"most_{name}", label, unit, 0, None)
        case Figure(name, _, label, unit):
            moments = sums.moments[name]
            one, of_one, other, of_other = moments.totals
            if not of_one or not of_other:
                return Told(name, label, unit, 0, None)
            value = Fraction(one, of_one) - Fraction(other, of_other)
            interval = difference(moments, sums.evenings)
            if sums.differ[name] < FEWEST_EVENINGS and interval != Interval(0.0, 0.0):
                interval = None
            return Told(name, label, unit, min(of_one, of_other), value, interval)


def is_counted(figure: Figure, total: int, of: int) -> bool:
    """Whether a figure is told by counting trials: of what never or always happened, evenings cannot tell more."""
    return figure.alone or (figure.unit == "share" and total in {0, of})


def within(figure: Figure, interval: Interval | None) -> Interval | None:
    """Keep a share's interval between nothing and all."""
    if interval is None or figure.unit != "share":
        return interval
    return Interval(max(interval.low, 0.0), min(interval.high, 1.0))


def at_table(moments: Moments, table: int) -> Moments:
    """Take the moments of one table out of those of all."""
    count, first = len(moments.totals), 2 * table
    return Moments(
        moments.totals[first : first + 2],
        [moments.products[place(count, *two)] for two in ((first, first), (first, first + 1), (first + 1, first + 1))],
    )


def place(count: int, one: int, other: int) -> int:
    """Say where the product of two of so many numbers stands."""
    return one * count - one * (one - 1) // 2 + other - one
