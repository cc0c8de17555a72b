"""Who pays whom: the fewest payments that clear everyone, and what stays of them once some were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from ledger.accounting.settlement import Payment, Settlement, in_money, settle, settle_after, settle_through
from ledger.records import replace

Balances = dict[str, int]


@st.composite
def balances(draw: st.DrawFn, fewest: int = 1, most: int = 23, most_chips: int = 1_000) -> Balances:
    """What people have, which comes to nothing together; of few chips, so that some cancel out."""
    chips = draw(st.lists(st.integers(-most_chips, most_chips), min_size=fewest - 1, max_size=most - 1))
    return {f"p{number}": had for number, had in enumerate([*chips, -sum(chips)], 1)}


few = balances(most=8, most_chips=6)
some = balances(most=12, most_chips=9)
many = balances()


@st.composite
def groups(draw: st.DrawFn) -> list[list[int]]:
    """What up to sixteen people have who clear themselves in groups."""
    sizes = draw(st.lists(st.integers(3, 6), min_size=2, max_size=5).filter(lambda sizes: sum(sizes) <= 16))
    chips = [draw(st.lists(st.integers(-400, 400), min_size=size - 1, max_size=size - 1)) for size in sizes]
    return [[*had, -sum(had)] for had in chips]


def after(before: Mapping[str, int], paid: Sequence[Payment]) -> Balances:
    """What people have once some payments were made."""
    now = dict(before)
    for payer, payee, amount, *_ in map(astuple, paid):
        now[payer] += amount
        now[payee] -= amount
    return now


def with_balance(people: Mapping[str, int]) -> int:
    return sum(1 for chips in people.values() if chips)


def fewest(left: Sequence[int]) -> int:
    """The fewest payments, found by trying all ways in which the first person can be cleared by one other."""
    left = [chips for chips in left if chips]
    if not left:
        return 0
    first, *others = left
    ways = [at for at, chips in enumerate(others) if (chips < 0) != (first < 0)]
    return 1 + min(fewest([*others[:at], others[at] + first, *others[at + 1 :]]) for at in ways)


# --- what a settlement is -------------------------------------------------------------------------------------------


def everyone_is_cleared(before: Balances, payments: Sequence[Payment]) -> None:
    assert not any(after(before, payments).values())


def only_who_owes_pays_and_only_who_is_owed_is_paid(before: Balances, payments: Sequence[Payment]) -> None:
    for payer, payee, amount, *_ in map(astuple, payments):
        assert before[payer] < 0 < before[payee]
        assert 0 < amount <= min(-before[payer], before[payee])


def nobody_pays_the_same_person_twice(_before: Balances, payments: Sequence[Payment]) -> None:
    between = [(payment.payer, payment.payee) for payment in payments]
    assert len(between) == len(set(between))


def there_is_at_most_one_payment_fewer_than_people(before: Balances, payments: Sequence[Payment]) -> None:
    assert len(payments) <= max(0, with_balance(before) - 1)


def payments_stand_in_the_order_of_seats(before: Balances, payments: Sequence[Payment]) -> None:
    seats = list(before)
    assert [*payments] == sorted(payments, key=lambda p: (seats.index(p.payer), seats.index(p.payee)))


@given(balances())
def test_a_settlement_keeps_every_law(before: Balances) -> None:
    payments = settle(before).payments
    everyone_is_cleared(before, payments)
    only_who_owes_pays_and_only_who_is_owed_is_paid(before, payments)
    nobody_pays_the_same_person_twice(before, payments)
    there_is_at_most_one_payment_fewer_than_people(before, payments)
    payments_stand_in_the_order_of_seats(before, payments)


@given(few)
def test_there_cannot_be_fewer_payments(before: Balances) -> None:
    settlement = settle(before)
    assert settlement.exact
    assert len(settlement.payments) == fewest(list(before.values()))


@given(groups(), st.randoms())
def test_who_clears_in_groups_needs_a_payment_fewer_for_each(together: list[list[int]], random: Random) -> None:
    chips = [had for group in together for had in group]
    random.shuffle(chips)
    settlement = settle({f"p{number}": had for number, had in enumerate(chips, 1)})
    assert settlement.exact
    assert len(settlement.payments) <= sum(max(0, sum(map(bool, group)) - 1) for group in together)


def test_sixteen_people_need_no_more_payments_than_their_groups() -> None:
    """Five groups of three and one who is even; the groups sit apart, and no two people cancel out."""
    threes = [(-3, -5, 8), (-30, -50, 80), (-300, -500, 800), (-3_000, -5_000, 8_000), (-30_000, -50_000, 80_000)]
    chips = [three[place] for place in range(3) for three in threes]
    before = {f"p{number}": had for number, had in enumerate([*chips, 0], 1)}
    assert settle(before).exact
    assert len(settle(before).payments) == 10


@pytest.mark.parametrize(("people", "exact"), [(16, True), (17, False)])
def test_beyond_sixteen_people_the_fewest_are_not_promised(people: int, exact: bool) -> None:  # noqa: FBT001
    """Nobody cancels out with anybody here."""
    before = {f"p{number}": 2**number for number in range(people - 1)} | {"last": 1 - 2 ** (people - 1)}
    settlement = settle(before)
    assert settlement.exact is exact
    assert len(settlement.payments) == people - 1
    assert not any(after(before, settlement.payments).values())


def test_people_who_cancel_out_in_pairs_need_a_payment_each_however_many_they_are() -> None:
    debts = {f"debtor {number}": -number for number in range(1, 31)}
    owed = {f"creditor {number}": number for number in range(30, 0, -1)}
    settlement = settle(debts | owed)
    assert settlement.exact
    assert settlement.payments == tuple(Payment(f"debtor {n}", f"creditor {n}", n) for n in range(1, 31))


def test_of_several_who_cancel_out_the_first_pays_the_first() -> None:
    before = {"aki": -10, "ben": -10, "chie": 10, "dai": 10}
    assert settle(before).payments == (Payment("aki", "chie", 10), Payment("ben", "dai", 10))


def test_who_is_even_pays_nothing() -> None:
    assert settle({}) == settle({"aki": 0, "ben": 0}) == Settlement((), exact=True)


@pytest.mark.parametrize("lopsided", [{"aki": 1}, {"aki": -30, "ben": 29}])
def test_balances_that_come_to_something_cannot_be_settled(lopsided: Balances) -> None:
    with pytest.raises(ValueError, match="do not sum to zero"):
        settle(lopsided)
    with pytest.raises(ValueError, match="do not sum to zero"):
        settle_through("aki", lopsided)
    with pytest.raises(ValueError, match="do not sum to zero"):
        settle_after(lopsided, [])


# --- once some were paid --------------------------------------------------------------------------------------------


@given(many, st.data())
def test_a_payment_that_was_made_leaves_exactly_the_others(before: Balances, data: st.DataObject) -> None:
    payments = settle(before).payments
    paid = data.draw(st.lists(st.sampled_from(payments), unique=True)) if payments else []
    left = tuple(payment for payment in payments if payment not in paid)
    assert settle_after(before, paid).payments == left


@given(many, st.data())
def test_a_payment_made_in_part_leaves_its_rest(before: Balances, data: st.DataObject) -> None:
    payments = settle(before).payments
    if not payments:
        return
    part = data.draw(st.sampled_from(payments))
    first = data.draw(st.integers(1, part.amount))
    halves = [replace(part, amount=first), replace(part, amount=part.amount - first)]
    rest = {part: halves[1:] if halves[1].amount else []}
    left = tuple(kept for payment in payments for kept in rest.get(payment, [payment]))
    assert settle_after(before, halves[:1]).payments == left
    if halves[1].amount:
        assert settle_after(before, halves).payments == tuple(p for p in payments if p != part)


@given(some, st.data())
def test_what_was_paid_otherwise_is_settled_anew_and_then_stays(before: Balances, data: st.DataObject) -> None:
    """Whatever was paid, what is left clears everyone, and paying any of it leaves exactly the others."""
    people = sorted(before)
    anything = st.builds(Payment, *[st.sampled_from(people)] * 2, st.integers(1, 20))
    paid = data.draw(st.lists(anything.filter(lambda payment: payment.payer != payment.payee), max_size=4))
    left = settle_after(before, paid).payments
    assert not any(after(after(before, paid), left).values())
    if left:
        next_paid = data.draw(st.sampled_from(left))
        others = tuple(payment for payment in left if payment != next_paid)
        assert settle_after(before, [*paid, next_paid]).payments == others


@given(few, st.data())
def test_the_fewest_are_only_promised_where_it_is_sure(before: Balances, data: st.DataObject) -> None:
    """Once a payment was made in part, there may be a way with fewer; after whole ones there is not."""
    payments = settle(before).payments
    if not payments:
        return
    part = data.draw(st.sampled_from(payments))
    paid = replace(part, amount=data.draw(st.integers(1, part.amount)))
    left = settle_after(before, [paid])
    assert not left.exact or len(left.payments) == fewest(list(after(before, [paid]).values()))
    assert left.exact or paid != part


def test_a_rest_may_take_more_payments_than_there_need_be() -> None:
    """What was said stays all the same: p1 and p4 would even out now, and so would p2 and p3."""
    before = {"p1": -10, "p2": -5, "p3": 8, "p4": 7}
    assert len(settle(before).payments) == 3
    paid = [Payment("p1", "p3", 3)]
    left = settle_after(before, paid)
    assert (len(left.payments), left.exact) == (3, False)
    assert len(settle(after(before, paid)).payments) == 2


# --- through one person ---------------------------------------------------------------------------------------------


@given(few, st.data())
def test_a_banker_pays_or_is_paid_by_everyone_else_once(before: Balances, data: st.DataObject) -> None:
    banker = data.draw(st.sampled_from(sorted(before)))
    settlement = settle_through(banker, before)
    assert not any(after(before, settlement.payments).values())
    others = [payment.payee if payment.payer == banker else payment.payer for payment in settlement.payments]
    assert sorted(others) == sorted(person for person, chips in before.items() if chips and person != banker)
    assert settlement.exact is (len(settlement.payments) == fewest(list(before.values())))


def test_more_than_sixteen_through_a_banker_may_be_too_many() -> None:
    before = {f"p{number}": 2**number for number in range(20)} | {"last": 1 - 2**20}
    settlement = settle_through("last", before)
    assert len(settlement.payments) == len(settle(before).payments)
    assert not settlement.exact


# --- money ----------------------------------------------------------------------------------------------------------


worth = st.decimals("0.000000000001", "999999999999.999999999999", places=12).map(lambda value: f"{value:f}")


@given(st.lists(st.integers(1, 10**15), min_size=1), worth, st.sampled_from([0, 2, 3]))
def test_money_and_remainders_come_to_exactly_what_the_chips_are_worth(
    amounts: list[int], per_chip: str, digits: int
) -> None:
    several = [in_money(amount, per_chip, digits) for amount in amounts]
    assert all(0 <= remainder < Decimal(1).scaleb(-digits) for _, remainder in several)
    told = sum(as_whole(money) + as_whole(remainder) for money, remainder in several)
    assert told == sum(amounts) * as_whole(Decimal(per_chip))


def as_whole(value: Decimal) -> int:
    """A decimal number of at most 12 places as a whole number of the smallest."""
    whole, _, behind = f"{value:f}".partition(".")
    return int(whole + behind.ljust(12, "0"))
