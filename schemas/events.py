"""Events as they are reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from ledger.play.events import Event
from schemas.base import Listed, Strict, TrueOrFalse, malformed
from schemas.records import EventField

MAX_EVENTS = 500
EVENTS = "The events, in the order in which they were seen."


ANY_EVENT = EventField(required=True)


class EventsSchema(Strict):
    """Events to be recorded, all or none."""

    events = Listed(EventField(), 1, MAX_EVENTS, required=True, description=EVENTS)


class RecordQuery(Strict):
    """How events are to be recorded."""

    dry_run = TrueOrFalse(load_default=False, description="Say what would happen, and store nothing.")


def load_event(body: Mapping[str, Any]) -> Event:
    """Make an event from its JSON. Raises Malformed."""
    try:
        event: Event = ANY_EVENT.deserialize(body)
    except ValidationError as error:
        raise malformed(error) from None
    return event
