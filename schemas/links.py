"""Links that are to be made."""

from __future__ import annotations

from ledger.store import ROLES
from schemas.base import Strict
from schemas.fields import Moment, OneOfWords, Text, TrueOrFalse


class NewLinkSchema(Strict):
    """A link to be made."""

    role = OneOfWords(ROLES, required=True)
    label = Text(100, allow_none=True, load_default=None)
    expires_at = Moment(format="iso", allow_none=True, load_default=None)


class RevokingQuery(Strict):
    """Whether a link is to be revoked even if it is the last one that owns the session."""

    even_if_last = TrueOrFalse(
        load_default=False, metadata={"description": "also the last link that owns the session: nobody else will"}
    )
