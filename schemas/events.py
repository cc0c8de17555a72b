"""Events on the wire and in the log: one schema an event, one union over all of them, told apart by `type`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validate
from marshmallow import fields as wire
from marshmallow_oneofschema import OneOfSchema

from ledger import session
from ledger.games import GAMES, newest
from ledger.play import Event, event_type
from ledger.sentences import docline
from schemas.records import RecordSchema, schema_class


def event_types() -> Mapping[str, type[Event]]:
    """Give every event that can be reported in any game, by its name on the wire."""
    books = [newest(game) for game in GAMES]
    kinds = (*session.EVENTS, *(kind for book in books for kind in (*book.between, *book.events)))
    return {event_type(kind): kind for kind in kinds}


EVENT_TYPES: Mapping[str, type[Event]] = event_types()
"""Every event that can be reported in any game, by its name on the wire."""


DEEPEST = 3
"""How many events may lie in one another. More than a correction and its event is refused later, by name."""


def event_schema(kind: type[Event]) -> type[RecordSchema]:
    """Give the schema of one kind of event, its `type` included."""
    name = event_type(kind)
    said = wire.String(required=True, validate=validate.Equal(name), metadata={"enum": [name]}, dump_default=name)
    plain = schema_class(kind, RecordSchema)
    return type(f"{kind.__name__}Event", (plain,), {"type": said, "__doc__": docline(kind)})


class EventSchema(OneOfSchema):
    """Any event; `type` says which."""

    type_field = "type"
    type_field_remove = False
    type_schemas = {name: event_schema(kind)() for name, kind in EVENT_TYPES.items()}  # noqa: RUF012 - its own way

    def get_obj_type(self, obj: Any) -> str:
        """Name the event on the wire."""
        return event_type(type(obj))

    def _load(self, data: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict):
            raise ValidationError("an event is an object with a `type`")
        if depth(data) > DEEPEST:
            raise ValidationError("events do not lie this deep in one another")
        if not isinstance(kind := data.get("type"), str) or kind not in self.type_schemas:
            raise ValidationError({"type": ["one of these is needed: " + ", ".join(self.type_schemas)]})
        return super()._load(data, **kwargs)  # type: ignore[no-untyped-call]


def depth(body: Any) -> int:
    """Say how many events lie in one another."""
    if not isinstance(body, dict):
        return 0
    if isinstance(parts := body.get("corrections"), list):
        return max(map(depth, parts), default=1)
    return 1 + depth(body.get("event"))


class CorrectionSchema(EventSchema):
    """One of the corrections that are made together; `type` says which."""

    type_schemas = {  # noqa: RUF012 - its own way
        event_type(kind): EventSchema.type_schemas[event_type(kind)]
        for kind in (session.EventTakenBack, session.EventAmended, session.EventInserted)
    }


_SCHEMA = EventSchema()


def load_event(body: Mapping[str, Any]) -> Event:
    """Make an event from its JSON. Raises marshmallow.ValidationError."""
    event: Event = _SCHEMA.load(body)  # type: ignore[no-untyped-call]
    return event
