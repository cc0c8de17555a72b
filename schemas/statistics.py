"""Statistics as JSON."""

from __future__ import annotations

from marshmallow import fields
from marshmallow.validate import Length

from schemas.sessions import Strict

MOST_SESSIONS = 50


class SeveralSchema(Strict):
    """The sessions that are to be counted together, by a token of each."""

    tokens = fields.List(fields.String(), required=True, validate=Length(1, MOST_SESSIONS))
