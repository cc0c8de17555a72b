"""Which part of a list is wanted."""

from __future__ import annotations

from marshmallow import Schema

from schemas.base import Digits, MessageField, Strict

MAX_PAGE = 500
MAX_SEQ = 2**53 - 1


class StreamQuery(Strict):
    """From where on the log is streamed."""

    after = Digits(0, MAX_SEQ, load_default=0, description="The seq of the last event that was received.")


def page_query(after: str, **more: MessageField) -> type[Schema]:
    """Make the query of a list: what its cursor is, how many elements at most, and perhaps more."""
    cursor = Digits(0, MAX_SEQ, load_default=0, description=after)
    limit = Digits(1, MAX_PAGE, load_default=100, description="How many at most.")
    return Strict.from_dict({"after": cursor, "limit": limit, **more}, name="PageQuery")


def is_seq(text: str) -> bool:
    """Say whether a text is the number of an event, as an address has it."""
    return text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEQ))
