"""Who pays whom as JSON, in chips and, where a chip has a value, in money."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from babel.numbers import get_currency_precision
from marshmallow import Schema, fields

from ledger.session import ChipValue
from ledger.settlement import Payment, Settlement, in_money
from schemas.sessions import Strict


class SettlementQuery(Strict):
    """How debts are to be settled."""

    via = fields.String(load_default=None, metadata={"description": "a player through whom everything is paid"})


class PaymentSchema(Schema):
    """Somebody pays somebody: in chips, and in money where a chip has a value."""

    payer = fields.String(required=True, data_key="from")
    payee = fields.String(required=True, data_key="to")
    amount = fields.Integer(required=True)
    money = fields.String(metadata={"description": "a decimal number, rounded down to the currency's minor unit"})
    remainder = fields.String(metadata={"description": "what the minor unit cannot express, if anything"})


class SettlementSchema(Schema):
    """Payments that clear all balances. `exact`: there cannot be fewer."""

    payments = fields.List(fields.Nested(PaymentSchema), required=True)
    exact = fields.Boolean(required=True)
    via = fields.String(required=True, allow_none=True)
    currency = fields.String(required=True, allow_none=True)
    remainder = fields.String(
        required=True, allow_none=True, metadata={"description": "what all remainders come to, in money"}
    )


def dump_settlement(settlement: Settlement, via: str | None, value: ChipValue | None) -> dict[str, Any]:
    """Give a settlement as `SettlementSchema` describes it."""
    payments = [dump_payment(payment, value) for payment in settlement.payments]
    left = sum((Decimal(payment.get("remainder", "0")) for payment in payments), Decimal(0))
    return {
        "payments": payments,
        "exact": settlement.exact,
        "via": via,
        "currency": value.currency if value else None,
        "remainder": format(left.normalize(), "f") if value else None,
    }


def dump_payment(payment: Payment, value: ChipValue | None) -> dict[str, Any]:
    """Give a payment as `PaymentSchema` describes it."""
    told: dict[str, Any] = {"from": payment.payer, "to": payment.payee, "amount": payment.amount}
    if value is None:
        return told
    money = in_money(payment.amount, value.per_chip, get_currency_precision(value.currency))
    told["money"] = format(money.amount, "f")
    if money.remainder:
        told["remainder"] = format(money.remainder.normalize(), "f")
    return told
