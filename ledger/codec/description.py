"""What a type is: a small tree for each field of a record, read once off its annotation.

`members_of` is the one place that interprets annotations. Visitors read the trees: `reader` (the log and files),
`writer` (answers, exports, the log), `schemas.records` (marshmallow), `schemas.components` (JSON Schema) and
`answers.games` (forms). A new kind of type is a class here and a case in each of them.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from ledger.cards import Card
from ledger.play.events import Event
from ledger.play.rounds import Outcome
from ledger.play.values import Between, CalendarDay, Kind, Matching
from ledger.records import Field, Meta, Record, UnsetType, fields_of, is_record, memoized

MAX_IN_A_LIST = 100


class Plain(Record):
    """One of JSON's own types: `str`, `int` or `bool`."""

    kind: type


class Words(Record):
    """One of a few words; `name` is that of the enumeration that has them, if one has."""

    words: tuple[str, ...]
    name: str = ""


class CardCode(Record):
    """A card, or one of these words for a card that was not noted."""

    words: tuple[str, ...] = ()


class Exact(Record):
    """A fraction: a chance, or an amount in chips."""


class Several(Record):
    """A list: of exactly or of at most so many elements."""

    item: Type
    exact: int | None = None
    most: int = MAX_IN_A_LIST


class ByName(Record):
    """An object whose names are free, or of one type: a language, a card."""

    key: Any
    item: Type


class Switches(Record):
    """Some switches of the house rules; which there are, the rule book of the game says."""


class Group(Record):
    """A record."""

    record: type[Any]


class Kinds(Record):
    """A record that stands for its subclasses: any event or outcome of the game, or one of these."""

    base: type[Any]
    few: tuple[type[Event], ...] = ()


class Nullable(Record):
    """A value or null."""

    inner: Type


class Either(Record):
    """One of several types."""

    options: tuple[Type, ...]


class OfGame(Record):
    """What the rule book of the game declares: all of its house rules, what lies on the table, the chances."""

    what: Literal["rules", "table", "odds"]


class Anything(Record):
    """A value that is checked elsewhere."""


class Checked(Record, eq=False):
    """A text or number with a check of its own, which gives the value or raises Malformed; `schema` describes it."""

    read: Callable[[Any], Any]
    schema: Mapping[str, Any] = {}


class AtMost(Record):
    """Beside a list's annotation: how many elements it may have."""

    most: int


Type = (
    Between
    | CalendarDay
    | Kind
    | Matching
    | Plain
    | Words
    | CardCode
    | Exact
    | Several
    | ByName
    | Switches
    | Group
    | Kinds
    | Nullable
    | Either
    | OfGame
    | Anything
    | Checked
)


class Member(NamedTuple):
    """A field of a record and its type; `optional`: it may be absent from an answer."""

    field: Field
    type: Type
    optional: bool

    @property
    def name(self) -> str:
        """Its name on the wire."""
        return self.field.name

    @property
    def is_spread(self) -> bool:
        """Whether the members of its value stand among those of the record."""
        return bool(self.field.extra.get("spread"))


@memoized
def members_of(record: type[Any]) -> tuple[Member, ...]:
    """Describe a record. Raises TypeError for a class that is no record, and for a type that is not known."""
    return tuple(_member(field, omits_none=record.omits_none) for field in fields_of(record))


def _member(field: Field, *, omits_none: bool) -> Member:
    type_ = type_of(field.hint)
    is_unset = UnsetType in get_args(field.hint) or bool(field.extra.get("optional"))
    return Member(field, type_, is_unset or (omits_none and isinstance(type_, Nullable)))


def words_of(record: type[Any], name: str) -> tuple[str, ...]:
    """Give the words that may stand in a field of a record, alone or beside other values."""
    for member in members_of(record):
        type_ = member.type.inner if isinstance(member.type, Nullable) else member.type
        if member.name == name and isinstance(type_, Words | CardCode):
            return type_.words
    return ()


def type_of(hint: Any) -> Type:
    """Describe a type. Raises TypeError for one that is not known."""
    parts, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return _annotated(parts[0], [note for note in parts[1:] if not isinstance(note, Meta)])
    if origin in (Union, types.UnionType):
        return _union([part for part in parts if part is not UnsetType])
    if origin is Literal and all(isinstance(part, str) for part in parts):
        return Words(parts)
    if parts[1:] == (Ellipsis,):
        return Several(type_of(parts[0]))
    if origin is tuple and len(set(parts)) == 1:
        return Several(type_of(parts[0]), exact=len(parts))
    if origin is not None and issubclass(origin, Mapping):
        return Switches() if parts == (str, Any) else ByName(parts[0], type_of(parts[1]))
    return _plain(hint)


def _plain(hint: Any) -> Type:
    if hint in (object, Any):
        return Anything()
    if hint in (str, int, bool):
        return Plain(hint)
    if hint in (Event, Outcome):
        return Kinds(hint)
    if isinstance(hint, type):
        if issubclass(hint, Card):
            return CardCode()
        if issubclass(hint, Fraction):
            return Exact()
        if issubclass(hint, StrEnum):
            return Words(tuple(each.value for each in hint), hint.__name__)
        if issubclass(hint, Event):
            return Kinds(Event, (hint,))
        if is_record(hint):
            return Group(hint)
    raise TypeError(f"{hint} cannot be described")


def _annotated(inner: Any, notes: list[Any]) -> Type:
    match notes:
        case []:
            return type_of(inner)
        case [AtMost(most)]:
            return Several(type_of(get_args(inner)[0]), most=most)
        case [note] if isinstance(note, Type):
            return note
    raise TypeError(f"{notes} cannot be described")


def _union(some: list[Any]) -> Type:
    if types.NoneType in some:
        return Nullable(_union([part for part in some if part is not types.NoneType]))
    if len(some) == 1:
        return type_of(some[0])
    if Card in some:
        return CardCode(tuple(word for part in some if get_origin(part) is Literal for word in get_args(part)))
    if all(isinstance(part, type) and issubclass(part, Event) for part in some):
        return Kinds(Event, tuple(some))
    if all(isinstance(part, type) and issubclass(part, StrEnum) for part in some):
        return Words(tuple(dict.fromkeys(each.value for part in some for each in part)))
    return Either(tuple(map(type_of, some)))
