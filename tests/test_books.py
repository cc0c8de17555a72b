"""The books: entries balance, audits find what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.books import (
    AUDITS,
    STANDING_AUDITS,
    Audit,
    BooksDoNotBalance,
    Entry,
    accounts_sum_to_zero,
    amounts_are_whole_and_positive,
    audit,
    balances_are_the_sums_of_entries,
    entries_for,
    entries_move_chips_elsewhere,
    ids_count_from_one,
    posted,
    pot_is_never_in_debt,
    prove,
    reversal,
    reversals_mirror,
)
from ledger.play import MOST_CHIPS, TooManyChips, Transfer

ANTE = Transfer("p1", "pot", 20, "ante")
WON = Transfer("pot", "p2", 20, "pot_won")


def good_books() -> tuple[tuple[Entry, ...], dict[str, int]]:
    entries = entries_for([ANTE, WON], first_id=1, seq=1, round_number=1)
    entries += (reversal(entries[1], number=3, seq=2),)
    return entries, dict(posted({}, entries))


def test_books_kept_by_the_service_pass_every_audit() -> None:
    assert audit(*good_books()) == ()
    assert audit((), {"p1": 5, "pot": 0, "bank": -5}, STANDING_AUDITS) == ()


def test_balances_are_what_was_there_and_what_came_and_went() -> None:
    before = {"p1": 3, "p2": 5, "pot": 10, "bank": -18}
    assert posted(before, [ANTE, WON, WON]) == {"p1": -17, "p2": 45, "pot": -10, "bank": -18}
    assert posted({}, [WON]) == {"pot": -20, "p2": 20}
    assert before["p1"] == 3


def test_transfers_are_written_down_in_order_with_what_caused_them() -> None:
    assert entries_for([ANTE, WON], first_id=5, seq=3, round_number=2, part=1) == (
        Entry(5, 3, 2, "p1", "pot", 20, "ante", reverses=None, part=1),
        Entry(6, 3, 2, "pot", "p2", 20, "pot_won", reverses=None, part=1),
    )


def test_a_reversal_moves_the_same_chips_the_other_way() -> None:
    entry = Entry(7, 3, 1, "p1", "pot", 20, "ante", part=2)
    assert reversal(entry, number=9, seq=4) == Entry(9, 4, 1, "pot", "p1", 20, "ante", reverses=7)


FOUND: list[tuple[Audit, Callable[[Any, Any], tuple[Any, Any]], list[str]]] = [
    (amounts_are_whole_and_positive, lambda e, b: ([e[0]._replace(amount=0), *e[1:]], b), ["entry 1 moves 0"]),
    (
        amounts_are_whole_and_positive,
        lambda e, b: ([*e[:2], e[2]._replace(amount=MOST_CHIPS + 1)], b),
        ["entry 3 moves 1000000001"],
    ),
    (amounts_are_whole_and_positive, lambda e, b: ([e[0]._replace(amount=20.0), *e[1:]], b), ["entry 1 moves 20.0"]),
    (
        entries_move_chips_elsewhere,
        lambda e, b: ([e[0]._replace(payee="p1"), *e[1:]], b),
        ["entry 1 goes from p1 to itself"],
    ),
    (ids_count_from_one, lambda e, b: (e[1:], b), ["entry 2 stands where 1 should"]),
    (ids_count_from_one, lambda e, b: ((e[0], e[2], e[1]), b), ["entry 3 stands where 2 should"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(amount=19)], b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(amount=0)], b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(payer="p1")], b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(payee="p1")], b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(round=2)], b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(reason="gift")], b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e, e[2]._replace(id=4)], b), ["entry 4 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e[:2], e[2]._replace(reverses=9)], b), ["entry 3 does not reverse entry 9"]),
    (reversals_mirror, lambda e, b: ((e[2], *e[:2]), b), ["entry 3 does not reverse entry 2"]),
    (
        balances_are_the_sums_of_entries,
        lambda e, b: (e, {**b, "p1": -19, "p2": -1}),
        ["p1 should have -20 and has -19", "p2 should have 0 and has -1"],
    ),
    (balances_are_the_sums_of_entries, lambda e, b: (e, {**b, "bank": 0, "p9": 3}), ["p9 should have 0 and has 3"]),
    (balances_are_the_sums_of_entries, lambda e, _b: (e, {"pot": 20}), ["p1 should have -20 and has 0"]),
    (accounts_sum_to_zero, lambda e, b: (e, {**b, "p1": 1}), ["all accounts together hold 21"]),
    (pot_is_never_in_debt, lambda e, b: (e, {**b, "pot": -1}), ["the pot holds -1"]),
]


@pytest.mark.parametrize(("check", "spoil", "found"), FOUND, ids=map(str, range(len(FOUND))))
def test_an_audit_finds_what_it_is_for(
    check: Audit, spoil: Callable[[Any, Any], tuple[Any, Any]], found: list[str]
) -> None:
    assert check in AUDITS
    assert [str(finding) for finding in check(*spoil(*good_books()))] == found
    assert not list(check(*good_books()))


def test_books_that_do_not_sum_to_zero_are_not_kept() -> None:
    with pytest.raises(BooksDoNotBalance, match="all accounts together hold 1"):
        prove({"p1": 1}, pot=0)


def test_books_with_a_pot_in_debt_are_not_kept() -> None:
    with pytest.raises(BooksDoNotBalance, match="the pot holds -20"):
        prove({"p1": 20, "pot": -20}, pot=-20)


def test_the_pot_on_the_table_has_to_be_the_pot_in_the_books() -> None:
    prove({"p1": -20, "pot": 20}, pot=20)
    with pytest.raises(BooksDoNotBalance, match="the pot on the table holds 19, in the books 20"):
        prove({"p1": -20, "pot": 20}, pot=19)
    prove({"p1": 0}, pot=0)
    with pytest.raises(BooksDoNotBalance, match="the pot on the table holds 5, in the books 0"):
        prove({"p1": 0}, pot=5)


def test_all_that_is_wrong_with_books_is_told() -> None:
    with pytest.raises(BooksDoNotBalance) as info:
        prove({"p1": 25, "pot": -20}, pot=5)
    told = ["all accounts together hold 5", "the pot holds -20", "the pot on the table holds 5, in the books -20"]
    assert [str(finding) for finding in info.value.findings] == told
    assert str(info.value) == "; ".join(told)


@pytest.mark.parametrize("amount", [0, -1, True, 1.0, "1"])
def test_a_transfer_moves_at_least_one_whole_chip(amount: object) -> None:
    with pytest.raises(ValueError, match="not a transfer"):
        Transfer("p1", "pot", amount, "ante")  # type: ignore[arg-type]


def test_a_transfer_goes_from_one_account_to_another() -> None:
    with pytest.raises(ValueError, match="not a transfer"):
        Transfer("p1", "p1", 1, "gift")


def test_a_transfer_moves_at_most_10_to_the_9_chips() -> None:
    Transfer("p1", "pot", MOST_CHIPS, "ante")
    with pytest.raises(TooManyChips):
        Transfer("p1", "pot", MOST_CHIPS + 1, "ante")
