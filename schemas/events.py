"""Events as they are reported: one schema an event, one union over all of them, told apart by `type`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validate
from marshmallow_oneofschema import OneOfSchema

from ledger import session
from ledger.budget import breathe
from ledger.games import GAMES, from_shelf, newest
from ledger.play import Event, event_type
from ledger.sentences import docline, say
from schemas.base import Strict, loaded, wrong
from schemas.fields import Listed, TrueOrFalse, Within, Word
from schemas.records import MOST_IN_A_LIST, RecordSchema, schema_class

MOST_EVENTS = 500
DEEPEST = 3
"""How many events may lie in one another. More than a correction and its event is refused later, by name."""


@from_shelf
def event_types() -> Mapping[str, type[Event]]:
    """Give every event that can be reported in any game, by its name on the wire."""
    books = [newest(game) for game in GAMES]
    kinds = (*session.EVENTS, *(kind for book in books for kind in (*book.between, *book.events)))
    return {event_type(kind): kind for kind in kinds}


_MADE: dict[type[Event], RecordSchema] = {}


def event_schema(kind: type[Event]) -> RecordSchema:
    """Give the schema of one kind of event, its `type` included; it is made once, also if two ask for it at once."""
    if kind not in _MADE:
        said = Word(required=True, validate=validate.OneOf([event_type(kind)]))
        made = type(f"{kind.__name__}Event", (schema_class(kind),), {"type": said, "__doc__": docline(kind)})
        _MADE.setdefault(kind, made())
    return _MADE[kind]


@from_shelf
def event_schemas() -> Mapping[str, RecordSchema]:
    """Give the schema of every event, by its name on the wire."""
    return {name: event_schema(kind) for name, kind in event_types().items()}


class _Reported(OneOfSchema):
    """One of some events; `type` says which."""

    type_field = "type"
    type_field_remove = False

    def _load(self, data: Any, **kwargs: Any) -> Any:
        breathe()
        if not isinstance(data, dict):
            raise wrong(say("an event is an object with a `type`"))
        if depth(data, DEEPEST + 1) > DEEPEST:
            raise wrong(say("events do not lie this deep in one another"))
        known = self.type_schemas
        if not isinstance(kind := data.get("type"), str) or kind not in known:
            needed = say("one of these is needed: {words}", words=", ".join(known))
            raise ValidationError({"type": [needed]})
        return super()._load(data, **kwargs)  # type: ignore[no-untyped-call]


def depth(body: Any, most: int) -> int:
    """Say how many events lie in one another, up to so many. Corrections made together do not lie in one another."""
    if not isinstance(body, dict) or most <= 0:
        return 0
    if isinstance(parts := body.get("corrections"), list):
        return max((depth_of_part(part, most) for part in parts[:MOST_IN_A_LIST]), default=1)
    return 1 + depth(body.get("event"), most - 1)


def depth_of_part(part: Any, most: int) -> int:
    """Say how many events lie in a part of a correction; one that has parts itself is none, and is refused by name."""
    is_none = isinstance(part, dict) and "corrections" in part
    return 1 if is_none else depth(part, most)


class EventSchema(_Reported):
    """Any event; `type` says which."""

    @property
    def type_schemas(self) -> Mapping[str, RecordSchema]:  # type: ignore[override]  # read off the shelf when needed
        """Give the schemas by `type`."""
        return event_schemas()


class CorrectionSchema(_Reported):
    """One of the corrections that are made together; `type` says which."""

    @property
    def type_schemas(self) -> Mapping[str, RecordSchema]:  # type: ignore[override]
        """Give the schemas by `type`."""
        kinds = (session.EventTakenBack, session.EventAmended, session.EventInserted)
        return {event_type(kind): event_schema(kind) for kind in kinds}


def load_event(body: Mapping[str, Any]) -> Event:
    """Make an event from its JSON. Raises Malformed."""
    event: Event = loaded(EventSchema(), body)
    return event


class EventsSchema(Strict):
    """Events to be recorded, all or none."""

    events = Listed(Within(EventSchema), 1, MOST_EVENTS, required=True)


class RecordQuery(Strict):
    """How events are to be recorded."""

    dry_run = TrueOrFalse(load_default=False, metadata={"description": "say what would happen, and store nothing"})
