"""About how many bytes of memory a session's history takes, counted as it grows.

What Python says of an object leaves out what hangs on it, and to walk through all of a session would take as long as
folding it. So rows, entries and states are taken at what they were measured to take at all games, and what people wrote
and listed is added as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from sys import getsizeof
from typing import Any

from ledger.books import Balances, Entry
from ledger.cards import Card
from ledger.play import Event
from ledger.records import fields_of, is_record

A_ROW = 1_200
"""A row of the log and its place on the timeline, with the table there."""

AN_ENTRY = 230

A_STATE = 600
"""What a state of the past takes besides its row, its place and its balances."""

A_PLACE = 700
"""A place that was played again."""

MOST_OF_THE_PAST = 12_000_000
"""How many bytes the states before the newest may take; then they are let go."""


def of_a_row(event: Event, entries: Sequence[Entry]) -> int:
    """Say what a row takes that stays for good, with its place and its entries."""
    return A_ROW + of_words(event) + AN_ENTRY * len(entries)


def of_a_state(new: Balances | None) -> int:
    """Say what a state takes that is let go with the past; `new` are its balances, unless it shares them."""
    return A_STATE + (getsizeof(new) if new is not None else 0)


def of_words(value: Any) -> int:
    """Say what the texts and lists of an event take. Cards are the deck's."""
    if isinstance(value, str):
        return getsizeof(value)
    if isinstance(value, int | Card) or value is None:
        return 0
    if isinstance(value, tuple):
        return getsizeof(value) + sum(map(of_words, value))
    if isinstance(value, Mapping):
        return getsizeof(value) + sum(map(of_words, value.values()))
    names: tuple[str, ...] = _names(value.__class__)
    return sum([of_words(getattr(value, name)) for name in names])


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.attribute for field in fields_of(kind)) if is_record(kind) else ()
