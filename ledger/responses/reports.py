"""What is worked out of a session: chances, who pays whom, and what checking it gave."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from babel.numbers import get_currency_precision

from ledger.accounting.settlement import Payment, Settlement, in_money
from ledger.records import UNSET, Record, UnsetType, doc, replace
from ledger.responses.shared import EventSeq, InWords, OddsOfTheGame, PartNumber
from ledger.rulebook.event import AnyEvent
from ledger.rulebook.values import Hash
from ledger.session.events import ChipValue
from ledger.session.statistics import DearRide

WhyNoOdds = Annotated[InWords | UnsetType, doc("Why `odds` is null, where it is.")]


class OddsStep(Record, kw_only=True):
    """An event of a round, and the chances after it."""

    event: Annotated[AnyEvent, doc("The event.")]
    seq: EventSeq
    part: Annotated[PartNumber | UnsetType, doc("The part that inserted the event, if one did.")] = UNSET
    odds: Annotated[OddsOfTheGame | None, doc("The chances after the event; null where none are known.")]


class Odds(Record, kw_only=True):
    """The chances in a round; of one that is named by its number also after each of its events."""

    round: Annotated[int | None, doc("The number of the round; null if none is open.")]
    odds: Annotated[OddsOfTheGame | None, doc("The chances in the round; null where none are known.")]
    why_no_odds: WhyNoOdds = UNSET
    steps: Annotated[tuple[OddsStep, ...] | UnsetType, doc("The events of the round, in order.")] = UNSET
    dear_rides: Annotated[
        tuple[DearRide, ...] | UnsetType,
        doc("The back-rides that cost more than they were worth, once the round is over."),
    ] = UNSET


def settlement_answer(due: Settlement, value: ChipValue | None) -> Settlement:
    """Give a settlement, in money too where a chip has a value."""
    if value is None:
        return due
    digits, payments, left = get_currency_precision(value.currency), list[Payment](), Decimal(0)
    for payment in due.payments:
        money, remainder = in_money(payment.amount, value.per_chip, digits)
        left += remainder
        rest = f"{remainder.normalize():f}" if remainder else UNSET
        payments.append(replace(payment, money=f"{money:f}", remainder=rest))
    return replace(due, payments=tuple(payments), currency=value.currency, remainder=f"{left.normalize():f}")


Severity = Literal["error", "warning"]


class Finding(Record):
    """A row that is not as it should be, or a warning about a record that is whole."""

    table: Annotated[str, doc("The table of the row.")]
    row: Annotated[int | str, doc("The key of the row.")]
    what: Annotated[str, doc("What is not as it should be, in the reader's language.")]
    severity: Annotated[Severity, doc("`error` if the record is damaged, `warning` if it is whole.")]


class Verified(Record, kw_only=True):
    """The result of checking a session."""

    ok: Annotated[bool, doc("Whether the record is as it was recorded.")]
    events: Annotated[int, doc("How many events were checked.")]
    entries: Annotated[int, doc("How many entries were checked.")]
    forgotten: Annotated[int, doc("How many texts of erased players are gone.")]
    head: Annotated[Hash, doc("The last hash of the chain.")]
    findings: Annotated[tuple[Finding, ...], doc("Rows that are not as they were recorded, and warnings.")]
