"""Who pays whom, in chips and, where a chip has a value, in money."""

from __future__ import annotations

from decimal import Decimal

from babel.numbers import get_currency_precision

from ledger.records import UNSET, replace
from ledger.session.events import ChipValue
from ledger.settlement import Payment, Settlement, in_money


def settlement_answer(due: Settlement, value: ChipValue | None) -> Settlement:
    """Give a settlement, in money too where a chip has a value."""
    if value is None:
        return due
    digits, payments, left = get_currency_precision(value.currency), list[Payment](), Decimal(0)
    for payment in due.payments:
        money = in_money(payment.amount, value.per_chip, digits)
        left += money.remainder
        rest = f"{money.remainder.normalize():f}" if money.remainder else UNSET
        payments.append(replace(payment, money=f"{money.amount:f}", remainder=rest))
    return replace(due, payments=tuple(payments), currency=value.currency, remainder=f"{left.normalize():f}")
