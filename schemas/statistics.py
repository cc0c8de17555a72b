"""Which sessions are to be counted together."""

from __future__ import annotations

from schemas.base import Strict
from schemas.fields import Listed, Word

MOST_SESSIONS = 50


class SeveralSchema(Strict):
    """The sessions that are to be counted together, by a token of each."""

    tokens = Listed(Word(), 1, MOST_SESSIONS, required=True)
