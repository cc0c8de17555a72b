"""Who pays whom, in chips and, where a chip has a value, in money."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from babel.numbers import get_currency_precision

from ledger import settlement
from ledger.answers.encoding import ABSENT, Absent
from ledger.play import Account, Chips, PlayerId
from ledger.session import ChipValue
from ledger.settlement import in_money


@dataclass(frozen=True, slots=True)
class Payment:
    """Somebody pays somebody: in chips, and in money where a chip has a value."""

    payer: Account = field(metadata={"wire": "from"})
    payee: Account = field(metadata={"wire": "to"})
    amount: Chips
    money: str | Absent = field(
        default=ABSENT, metadata={"description": "a decimal number, rounded down to the currency's minor unit"}
    )
    remainder: str | Absent = field(
        default=ABSENT, metadata={"description": "what the minor unit cannot express, if anything"}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """Payments that clear all balances. `exact`: there cannot be fewer."""

    payments: tuple[Payment, ...]
    exact: bool
    via: PlayerId | None
    currency: str | None
    remainder: str | None = field(metadata={"description": "what all remainders come to, in money"})


def settlement_answer(due: settlement.Settlement, via: PlayerId | None, value: ChipValue | None) -> Settlement:
    """Give a settlement, in money too where a chip has a value."""
    payments = tuple(payment_answer(payment, value) for payment in due.payments)
    left = sum((Decimal(p.remainder) for p in payments if p.remainder is not ABSENT), Decimal(0))
    return Settlement(
        payments=payments,
        exact=due.exact,
        via=via,
        currency=value.currency if value else None,
        remainder=format(left.normalize(), "f") if value else None,
    )


def payment_answer(payment: settlement.Payment, value: ChipValue | None) -> Payment:
    """Give a payment, in money too where a chip has a value."""
    if value is None:
        return Payment(*payment)
    money = in_money(payment.amount, value.per_chip, get_currency_precision(value.currency))
    remainder = format(money.remainder.normalize(), "f") if money.remainder else ABSENT
    return Payment(*payment, format(money.amount, "f"), remainder)
