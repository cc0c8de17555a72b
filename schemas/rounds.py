"""Rounds that are worked out without a session, or anew."""

from __future__ import annotations

from ledger.play import MOST_CHIPS
from schemas.base import Strict
from schemas.events import MOST_EVENTS, EventSchema
from schemas.fields import Listed, Object, Whole, Within
from schemas.sessions import TableSchema


class CalculateSchema(TableSchema):
    """A round to be worked out, without a session."""

    carried = Whole(0, MOST_CHIPS, load_default=0)
    events = Listed(Within(EventSchema), 1, MOST_EVENTS, required=True)


class RecalculateSchema(Strict):
    """House rules to pay a recorded round under; what is not named is as it was."""

    rules = Object(required=True)
