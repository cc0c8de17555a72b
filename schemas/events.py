"""Events on the wire and in the log: one schema an event, one union over all of them, told apart by `type`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import orjson
from marshmallow import ValidationError, validate
from marshmallow import fields as wire
from marshmallow_oneofschema import OneOfSchema

from ledger import session
from ledger.answers.encoding import plain
from ledger.games import GAMES, newest
from ledger.hash_chain import SaltedText, canonical, salted
from ledger.play import Event, Kind, event_type
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
FIELD_NAMES: Mapping[str, tuple[str, ...]] = {
    name: tuple(field.data_key or own for own, field in event_schema(kind)().fields.items() if own != "type")
    for name, kind in EVENT_TYPES.items()
}
"""The fields of each event, as they are called on the wire."""


def load_event(body: Mapping[str, Any]) -> Event:
    """Make an event from its JSON. Raises marshmallow.ValidationError."""
    event: Event = _SCHEMA.load(body)  # type: ignore[no-untyped-call]
    return event


class Written(NamedTuple):
    """An event as it stands in the log: its type, its body as canonical JSON text, and the words apart from it."""

    type: str
    body: str
    words: Mapping[str, SaltedText]


def to_log(event: Event) -> Written:
    """Write an event for the log; in place of somebody's words stands their digest."""
    body = plain(event)
    words = dict(_hide_words(body))
    return Written(body.pop("type"), canonical(body), words)


def from_log(kind: str, body: str, words: Mapping[str, SaltedText]) -> Event:
    """Read an event of the log, as any release wrote it."""
    return load_event(reported_in(kind, body, words))


def reported_in(kind: str, body: str, words: Mapping[str, SaltedText]) -> dict[str, Any]:
    """Give the JSON that an event of the log was reported with: its body, with the words back in their places."""
    told: dict[str, Any] = {"type": kind, **orjson.loads(body)}
    for place, said in words.items():
        within, name = holder(told, place)
        within[name] = said.text
    return in_order(told)


def in_order(event: dict[str, Any]) -> dict[str, Any]:
    """Give an event's fields in the order of its record, which the log's canonical JSON does not keep."""
    if isinstance(inner := event.get("event"), dict):
        event["event"] = in_order(inner)
    if isinstance(parts := event.get("corrections"), list):
        event["corrections"] = list(map(in_order, parts))
    known = ("type", *FIELD_NAMES.get(event["type"], ()))
    return {name: event[name] for name in known if name in event} | event


def _hide_words(body: dict[str, Any]) -> Iterator[tuple[str, SaltedText]]:
    """Put digests in the places of words; give the words and their places."""
    for place in places_of_words(body["type"], body):
        within, name = holder(body, place)
        said = salted(within[name])
        within[name] = said.digest
        yield place, said


def holder(body: Any, place: str) -> tuple[dict[str, Any], str]:
    """Find the part of a body that a place is in, and what it is called there. Raises LookupError, TypeError."""
    *path, name = place.split("/")
    for step in path:
        body = body[int(step)] if isinstance(body, list) else body[step]
    return body, name


def places_of_words(kind: str, body: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Say where in an event's body words stand, or their digests; also in an event within a correction."""
    yield from (path + place for place in PLACES_OF_WORDS[kind] if place in body)
    if isinstance(inner := body.get("event"), dict):
        yield from places_of_words(inner["type"], inner, f"{path}event/")
    for place, part in enumerate(body.get("corrections", ())):
        yield from places_of_words(part["type"], part, f"{path}corrections/{place}/")


def _places_of_words(kind: type[Event]) -> tuple[str, ...]:
    """Name the fields of an event that hold somebody's own words."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(field.name for field in fields(kind) if _holds_words(hints[field.name]))


def _holds_words(hint: Any) -> bool:
    if any(isinstance(note, Kind) and note.name == "words" for note in getattr(hint, "__metadata__", ())):
        return True
    return get_origin(hint) is not None and any(map(_holds_words, get_args(hint)))


PLACES_OF_WORDS: Mapping[str, tuple[str, ...]] = {name: _places_of_words(kind) for name, kind in EVENT_TYPES.items()}
"""The fields of each event that hold somebody's own words."""
