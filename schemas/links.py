"""Links that are to be made."""

from __future__ import annotations

from ledger.store import ROLES
from schemas.base import Strict
from schemas.fields import Moment, OneOfWords, Text


class NewLinkSchema(Strict):
    """A link to be made."""

    role = OneOfWords(ROLES, required=True)
    label = Text(100, allow_none=True, load_default=None)
    expires_at = Moment(format="iso", allow_none=True, load_default=None)
