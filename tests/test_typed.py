"""Numbers as people type them: read in any width and grouping, and never as another number."""

from __future__ import annotations

import pytest

from ledger.notation.typed import amounts_of_money, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("25", 25), ("２５", 25), ("+5", 5), ("＋５", 5), ("007", 7), (" 12 ", 12), ("0", 0)),
        *(("-30", -30), ("\N{MINUS SIGN}30", -30), ("－３０", -30), ("\N{MINUS SIGN}1,030", -1030)),
        *((f"1{mark}000", 1000) for mark in (",", " ", "\u00a0", "\u2009", "\u202f", "，", "'", "’")),
        *(("1,234,567", 1_234_567), ("１，０００", 1000), ("12 345", 12_345)),
    ],
)
def test_a_whole_number_is_read_as_it_is_typed(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "1.5", "1.000", "1,5", "10,00", "1,0000", "1000,000", "0,500", "1,000 000", "1,,000", "1,000,"),
        *("1e3", "=1+1", "1_000", "--1", "٣", "二十五", "１２個", "1\n000", "12345678901234567"),
    ],
)
def test_anything_else_is_no_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        *(("10", "JPY", "10"), ("１０", "JPY", "10"), ("1,000", "JPY", "1000"), ("1 000", "EUR", "1000")),
        *(("12.5", "JPY", "12.5"), ("0,5", "EUR", "0.5"), ("1,50", "EUR", "1.50"), ("０．２５", "EUR", "0.25")),
        *(("1,000.50", "EUR", "1000.50"), ("1'000,50", "CHF", "1000.50"), ("1,000,000", "EUR", "1000000")),
    ],
)
def test_money_is_read_as_it_is_typed(text: str, currency: str, amount: str) -> None:
    assert amounts_of_money(text, currency) == (amount,)


@pytest.mark.parametrize(
    ("text", "currency"),
    [("1,5", "JPY"), ("1,5000", "EUR"), ("1.000,50", "EUR"), ("1,000,50", "EUR"), ("0,125", "EUR"), ("-1", "EUR")],
)
def test_any_other_money_is_not_read(text: str, currency: str) -> None:
    assert amounts_of_money(text, currency) == ()


def test_three_digits_behind_a_comma_may_be_decimals_where_there_are_any() -> None:
    assert amounts_of_money("1,000", "EUR") == ("1000", "1.000")
