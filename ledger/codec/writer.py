"""From a record to JSON: in answers, exports, and, without people's own words, in the log.

msgspec writes a record by itself as long as its members stand in it as they are. `_writer` makes of a type what it does
not know: an event has its `type`, and leaves out what is None; members may be spread among those of the record, and
give way there to one of the same name that is always there. Cards are written by their codes, fractions as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Any

import msgspec

from ledger.cards import Card
from ledger.codec.description import (
    Anything,
    ByName,
    CardCode,
    Either,
    Group,
    Kinds,
    Member,
    Nullable,
    OfGame,
    Several,
    Switches,
    Type,
    members_of,
)
from ledger.codec.fractions import chance, decimal, exact_chips
from ledger.hash_chain import SaltedText, salted
from ledger.play.events import Event
from ledger.play.values import Kind
from ledger.records import UNSET, Record, memoized

Write = Callable[[Any], Any]


def encoded(value: object, *, indented: bool = False) -> bytes:
    """Write a record, or a collection of records, as JSON. Raises TypeError for what cannot be written."""
    text = ENCODER.encode(_any(value))
    return msgspec.json.format(text, indent=2) if indented else text


def plain(value: Any) -> Any:
    """Give a record as what its JSON is read as."""
    return msgspec.json.decode(encoded(value))


def members(record: Any) -> dict[str, Any]:
    """Give a record's members by their names on the wire, each as it is in the record."""
    written: dict[str, Any] = _record(record.__class__, deeply=False)(record)
    return written


def _hook(value: Any) -> Any:
    """Give a value that msgspec does not know as one that it knows."""
    if isinstance(value, Fraction):
        return chance(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value)} cannot be written")


ENCODER = msgspec.json.Encoder(enc_hook=_hook)


def _any(value: Any) -> Any:
    """Give a value of whatever type as what msgspec writes rightly."""
    kind = value.__class__
    if issubclass(kind, Card):
        return value.code
    if hasattr(kind, "members"):  # a page of a list, which calls its elements as the list has them
        return _any(value.members())
    if issubclass(kind, msgspec.Struct):
        write = _writer_of(kind)
        return write(value) if write else value
    if issubclass(kind, Mapping):
        return {_any(name): _any(each) for name, each in value.items()}
    if issubclass(kind, Sequence) and not issubclass(kind, str | bytes):
        return [_any(each) for each in value]
    if issubclass(kind, AbstractSet):
        raise TypeError(f"{kind} has no order and cannot be written")
    return value


@memoized
def _writer_of(kind: type[Any]) -> Write | None:
    """Give how a record is written; None if msgspec does it by itself."""
    return None if _is_native(Group(kind), set()) else _record(kind, deeply=True)


def _is_native(type_: Type, seen: set[type]) -> bool:
    """Say whether msgspec writes values of a type rightly by itself."""
    match type_:
        case Nullable(inner) | Several(inner):
            return _is_native(inner, seen)
        case ByName(key, inner):
            return key is not Card and _is_native(inner, seen)
        case Group(record) if record not in seen:
            seen.add(record)
            return (
                issubclass(record, Record)
                and not record.omits_none
                and all(
                    not m.is_spread and "in_chips" not in m.field.extra and _is_native(m.type, seen)
                    for m in members_of(record)
                )
            )
    return not isinstance(type_, CardCode | Kinds | OfGame | Either | Anything | Switches)


def _writer(type_: Type) -> Write | None:
    """Give how values of a type are written; None if msgspec does it by itself."""
    if _is_native(type_, set()):
        return None
    match type_:
        case Nullable(inner):
            write = _writer(inner) or _any
            return lambda value: None if value is None else write(value)
        case Several(item):
            write = _writer(item) or _any
            return lambda value: [write(each) for each in value]
        case ByName(_, item):
            write = _writer(item) or (lambda each: each)
            return lambda value: {_any(name): write(each) for name, each in value.items()}
    return _any


@memoized
def _record(kind: type[Any], *, deeply: bool) -> Callable[[Any], dict[str, Any]]:
    """Make the writer of one kind of record, with what lies in it (`deeply`) or with its members as they are."""
    described = members_of(kind)
    absent = None if kind.omits_none else UNSET
    always = {m.name for m in described if not (m.is_spread or m.optional)}
    steps = [(m.field.attribute, m.name, m.is_spread, _of_member(m) if deeply else None) for m in described]
    is_event = issubclass(kind, Event)

    def write(record: Any) -> dict[str, Any]:
        written: dict[str, Any] = {"type": record.type} if is_event else {}
        for attribute, name, is_spread, of_value in steps:
            value = getattr(record, attribute)
            if is_spread:
                inner = _any(value) if deeply else value
                inner = inner if isinstance(inner, dict) else members(value)
                written |= {name: each for name, each in inner.items() if name not in always}
            elif value is not absent:
                written[name] = of_value(value) if of_value and value is not None else value
        return written

    return write


def _of_member(member: Member) -> Write | None:
    """Give how a member that is not None is written; None if msgspec does it by itself."""
    match member.field.extra.get("in_chips"):
        case None:
            return _writer(member.type.inner if isinstance(member.type, Nullable) else member.type)
        case "exactly":
            return exact_chips
    return decimal


# --- the log --------------------------------------------------------------------------------------------------------


def without_texts(record: Any) -> tuple[dict[str, Any], dict[str, SaltedText]]:
    """Write a record for the log: in place of people's own words stand their digests. Gives the words by place.

    `ENCODER` makes JSON of the members.
    """
    texts = dict[str, SaltedText]()
    for attribute in _with_texts(type(record)):
        if getattr(record, attribute) is not None:
            break
    else:
        return _record(type(record), deeply=True)(record), texts
    body = plain(record)
    for within, step, place, text in _texts(record, body, ""):
        texts[place] = salted(text)
        within[step] = texts[place].digest
    return body, texts


@memoized
def _with_texts(kind: type[Any]) -> tuple[str, ...]:
    """Name the attributes of a record that may hold people's own words."""
    return tuple(member.field.attribute for member in members_of(kind) if _may_hold_texts(member.type))


def _may_hold_texts(type_: Type) -> bool:
    match type_:
        case Kind("name" | "words") | Kinds():
            return True
        case Nullable(inner) | Several(inner):
            return _may_hold_texts(inner)
        case Group(record):
            return bool(_with_texts(record))
        case ByName(_, inner) if _may_hold_texts(inner):
            raise TypeError("people's own words have no place in the log as members of free names")
    return False


def _texts(record: Any, body: Any, path: str) -> Iterator[tuple[Any, Any, str, str]]:
    """Find people's own words in what was written of a record: where each stands, its place, itself."""
    for member in members_of(type(record)):
        value = getattr(record, member.field.attribute)
        if value is not None:
            yield from _texts_in(member.type, value, body, member.name, f"{path}{member.name}")


def _texts_in(type_: Type, value: Any, within: Any, step: Any, place: str) -> Iterator[tuple[Any, Any, str, str]]:
    match type_:
        case Kind("name" | "words"):
            yield within, step, place, value
        case Nullable(inner) if value is not None:
            yield from _texts_in(inner, value, within, step, place)
        case Several(item):
            for n, each in enumerate(value):
                yield from _texts_in(item, each, within[step], n, f"{place}/{n}")
        case Group() | Kinds():
            yield from _texts(value, within[step], f"{place}/")
