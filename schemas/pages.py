"""Which part of a list is wanted."""

from __future__ import annotations

from schemas.base import Strict
from schemas.fields import TEXT, Digits, Value

MOST_PAGE = 500
MOST_SEQ = 2**53 - 1


class CursorQuery(Strict):
    """From where on something is wanted."""

    after = Digits(
        0,
        MOST_SEQ,
        load_default=0,
        description="Only what comes after this one: the seq of an event, the number of a round, the id of an"
        " entry; where a list is counted, how many elements to pass over.",
    )


class PageQuery(CursorQuery):
    """Which part of a list is wanted."""

    limit = Digits(1, MOST_PAGE, load_default=100, description="How many at most.")


class LedgerQuery(PageQuery):
    """Which part of the ledger is wanted."""

    account = Value(
        TEXT,
        load_default=None,
        description="Only the entries of this account: a player's id, `pot` or `bank`.",
        examples=["p1"],
    )


def is_seq(text: str) -> bool:
    """Say whether a text is the number of an event, as an address has it."""
    return text.isascii() and text.isdigit() and len(text) <= len(str(MOST_SEQ))
