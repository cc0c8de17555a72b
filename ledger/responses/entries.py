"""Entries of the books."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from ledger import books
from ledger.play.values import Account, Amount, Reason
from ledger.records import UNSET, Meta, Record, UnsetType, field


class Entry(Record):
    """Chips moved from one account (a player, `pot`, `bank`) to another."""

    id: Annotated[int, Meta(description="The entry's number in its session, counted from 1.")]
    seq: Annotated[int, Meta(description="The number of the event that caused the entry.")]
    round: Annotated[int | None, Meta(description="The number of the entry's round; null between rounds.")]
    payer: Annotated[Account, Meta(description="The account that pays: a player's id, `pot` or `bank`.")] = field(
        name="from"
    )
    payee: Annotated[Account, Meta(description="The account that is paid: a player's id, `pot` or `bank`.")] = field(
        name="to"
    )
    amount: Annotated[Amount, Meta(description="How many chips moved.")]
    reason: Annotated[Reason, Meta(description="Why the chips moved: one of the words in the game's `reasons`.")]
    reverses: Annotated[int | None, Meta(description="The id of the entry that this one reverses; null for others.")]
    part: Annotated[
        int | UnsetType,
        Meta(
            description="The part of the event that caused the entry, where corrections were made together.",
            extra={"minimum": 1},
        ),
    ] = UNSET


def entries_answer(entries: Iterable[books.Entry]) -> tuple[Entry, ...]:
    """Give entries as they are told."""
    return tuple(map(entry_answer, entries))


def entry_answer(entry: books.Entry) -> Entry:
    number, seq, done, payer, payee, amount, reason, reverses, part = entry
    return Entry(number, seq, done, payer, payee, amount, reason, reverses, UNSET if part is None else part)
