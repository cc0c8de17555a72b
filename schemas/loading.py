"""From a record to the schema that it is loaded by: derived once, from the types of its members.

Whatever comes in passes here: `loaded` reads a body, `loaded_query` the texts of a query. An event is read by
the schema of its `type`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, TypeVar, cast

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, validates_schema
from msgspec import Struct, inspect

from ledger.cards import INSTEAD, words_of
from ledger.games import GAMES, from_shelf, newest
from ledger.play.events import AnyEvent, Event
from ledger.records import Member, members_of, memoized, taken_apart
from ledger.sentences import MAX_FAULTS, Malformed, say
from ledger.session.events import EVENTS
from schemas import fields
from schemas.fields import MAX_IN_A_LIST, MAX_NAME, Check, Field, Value, all_wrong, faults_in, wrong

MAX_STRANGE = 20
"""How many members that it does not know an object may have, for the faults of the others to be named, too."""
DEEPEST = 3
"""How many events may lie in one another. More than a correction and its event is refused later, by name."""

T = TypeVar("T", bound=Struct)


def loaded(record: type[T], body: Any) -> T:
    """Read a body. Raises Malformed."""
    return cast("T", _loaded(schema_for(record), body))


def loaded_partly(record: type[Struct], body: Any) -> dict[str, Any]:
    """Read a body that may name only some of its members, which are given as they are named. Raises Malformed."""
    return dict(_loaded(schema_for(record), body, partial=True))


def loaded_query(record: type[T], query: Mapping[str, str]) -> T:
    """Read the texts of a query. Raises Malformed."""
    return cast("T", _loaded(schema_for(record, query=True), query))


def _loaded(schema: Schema, body: Any, **options: Any) -> Any:
    try:
        return schema.load(body, **options)
    except ValidationError as error:
        raise malformed(error) from None


def malformed(error: ValidationError) -> Malformed:
    """Give what marshmallow has found, each fault at its place."""
    messages = error.normalized_messages()  # type: ignore[no-untyped-call]
    return Malformed(*islice(faults_in(messages), MAX_FAULTS))


# --- records --------------------------------------------------------------------------------------------------------


class RecordSchema(Schema):
    """A schema that makes a record; nothing unknown is let in, unless the record says `is_open`.

    Of an object that has far too many members only these are looked at.
    """

    class Meta:
        unknown = RAISE

    error_messages = {  # noqa: RUF012 - marshmallow's own way
        "unknown": say("there is no such field here"),  # type: ignore[dict-item]  # it is put into a list and kept
        "type": say("an object is needed"),  # type: ignore[dict-item]
    }
    record: type[Any]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.known = frozenset(field.data_key or name for name, field in self.fields.items())
        self.is_open = getattr(self.record, "is_open", False)

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Make the record; with `partial`, a plain mapping of what is named. Raises marshmallow's ValidationError.

        marshmallow looks for unknown members only where there are some: a tenth of the time of reading an event. What
        the record says itself against its fields is a fault of the whole.
        """
        if isinstance(data, dict):
            if self.is_open or self.known.issuperset(data):
                kwargs["unknown"] = EXCLUDE
            elif len(data) > len(self.known) + MAX_STRANGE:
                strange = islice((name for name in data if name not in self.known), MAX_FAULTS)
                raise ValidationError({name: [self.error_messages["unknown"]] for name in strange})
        try:
            members = super().load(data, **kwargs)
            return members if kwargs.get("partial") else self.record(**members)
        except ValidationError as error:
            if isinstance(data, dict):
                error.messages = self.as_sent(error.normalized_messages(), data)  # type: ignore[no-untyped-call]
            raise
        except Malformed as error:
            raise all_wrong(error) from None

    def as_sent(self, messages: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        """Give messages with the unknown members in the order they were sent; marshmallow takes them from a set."""
        strange = iter([name for name in data if name in messages and name not in self.known])
        names = (next(strange) if name in data and name not in self.known else name for name in messages)
        return {name: messages[name] for name in names}


class DemandingSchema(RecordSchema):
    """A schema of a record with `also_needed`, which names the members that are needed besides, by what was sent."""

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def needs(self, _data: Mapping[str, Any], original: Any, **_kwargs: Any) -> None:
        """Name the members that are missing."""
        if isinstance(original, dict) and (missing := self.record.also_needed(original)):
            raise ValidationError({name: [say("this field is needed")] for name in missing})


@memoized
def schema_for(record: type[Any], *, query: bool = False) -> RecordSchema:
    """Give the schema of a record, made once: making one costs several times what loading a record does."""
    base = DemandingSchema if hasattr(record, "also_needed") else RecordSchema
    derived = {
        member.attribute: field_for(member, query=query, data_key=member.name, required=member.required)
        for member in members_of(record)
    }
    made: RecordSchema = type(f"{record.__name__}Schema", (base,), {"record": record, **derived})()
    return made


def field_for(member: Member, *, query: bool = False, **options: Any) -> Field:
    """Give the field for a member of a record; of a query, whose values are texts."""
    options["allow_none"] = member.nullable and not query
    extra, most = member.extra, getattr(member.type, "max_length", None)
    match member.type:
        case inspect.VarTupleType(item, least):
            return listed(element(item), least, most, **options)
        case inspect.TupleType(items):
            return fields.Listed(field_for(element(items[0])), len(items), len(items), **options)
        case inspect.DictType(value_type=inspect.AnyType()):
            return Value(fields.switches, **options)
        case inspect.DictType(key_type, value_type):
            name = element(key_type)
            key = check_of(name) if name.extra.get("kind") == "name" else None
            return fields.ByName(field_for(element(value_type)), key, most, **options)
        case inspect.StructType(record) if issubclass(record, Event):
            return EventField((record,), **options)
        case inspect.StructType(record):
            return fields.Nested(schema_for(record), **options)
        case inspect.UnionType(types):
            return EventField(
                cast("Any", tuple(each.cls for each in types if isinstance(each, inspect.StructType))), **options
            )
        case inspect.CustomType(kind) if kind is AnyEvent:
            return EventField(**options)
        case inspect.BoolType() if query:
            return fields.TrueOrFalse(**options)
        case inspect.IntType(le=largest) if query:
            return Value(fields.digits(check_of(member), largest), **options)
    if extra.get("kind") == "person":
        return fields.Person(check_of(member), **options)
    return Value(check_of(member), **options)


def element(type_: inspect.Type) -> Member:
    """Give an element of a list or object as if it were a member."""
    inner, nullable, description, extra = taken_apart(type_)
    return Member("", "", inner, nullable, None, description, extra)


def listed(item: Member, least: int | None, most: int | None, **options: Any) -> fields.Listed:
    """Give the field for a list: of pairs, if each element is something required of a player."""
    inner = field_for(item)
    if isinstance(item.type, inspect.StructType) and (names := pair_of(item.type.cls)):
        return fields.Pairs(inner, names, least, most, **options)
    return fields.Listed(inner, least, most, **options)


def pair_of(record: type[Any]) -> tuple[str, str] | None:
    """Name the two members of a record that is a pair: a player, and something required; no more is required."""
    if issubclass(record, Event):
        return None
    match members_of(record):
        case (Member(extra={"kind": "player"}) as first, second, *more) if second.required:
            return None if any(each.required for each in more) else (first.name, second.name)
    return None


def check_of(member: Member) -> Check:
    """Give the check of a value that has no parts. Raises TypeError for a type that is not taken."""
    extra, type_ = member.extra, member.type
    match type_:
        case inspect.AnyType():
            return fields.dealer if extra.get("kind") == "dealer" else lambda value: value
        case inspect.IntType(ge=least, le=most):
            return fields.version if extra.get("kind") == "version" else fields.whole(least, most)
        case inspect.BoolType():
            return fields.flag
        case inspect.LiteralType() | inspect.EnumType():
            return fields.one_of(words_of(member))
        case inspect.CustomType(kind) if kind in INSTEAD:
            return fields.card_or(words_of(member))
        case inspect.DateTimeType():
            return fields.instant
        case inspect.StrType():
            return check_of_text(type_, extra)
    raise TypeError(f"{type_} is not taken")


def check_of_text(type_: inspect.StrType, extra: Mapping[str, Any]) -> Check:
    """Give the check of a text, by what it stands for."""
    checks: Mapping[str, Check] = {"day": fields.day, "moment": fields.moment, "body": fields.body}
    match extra:
        case {"words": known}:
            return fields.one_of(known)
        case {"needed": needed}:
            return fields.text(re.compile(type_.pattern or "").fullmatch, needed)
        case {"kind": "name" | "words" | "person" as kind}:
            return fields.words(type_.max_length or MAX_NAME, one_line=kind != "words")
        case {"kind": str(kind)} if kind in checks:
            return checks[kind]
        case {"kind": _}:
            return fields.identifier(type_.max_length or MAX_NAME)
    return fields.at_most_characters(type_.max_length) if type_.max_length else fields.text(lambda _: True)


# --- events ---------------------------------------------------------------------------------------------------------


@from_shelf
def event_types() -> Mapping[str, type[Event]]:
    """Give every event that can be reported in any game, by its name on the wire."""
    books = [newest(game) for game in GAMES]
    kinds = (*EVENTS, *(kind for book in books for kind in (*book.between, *book.events)))
    return {kind.type: kind for kind in kinds}


class EventField(Field):
    """An event, of any kind or of one of a few: `type` says by which schema it is read."""

    needed = fields.OBJECT

    def __init__(self, kinds: tuple[type[Event], ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.few = {kind.type: kind for kind in kinds}

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Event:
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
    found = 0
    while found < most and isinstance(body, dict):
        if isinstance(parts := body.get("corrections"), list):
            return found + max((_depth_of_part(part, most - found) for part in parts[:MAX_IN_A_LIST]), default=1)
        body, found = body.get("event"), found + 1
    return found


def _depth_of_part(part: Any, most: int) -> int:
    """Say how many events lie in a part of a correction; one that has parts itself is none, and is refused by name."""
    is_none = isinstance(part, dict) and "corrections" in part
    return 1 if is_none else depth(part, most)
