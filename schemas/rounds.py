"""Rounds that are worked out without a session, or anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validates_schema

from ledger.codec.description import CardCode
from ledger.play.values import MAX_CHIPS, Between
from ledger.sentences import say
from schemas.base import Digits, Listed, Strict, SwitchesField, TrueOrFalse, Value
from schemas.events import EVENTS, MAX_EVENTS
from schemas.pages import MAX_SEQ
from schemas.records import EventField
from schemas.sessions import TableSchema


class CalculateSchema(TableSchema):
    """A round to be worked out, and what it is played on."""

    carried = Value(
        Between(0, MAX_CHIPS), load_default=0, description="Chips that lay in the pot when the round opened."
    )
    events = Listed(EventField(), 1, MAX_EVENTS, required=True, description=EVENTS)


class CalculateQuery(Strict):
    """What is told besides of a round that is worked out."""

    odds = TrueOrFalse(load_default=False, description="Whether the answer has the chances, too.")


class OddsQuery(Strict):
    """Of which round the chances are wanted, or with which card."""

    round = Digits(
        1, MAX_SEQ, load_default=None, description="The number of a round, whose chances are wanted event by event."
    )
    what_if = Value(CardCode(("plain",)), load_default=None, description="The chances if the next card was this one.")

    @validates_schema
    def needs_one_of_them(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        """Make sure that a card is only supposed where one is to come."""
        if data.get("round") is not None and data.get("what_if") is not None:
            raise ValidationError({"what_if": [say("this can only be asked of the open round, without its number")]})


class RecalculateSchema(Strict):
    """House rules to pay a recorded round under; what is not named is as it was."""

    rules = SwitchesField(required=True, description="House rules; what is not named is as it was.")
