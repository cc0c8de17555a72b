"""Settlement: the fewest payments that clear all balances.

A negative balance is owed by its player, a positive one to it. A group whose balances sum to zero needs one payment
fewer than it has members, so the fewest payments come from the most groups. These are found exactly among up to 16
people; beyond, people who cancel out in pairs are put together first and the rest is one group. Within a group, debts
lie along one line and credits along another, both in seat order, and what lies side by side is a payment: striking out
one payment leaves all the others as they were.

Amounts are whole chips; money is a Decimal of the currency's minor unit, with a remainder that the unit cannot express.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from itertools import product
from typing import Annotated

from ledger.cooperation import yielding
from ledger.records import UNSET, Record, UnsetType, doc, field, replace
from ledger.rulebook.values import Account, Chips, PlayerId

MAX_EXACT = 16
EXACTLY = Context(prec=100)
"""More digits than any number of chips has together with what a chip may be worth."""


class Payment(Record):
    """A payment in chips, and in money where a chip has a value."""

    payer: Annotated[Account, doc("The account that pays: a player's id, `pot` or `bank`.")] = field(name="from")
    payee: Annotated[Account, doc("The account that is paid: a player's id, `pot` or `bank`.")] = field(name="to")
    amount: Annotated[Chips, doc("The payment in chips.")]
    money: Annotated[str | UnsetType, doc("The payment in money, rounded down to the minor unit.")] = UNSET
    remainder: Annotated[str | UnsetType, doc("The rest that the minor unit cannot express.")] = UNSET


class Settlement(Record):
    """The payments that clear all balances."""

    payments: Annotated[tuple[Payment, ...], doc("The payments that clear all balances.")]
    exact: Annotated[bool, doc("Whether no fewer payments would do.")]
    via: Annotated[PlayerId | None, doc("Through whom everything is paid; null for the fewest payments.")] = None
    currency: Annotated[str | None, doc("An ISO 4217 code; null without a chip value.", "JPY")] = None
    remainder: Annotated[str | None, doc("The sum of all remainders in money; null without a chip value.")] = None


def settle(balances: Mapping[Account, Chips]) -> Settlement:
    """Find the payments that clear some balances, which sum to zero; the order of accounts is the seat order."""
    if sum(balances.values()):
        raise ValueError("balances that do not sum to zero cannot be cleared")
    pairs, rest = cancelling_pairs({account: chips for account, chips in balances.items() if chips})
    exact = len(rest) <= MAX_EXACT
    groups = [*pairs, *(most_groups(rest) if exact else [list(rest)])]
    payments = [payment for group in groups for payment in within(group, balances)]
    seats = list(balances)
    payments.sort(key=lambda payment: seats.index(payment.payer))  # to whom, is in order within a group already
    return Settlement(tuple(payments), exact)


def settle_through(banker: Account, balances: Mapping[Account, Chips]) -> Settlement:
    """Clear balances through one player: debts are paid to the banker, credits by the banker."""
    others = {account: chips for account, chips in balances.items() if account != banker}
    debts = tuple(Payment(account, banker, -chips) for account, chips in others.items() if chips < 0)
    owed = tuple(Payment(banker, account, chips) for account, chips in others.items() if chips > 0)
    payments = debts + owed
    fewest = settle(balances)
    return Settlement(payments, fewest.exact and len(payments) == len(fewest.payments), via=banker)


def settle_after(balances: Mapping[Account, Chips], paid: Sequence[Payment]) -> Settlement:
    """Settle some balances after payments that were made since.

    A payment of the settlement strikes itself out; after any other, the rest is settled anew.
    """
    now, settlement = dict(balances), settle(balances)
    for payment in yielding(paid):
        now[payment.payer] = now.get(payment.payer, 0) + payment.amount
        now[payment.payee] = now.get(payment.payee, 0) - payment.amount
        settlement = still_to_pay(settlement, payment) or settle(now)
    return settlement


def still_to_pay(settlement: Settlement, paid: Payment) -> Settlement | None:
    """Strike out a payment of a settlement; None if it is no part of it.

    The fewest payments less one are the fewest still; with one that was made in part, that is not sure.
    """
    due = next((each for each in settlement.payments if (each.payer, each.payee) == (paid.payer, paid.payee)), None)
    if due is None or due.amount < paid.amount:
        return None
    rest = replace(due, amount=due.amount - paid.amount)
    left = (rest if each is due else each for each in settlement.payments)
    return Settlement(tuple(each for each in left if each.amount), settlement.exact and not rest.amount)


def cancelling_pairs(balances: Mapping[Account, Chips]) -> tuple[list[list[Account]], dict[Account, Chips]]:
    """Pair accounts that cancel out. That never costs a group: what is left of both their groups is one."""
    rest = dict(balances)
    waiting: dict[Chips, list[Account]] = {}
    pairs: list[list[Account]] = []
    for account, chips in balances.items():
        if partners := waiting.get(-chips):
            partner = partners.pop(0)
            pairs.append([partner, account])
            del rest[partner], rest[account]
        else:
            waiting.setdefault(chips, []).append(account)
    return pairs, rest


def most_groups(balances: Mapping[Account, Chips]) -> list[list[Account]]:
    """Divide people into as many groups as possible, each summing to zero.

    `most` has the number of groups within every set of people (a bit a person). The last person is in no set: people in
    no other group are in that person's.
    """
    people = list(balances)
    sums = [0]
    for person in people[:-1]:
        sums += [total + balances[person] for total in sums]
    most = [0] * len(sums)
    for some in range(1, len(sums)):
        found, left = 0, some
        while left:
            one = left & -left
            found, left = max(found, most[some ^ one]), left ^ one
        most[some] = found + (not sums[some])
    groups, some, count = [people[-1:]], len(sums) - 1, most[-1]
    while some:
        if not sums[some] and most[some] == count:
            groups.append([])
            count -= 1
        place = next(at for at in range(len(people)) if some >> at & 1 and most[some ^ 1 << at] >= count)
        groups[-1].append(people[place])
        some ^= 1 << place
    return [sorted(group, key=people.index) for group in groups if group]


def within(group: Sequence[Account], balances: Mapping[Account, Chips]) -> list[Payment]:
    """Clear one group: debts and credits side by side in seat order, a payment where two lie beside one another."""
    left, payments = {account: balances[account] for account in group}, list[Payment]()
    for payer, payee in product(group, group):
        if left[payer] < 0 < left[payee]:
            amount = min(-left[payer], left[payee])
            payments.append(Payment(payer, payee, amount))
            left[payer], left[payee] = left[payer] + amount, left[payee] - amount
    return payments


def worth(amount: Chips, per_chip: str) -> Decimal:
    """Give chips in money, exactly."""
    return EXACTLY.multiply(amount, Decimal(per_chip))


def in_money(amount: Chips, per_chip: str, digits: int) -> tuple[Decimal, Decimal]:
    """Give chips in money, rounded down to `digits` behind the point, and the remainder."""
    exact = worth(amount, per_chip)
    rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR, EXACTLY)
    return rounded, EXACTLY.subtract(exact, rounded)
