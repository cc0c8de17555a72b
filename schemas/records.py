"""From a record's types to the schema of what is taken.

`schema_for(record)` reads a record and gives the marshmallow schema that loads it. The table `_FIELDS` is the
whole mapping from types to fields; the record's own bounds (`Between`, `Kind`, `Matching`) come along. An event is told
apart by its `type` and read by the schema of its kind.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from marshmallow import ValidationError
from marshmallow import fields as wire

from ledger import session
from ledger.budget import breathe
from ledger.cards import Card
from ledger.games import GAMES, from_shelf, newest
from ledger.play import Between, Event, Kind, Matching, event_type
from ledger.records import Field, fields_of, is_record
from ledger.sentences import Malformed, docline, say
from schemas.base import Strict, all_wrong, wrong
from schemas.fields import (
    CardCode,
    DealtCardCode,
    Flag,
    Formed,
    Name,
    Object,
    OneOfWords,
    Records,
    Said,
    Text,
    Whole,
    Within,
    Word,
)

MOST_IN_A_LIST = 100


# --- records --------------------------------------------------------------------------------------------------------


class RecordSchema(Strict):
    """A schema that makes a record."""

    record: type[Any]

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Make the record; with `partial`, a plain mapping of what is named. Raises marshmallow's ValidationError.

        What the record says itself against its fields is a fault of the whole.
        """
        members = super().load(data, **kwargs)
        if kwargs.get("partial"):
            return members
        try:
            return self.record(**members)
        except Malformed as error:
            raise all_wrong(error) from None


_MADE: dict[type[Any], RecordSchema] = {}


def schema_for(record: type[Any]) -> RecordSchema:
    """Give the schema of a record, made once: making one costs several times what loading a record does."""
    if record not in _MADE:
        members: dict[str, Any] = {
            field.attribute: field_for(field.hint, **_options(field)) for field in fields_of(record)
        }
        about = {"record": record, "__doc__": docline(record)}
        _MADE.setdefault(record, type(f"{record.__name__}Schema", (RecordSchema,), {**about, **members})())
    return _MADE[record]


def _options(field: Field) -> dict[str, Any]:
    options: dict[str, Any] = {"required": field.required}
    if field.name != field.attribute:
        options["data_key"] = field.name
    return options


# --- events ---------------------------------------------------------------------------------------------------------

DEEPEST = 3
"""How many events may lie in one another. More than a correction and its event is refused later, by name."""


@from_shelf
def event_types() -> Mapping[str, type[Event]]:
    """Give every event that can be reported in any game, by its name on the wire."""
    books = [newest(game) for game in GAMES]
    kinds = (*session.EVENTS, *(kind for book in books for kind in (*book.between, *book.events)))
    return {event_type(kind): kind for kind in kinds}


class EventField(Said, wire.Field[Event]):
    """An event, of any kind or of one of a few: `type` says by which schema it is read."""

    needed = say("an object is needed")

    def __init__(self, kinds: tuple[type[Event], ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.few = {event_type(kind): kind for kind in kinds}

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Event:
        breathe()
        if not isinstance(value, dict):
            raise wrong(say("an event is an object with a `type`"))
        if depth(value, DEEPEST + 1) > DEEPEST:
            raise wrong(say("events do not lie this deep in one another"))
        known, members = self.few or event_types(), dict(value)
        kind = members.pop("type", None)
        if not isinstance(kind, str) or kind not in known:
            raise ValidationError({"type": [say("one of these is needed: {words}", words=", ".join(known))]})
        event: Event = schema_for(known[kind]).load(members)
        return event


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


# --- from hints -----------------------------------------------------------------------------------------------------


def field_for(hint: Any, **options: Any) -> wire.Field[Any]:
    """Give the field for a type. Raises TypeError for a type that the table does not know."""
    parts = get_args(hint)
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated(parts[1], **options)
    if origin in (Union, types.UnionType):
        return _union(parts, **options)
    if origin is Literal:
        return OneOfWords(parts, **options)
    if origin is tuple:
        counted = {"most": MOST_IN_A_LIST} if parts[-1] is Ellipsis else {"exact": len(parts)}
        return Records(field_for(parts[0]), **counted, **options)
    if origin is not None and issubclass(origin, Mapping):
        return Object(**options)
    for kind, make in _FIELDS.items():
        if isinstance(hint, type) and issubclass(hint, kind):
            return make(**options)
    if is_record(hint):
        return Within(schema_for(hint), **options)
    raise TypeError(f"no field for {hint}")


_FIELDS: Mapping[type[Any], Callable[..., wire.Field[Any]]] = {
    Event: EventField,
    Card: CardCode,
    str: Word,
    bool: Flag,
}


def _annotated(note: Any, **options: Any) -> wire.Field[Any]:
    match note:
        case Between(least, most):
            return Whole(least, most, **options)
        case Matching():
            return Formed(note, **options)
        case Kind("name" | "words" as name, most):
            return Text(most, one_line=name == "name", **options)
        case Kind(_, most):
            return Name(most, **options)
    raise TypeError(f"no field for {note}")


def _union(parts: tuple[Any, ...], **options: Any) -> wire.Field[Any]:
    some = tuple(part for part in parts if part is not types.NoneType)
    if len(some) < len(parts):
        options["allow_none"] = True
    if len(some) == 1:
        return field_for(some[0], **options)
    if all(isinstance(part, type) and issubclass(part, Event) for part in some):
        return EventField(some, **options)
    if Card in some:
        words = tuple(word for part in some if get_origin(part) is Literal for word in get_args(part))
        return DealtCardCode(words, **options)
    raise TypeError(f"no field for {parts}")
