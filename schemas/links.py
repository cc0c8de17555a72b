"""Links that are to be made."""

from __future__ import annotations

from ledger.play.values import Kind
from ledger.storage.records import ROLES
from schemas.base import Moment, OneOfWords, Strict, TrueOrFalse, Value


class NewLinkSchema(Strict):
    """A link to be made."""

    role = OneOfWords(ROLES, required=True, description="What the link lets its bearer do.")
    label = Value(
        Kind("name", 100),
        allow_none=True,
        load_default=None,
        description="The name of the link in the list of links.",
        examples=["Chie's phone"],
    )
    expires_at = Moment(
        allow_none=True,
        load_default=None,
        description="When the link ends by itself: a moment from 2000 to 9998, with its time zone (RFC 3339).",
        examples=["2099-01-01T00:00:00Z"],
    )


class RevokingQuery(Strict):
    """Whether a link is to be revoked even if it is the last one that owns the session."""

    even_if_last = TrueOrFalse(load_default=False, description="Also if it is the last link that owns the session.")
