"""Exact numbers as they go out: as a fraction, and as decimals that are rounded once, from the exact number.

No float comes in between. What lies right in the middle of two decimals is rounded away from zero, as by hand.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ledger.records import Meta, Record

DECIMAL = r"-?[0-9]+\.[0-9]{2}"
"""The form of a number with two decimals."""


class Chance(Record):
    """A chance, exactly."""

    exact: Annotated[str, Meta(description="The chance as a fraction in lowest terms.", examples=["5/41"])]
    percent: Annotated[str, Meta(description="The chance in percent, with two decimals.", examples=["12.20"])]


class ExactChips(Record):
    """An amount of chips, exactly."""

    exact: Annotated[str, Meta(description="The amount as a fraction in lowest terms.", examples=["-7/2600"])]
    chips: Annotated[str, Meta(description="The amount in chips, with two decimals.", examples=["0.00"])]


def chance(value: Fraction) -> Chance:
    return Chance(fraction(value), decimal(100 * value))


def exact_chips(value: Fraction) -> ExactChips:
    """Write an amount of chips that may be too small for two decimals."""
    return ExactChips(fraction(value), decimal(value))


def fraction(value: Fraction) -> str:
    """Write a number as a fraction."""
    return f"{value.numerator}/{value.denominator}"


def decimal(value: Fraction) -> str:
    """Write a number with two decimals."""
    hundredths = (200 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02}"
