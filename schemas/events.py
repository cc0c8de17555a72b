"""Events as they are reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from marshmallow import ValidationError

from ledger.play.events import AnyEvent, Event
from ledger.records import Meta, Record
from schemas.records import EventField, malformed

MAX_EVENTS = 500

Reported = Annotated[
    tuple[AnyEvent, ...],
    Meta(min_length=1, max_length=MAX_EVENTS, description="The events, in the order in which they were seen."),
]


class Events(Record):
    """Events to be recorded, all or none."""

    events: Reported


ANY_EVENT = EventField(required=True)


def load_event(body: Mapping[str, Any]) -> Event:
    """Make an event from its JSON. Raises Malformed."""
    try:
        event: Event = ANY_EVENT.deserialize(body)
    except ValidationError as error:
        raise malformed(error) from None
    return event
