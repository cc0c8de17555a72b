"""Exact numbers as they go out: as a fraction, and as decimals that are rounded once, from the exact number.

No float comes in between. What lies right in the middle of two decimals is rounded away from zero, as by hand.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from ledger.play import record

DECIMAL = r"-?[0-9]+\.[0-9]{2}"
"""The form of a number with two decimals."""


@record()
class Chance:
    """A chance, exactly."""

    exact: str = field(metadata={"description": "a fraction in lowest terms, as in `5/41`", "example": "5/41"})
    percent: str = field(metadata={"description": "in percent, with two decimals", "example": "12.20"})


@record()
class ExactChips:
    """An amount of chips, exactly."""

    exact: str = field(metadata={"description": "a fraction in lowest terms, as in `-7/2600`", "example": "-7/2600"})
    chips: str = field(metadata={"description": "in chips, with two decimals", "example": "0.00"})


def chance(value: Fraction) -> Chance:
    """Write a chance."""
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
