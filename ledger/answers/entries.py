"""Entries of the books."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from ledger import books
from ledger.answers.encoding import ABSENT, Absent
from ledger.play import Account, Amount, Reason, record


@record()
class Entry:
    """Chips moved from one account (a player, `pot`, `bank`) to another."""

    id: int
    seq: int = field(metadata={"description": "the event that caused it"})
    round: int | None
    payer: Account = field(metadata={"wire": "from"})
    payee: Account = field(metadata={"wire": "to"})
    amount: Amount
    reason: Reason
    reverses: int | None
    part: int | Absent = field(
        default=ABSENT,
        metadata={"description": "which part of the event, if it was inserted together with others"},
    )


def entries_answer(entries: Iterable[books.Entry]) -> tuple[Entry, ...]:
    """Give entries as they are told."""
    return tuple(map(entry_answer, entries))


def entry_answer(entry: books.Entry) -> Entry:
    """Give an entry."""
    number, seq, done, payer, payee, amount, reason, reverses, part = entry
    return Entry(number, seq, done, payer, payee, amount, reason, reverses, ABSENT if part is None else part)
