"""From a record's types to the schema of what is taken.

`schema_for(record)` reads a record and gives the marshmallow schema that loads it. The table `_FIELDS` is the
whole mapping from types to fields; the record's own bounds (`Between`, `Kind`, `Matching`) come along.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from marshmallow import fields as wire
from marshmallow import post_load

from ledger.cards import Card
from ledger.play import Between, Event, Kind, Matching
from ledger.records import Field, fields_of, is_record
from ledger.sentences import Malformed, docline
from schemas.base import Strict, as_marshmallow_has_it
from schemas.fields import (
    CardCode,
    DealtCardCode,
    Flag,
    Formed,
    Name,
    Object,
    OneOfWords,
    Records,
    Text,
    Whole,
    Within,
    Word,
)

MOST_IN_A_LIST = 100


class RecordSchema(Strict):
    """A schema that makes a record."""

    record: type[Any]

    @post_load
    def make(self, data: dict[str, Any], **_kwargs: Any) -> Any:
        """Make the record; what it says itself against its fields is a fault of the whole."""
        data.pop("type", None)
        try:
            return self.record(**data)
        except Malformed as error:
            raise as_marshmallow_has_it(error) from None


_MADE: dict[tuple[type[Any], type[RecordSchema]], RecordSchema] = {}


def schema_for(record: type[Any], base: type[RecordSchema] = RecordSchema) -> RecordSchema:
    """Give the schema of a record, made once: making one costs several times what loading a record does."""
    if (record, base) not in _MADE:
        _MADE.setdefault((record, base), schema_class(record, base)())
    return _MADE[record, base]


def schema_class(record: type[Any], base: type[RecordSchema] = RecordSchema) -> type[RecordSchema]:
    """Make the schema class of a record."""
    members: dict[str, Any] = {
        field.attribute: field_for(field.hint, base, **_options(field)) for field in fields_of(record)
    }
    return type(f"{record.__name__}Schema", (base,), {"record": record, "__doc__": docline(record), **members})


def _options(field: Field) -> dict[str, Any]:
    options: dict[str, Any] = {"required": field.required}
    if field.name != field.attribute:
        options["data_key"] = field.name
    return options


def field_for(hint: Any, base: type[RecordSchema], **options: Any) -> wire.Field[Any]:
    """Give the field for a type. Raises TypeError for a type that the table does not know."""
    parts = get_args(hint)
    origin = get_origin(hint)
    if origin is Annotated:
        return _annotated(parts[1], **options)
    if origin in (Union, types.UnionType):
        return _union(parts, base, **options)
    if origin is Literal:
        return OneOfWords(parts, **options)
    if origin is tuple:
        item = field_for(parts[0], base)
        counted = {"most": MOST_IN_A_LIST} if parts[-1] is Ellipsis else {"exact": len(parts)}
        return Records(item, **counted, **options)
    if origin is not None and issubclass(origin, Mapping):
        return Object(**options)
    for kind, make in _FIELDS.items():
        if isinstance(hint, type) and issubclass(hint, kind):
            return make(**options)
    if is_record(hint):
        return Within(schema_for(hint, base), **options)
    raise TypeError(f"no field for {hint}")


def _an_event(**options: Any) -> wire.Field[Any]:
    return Within("EventSchema", **options)


_FIELDS: Mapping[type[Any], Callable[..., wire.Field[Any]]] = {
    Event: _an_event,
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


def _union(parts: tuple[Any, ...], base: type[RecordSchema], **options: Any) -> wire.Field[Any]:
    some = tuple(part for part in parts if part is not types.NoneType)
    if len(some) < len(parts):
        options["allow_none"] = True
    if len(some) == 1:
        return field_for(some[0], base, **options)
    if all(isinstance(part, type) and issubclass(part, Event) for part in some):
        return Within("CorrectionSchema", **options)
    if Card in some:
        words = tuple(word for part in some if get_origin(part) is Literal for word in get_args(part))
        return DealtCardCode(words, **options)
    raise TypeError(f"no field for {parts}")
