"""The books: entries balance, audits find what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.accounting.books import (
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
    is_play,
    posted,
    pot_is_never_in_debt,
    prove,
    reversal,
    reversals_mirror,
)
from ledger.records import replace
from ledger.rulebook.chips import Transfer
from ledger.rulebook.refusal import TooManyChips
from ledger.rulebook.values import MAX_CHIPS

ANTE = Transfer("p1", "pot", 20, "ante")
WON = Transfer("pot", "p2", 20, "pot_won")


def good_books() -> tuple[tuple[Entry, ...], dict[str, int]]:
    entries = entries_for([ANTE, WON], first_id=1, seq=1, round_number=1)
    entries += (reversal(entries[1], number=3, seq=2),)
    return entries, dict(posted({}, entries))


def test_books_kept_by_the_service_pass_every_audit() -> None:
    assert audit(*good_books()) == ()
    assert audit((), {"p1": 5, "pot": 0, "bank": -5}, STANDING_AUDITS) == ()


Spoil = Callable[[Any, Any], tuple[Any, Any]]


def changed(place: int, **fields: object) -> Spoil:
    return lambda e, balances: ([*e[:place], replace(e[place], **fields), *e[place + 1 :]], balances)


def held(**balances: int) -> Spoil:
    return lambda entries, before: (entries, before | balances)


FOUND: list[tuple[Audit, Spoil, list[str]]] = [
    (amounts_are_whole_and_positive, changed(0, amount=0), ["entry 1 moves 0"]),
    (amounts_are_whole_and_positive, changed(2, amount=MAX_CHIPS + 1), ["entry 3 moves 1000000001"]),
    (amounts_are_whole_and_positive, changed(0, amount=20.0), ["entry 1 moves 20.0"]),
    (entries_move_chips_elsewhere, changed(0, payee="p1"), ["entry 1 goes from p1 to itself"]),
    (ids_count_from_one, lambda e, b: (e[1:], b), ["entry 2 stands where 1 should"]),
    (ids_count_from_one, lambda e, b: ((e[0], e[2], e[1]), b), ["entry 3 stands where 2 should"]),
    (reversals_mirror, changed(2, amount=19), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, changed(2, amount=0), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, changed(2, payer="p1"), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, changed(2, payee="p1"), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, changed(2, round=2), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, changed(2, reason="gift"), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ((e[2], *e[:2]), b), ["entry 3 does not reverse entry 2"]),
    (reversals_mirror, lambda e, b: ([*e, replace(e[2], id=4)], b), ["entry 4 does not reverse entry 2"]),
    (reversals_mirror, changed(2, reverses=9), ["entry 3 does not reverse entry 9"]),
    (
        balances_are_the_sums_of_entries,
        held(p1=-19, pot=-1),
        ["p1 should have -20 and has -19", "pot should have 20 and has -1"],
    ),
    (balances_are_the_sums_of_entries, held(bank=0, p9=3), ["p9 should have 0 and has 3"]),
    (balances_are_the_sums_of_entries, lambda e, _b: (e, {"pot": 20}), ["p1 should have -20 and has 0"]),
    (accounts_sum_to_zero, held(p1=1), ["all accounts together hold 21"]),
    (pot_is_never_in_debt, held(pot=-1), ["the pot holds -1"]),
]


@pytest.mark.parametrize(("check", "spoil", "found"), FOUND, ids=map(str, range(len(FOUND))))
def test_an_audit_finds_what_it_is_for(check: Audit, spoil: Spoil, found: list[str]) -> None:
    assert check in AUDITS
    assert [str(finding) for finding in check(*spoil(*good_books()))] == found
    assert not list(check(*good_books()))


@pytest.mark.parametrize(
    ("balances", "pot", "found"),
    [
        ({"p1": 0}, 0, []),
        ({"p1": -20, "pot": 20}, 20, []),
        ({"p1": 1}, 0, ["all accounts together hold 1"]),
        ({"p1": 20, "pot": -20}, -20, ["the pot holds -20"]),
        ({"p1": -20, "pot": 20}, 19, ["the pot on the table holds 19, in the books 20"]),
        ({"p1": 0}, 5, ["the pot on the table holds 5, in the books 0"]),
        (
            {"p1": 25, "pot": -20},
            5,
            ["all accounts together hold 5", "the pot holds -20", "the pot on the table holds 5, in the books -20"],
        ),
    ],
)
def test_books_that_do_not_add_up_are_not_kept_and_all_that_is_wrong_is_told(
    balances: dict[str, int], pot: int, found: list[str]
) -> None:
    if not found:
        prove(balances, pot)
        return
    with pytest.raises(BooksDoNotBalance) as info:
        prove(balances, pot)
    assert [str(finding) for finding in info.value.findings] == found
    assert str(info.value) == "; ".join(found)


@pytest.mark.parametrize("amount", [0, -1, True, 1.0, "1"])
def test_a_transfer_moves_at_least_one_whole_chip(amount: object) -> None:
    with pytest.raises(ValueError, match="not a transfer"):
        Transfer("p1", "pot", amount, "ante")  # type: ignore[arg-type]


def test_a_pot_that_is_brought_forward_is_played_for_and_balances_are_not() -> None:
    brought = [Entry(1, 1, None, "bank", account, 5, "brought_forward", None) for account in ("pot", "p1")]
    assert [is_play(entry) for entry in brought] == [True, False]


def test_a_transfer_goes_from_one_account_to_another() -> None:
    with pytest.raises(ValueError, match="not a transfer"):
        Transfer("p1", "p1", 1, "gift")


def test_a_transfer_moves_at_most_10_to_the_9_chips() -> None:
    Transfer("p1", "pot", MAX_CHIPS, "ante")
    with pytest.raises(TooManyChips):
        Transfer("p1", "pot", MAX_CHIPS + 1, "ante")
