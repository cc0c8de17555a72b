"""Figures as they are written: numbers, intervals, differences, columns."""

from __future__ import annotations

from fractions import Fraction

import pytest
import wcwidth

from ledger.sentences import say
from ledger.simulation import Told, Unit
from ledger.simulation.intervals import Interval
from ledger.simulation.telling import aligned, between, decimal, figure, number, off_by, off_in_words


def told(value: Fraction | None, unit: Unit = "chips", interval: Interval | None = None, of: int = 100) -> Told:
    return Told("name", say("Rounds won"), unit, of, value, interval)


@pytest.mark.parametrize(
    ("value", "unit", "written"),
    [
        (Fraction(1, 3), "share", "33.33"),
        (Fraction(3863, 2), "chips", "1,931.50"),
        (Fraction(-3863, 2), "chips", "−1,931.50"),
        (Fraction(1, 100_000), "share", "0.0010"),
        (Fraction(-9, 100), "chips", "−0.0900"),
        (-1e-9, "chips", "0.0000"),
        (Fraction(0), "share", "0.00"),
        (0.1, "number", "0.10"),
    ],
)
def test_numbers_have_two_places_and_small_ones_four(value: Fraction | float, unit: Unit, written: str) -> None:
    assert number(value, unit) == written


def test_the_most_of_something_is_a_whole_number() -> None:
    assert figure(told(Fraction(12345), of=0)) == "12,345"
    assert figure(told(Fraction(12345, 10))) == "1,234.50"
    assert figure(told(None)) == "–"


def test_decimals_for_programs_have_four_places_and_no_sign_before_nothing() -> None:
    assert decimal(Fraction(1, 3), "share") == "33.3333"
    assert decimal(-1e-7, "chips") == "0.0000"
    assert decimal(Fraction(-1, 3), "chips") == "-0.3333"


def test_intervals_are_written_in_both_languages() -> None:
    interval = Interval(-0.5, 0.25)
    assert between(interval, "share", "en") == "−50.00 to 25.00"
    assert between(interval, "chips", "ja") == "−0.50～0.25"
    assert between(None, "chips", "en") == ""


def test_a_difference_says_what_it_cannot_tell() -> None:
    off = Fraction(1, 4)
    assert off_in_words(told(off, "share", Interval(0.125, 0.375)), "en") == ["+25.00 points", "12.50 to 37.50"]
    assert off_in_words(told(-off, "chips", Interval(-1, 0.5)), "en") == ["−0.25", "−1.00 to 0.50, no difference seen"]
    assert off_in_words(told(off, "chips"), "en") == ["+0.25", "too few evenings differ to tell"]
    assert off_in_words(told(Fraction(0), "chips", Interval(0.0, 0.0)), "en") == ["0", "the same"]
    assert off_in_words(told(None), "en") == ["", ""]
    assert off_by(told(off, "share"), "ja") == "+25.00ポイント"


def test_columns_are_as_wide_as_they_are_on_a_screen() -> None:
    rows = list(aligned([["勝った局", "1.00", "1～2"], ["Won", "10.00", ""], ["", "A", "95%区間"]]))
    assert rows == ["勝った局   1.00     1～2", "Won       10.00", "              A  95%区間"]
    assert wcwidth.wcswidth(rows[0]) == wcwidth.wcswidth(rows[2])
