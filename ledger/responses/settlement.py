"""Who pays whom, in chips and, where a chip has a value, in money."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from babel.numbers import get_currency_precision

from ledger import settlement
from ledger.play.values import Account, Chips, PlayerId
from ledger.records import UNSET, Meta, Record, UnsetType, field
from ledger.session.events import ChipValue
from ledger.settlement import in_money


class Payment(Record):
    """A payment in chips, and in money where a chip has a value."""

    payer: Annotated[Account, Meta(description="The account that pays: a player's id, `pot` or `bank`.")] = field(
        name="from"
    )
    payee: Annotated[Account, Meta(description="The account that is paid: a player's id, `pot` or `bank`.")] = field(
        name="to"
    )
    amount: Annotated[Chips, Meta(description="The payment in chips.")]
    money: Annotated[
        str | UnsetType,
        Meta(description="The payment in money: a decimal number, rounded down to the currency's minor unit."),
    ] = UNSET
    remainder: Annotated[
        str | UnsetType, Meta(description="The rest that the minor unit cannot express, if there is one.")
    ] = UNSET


class Settlement(Record, kw_only=True):
    """The payments that clear all balances."""

    payments: Annotated[tuple[Payment, ...], Meta(description="The payments that clear all balances.")]
    exact: Annotated[bool, Meta(description="Whether no fewer payments would do.")]
    via: Annotated[
        PlayerId | None, Meta(description="The player through whom everything is paid; null for the fewest payments.")
    ]
    currency: Annotated[
        str | None, Meta(description="An ISO 4217 code; null if a chip has no value.", examples=["JPY"])
    ]
    remainder: Annotated[
        str | None, Meta(description="The sum of all remainders in money; null if a chip has no value.")
    ]


def settlement_answer(due: settlement.Settlement, via: PlayerId | None, value: ChipValue | None) -> Settlement:
    """Give a settlement, in money too where a chip has a value."""
    payments = tuple(payment_answer(payment, value) for payment in due.payments)
    left = sum((Decimal(p.remainder) for p in payments if p.remainder is not UNSET), Decimal(0))
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
    remainder = format(money.remainder.normalize(), "f") if money.remainder else UNSET
    return Payment(*payment, format(money.amount, "f"), remainder)
