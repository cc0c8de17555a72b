"""Exact numbers as they go out: fractions in lowest terms, decimals that are rounded once."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec.encoding import Chance, ExactChips, decimal, plain
from ledger.rulebook.values import ExactlyInChips


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Fraction(5, 41), Chance("5/41", "12.20")),
        (Fraction(10, 82), Chance("5/41", "12.20")),
        (Fraction(0), Chance("0/1", "0.00")),
        (Fraction(1), Chance("1/1", "100.00")),
        (Fraction(1, 32), Chance("1/32", "3.13")),  # 3.125 lies right in the middle
        (Fraction(1, 20_001), Chance("1/20001", "0.00")),
        (Fraction(10**30 - 1, 10**30), Chance(f"{10**30 - 1}/{10**30}", "100.00")),
    ],
)
def test_a_chance_is_told_exactly_and_in_percent(value: Fraction, told: Chance) -> None:
    assert plain(value) == plain(told)


def test_chips_may_be_told_exactly_too_where_two_decimals_are_too_few() -> None:
    assert plain(ExactlyInChips(-7, 2600)) == plain(ExactChips("-7/2600", "0.00"))
    assert plain(ExactlyInChips(3)) == plain(ExactChips("3/1", "3.00"))


@pytest.mark.parametrize(
    ("value", "told"),
    [("23.535", "23.54"), ("23.534999", "23.53"), ("-0.125", "-0.13"), ("-0.004", "0.00"), ("-0.005", "-0.01")],
)
def test_what_lies_in_the_middle_is_rounded_away_from_zero(value: str, told: str) -> None:
    assert decimal(Fraction(value)) == told


@given(st.fractions())
def test_decimals_are_what_decimal_makes_of_as_many_digits_as_it_takes(value: Fraction) -> None:
    with localcontext() as context:
        context.prec = 2_000
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        expected = exact.quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert Decimal(decimal(value)) == expected
    assert decimal(value) == f"{abs(expected) if expected == 0 else expected:f}"
