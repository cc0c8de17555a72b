"""From a record to JSON: the one place that knows how a record is written.

`described` reads a record's members off its type hints: what each is called on the wire (`field(name="from")`),
whether it may be absent, and whether it is a record whose own members stand among the others (`{"spread": True}`) and
give way to one of the same name that is always there. A fraction is a chance, or, where that is said, chips with two
decimals (`{"in_chips": True}`), or both that and a fraction (`{"in_chips": "exactly"}`). By that, `encoded` writes a
record, and `schemas.components` tells what is written. A description is made once a class.

A member that does not apply is absent where its default is `UNSET`, and null where it is None. What was left out of a
report, or is not known of what may be reported, is left out of the answer too (`LEAVES_OUT_NONE`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from operator import attrgetter, or_
from types import MappingProxyType, NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import orjson

from ledger.cards import Card
from ledger.codec.fractions import chance, decimal, exact_chips
from ledger.play import Event, Expected
from ledger.records import UNSET, Field, UnsetType, fields_of, is_record

LEAVES_OUT_NONE: tuple[type, ...] = (Event, Expected)
"""Records in which None says that nothing was said."""


class Member(NamedTuple):
    """A member of a record: its attribute, its name on the wire, its type, what else is told of it.

    What is `lasting` is the same in many answers, and what was written of it is kept.
    """

    attribute: str
    name: str
    hint: Any
    spread: bool = False
    optional: bool = False
    notes: Mapping[str, Any] = MappingProxyType({})
    lasting: bool = False


@cache
def described(kind: type) -> tuple[Member, ...]:
    """Read a record's members off its hints. Raises TypeError for what is no record."""
    if is_record(kind):
        return tuple(_member(each.attribute, each.name, each.hint, noted(each), kind) for each in fields_of(kind))
    if not hasattr(kind, "_fields"):
        raise TypeError(f"{kind} is no record")
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_member(name, name, hints[name], {}, kind) for name in kind._fields)


def noted(field: Field) -> Mapping[str, Any]:
    """Give what else is known of a field: what its type says of it, its description, its examples."""
    notes = dict(field.extra)
    if field.description:
        notes["description"] = field.description
    if field.examples:
        notes["examples"] = field.examples
    return notes


def _member(attribute: str, name: str, hint: Any, notes: Mapping[str, Any], kind: type) -> Member:
    unsaid = issubclass(kind, LEAVES_OUT_NONE) and NoneType in get_args(hint)
    if unsaid:
        hint = reduce(or_, (part for part in get_args(hint) if part is not NoneType))
    parts = get_args(hint)
    optional = unsaid or UnsetType in parts or notes.get("optional", False)
    return Member(attribute, name, hint, notes.get("spread", False), optional, notes, notes.get("lasting", False))


def encoded(record: object, *, indented: bool = False) -> bytes:
    """Write a record as JSON."""
    option = orjson.OPT_PASSTHROUGH_DATACLASS | (orjson.OPT_INDENT_2 if indented else 0)
    return orjson.dumps(record, _plain, option)


def plain(record: Any) -> Any:
    """Give a record as what its JSON is read as."""
    return orjson.loads(encoded(record))


def members(record: Any) -> dict[str, Any]:
    """Give a record's members by their names on the wire, each as it is in the record."""
    made: dict[str, Any] = _writer(record.__class__)(record)
    return made


def _plain(value: Any) -> Any:
    """Give what orjson does not know by itself as something that it knows."""
    return _writer(value.__class__)(value)


@cache
def _writer(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, Card):
        return attrgetter("code")
    if issubclass(kind, Fraction):
        return chance
    if hasattr(kind, "members"):
        return lambda record: record.members()
    if is_record(kind) or hasattr(kind, "_fields"):
        return _record_writer(kind)
    if issubclass(kind, Mapping):
        return dict
    if issubclass(kind, Sequence):
        return list
    raise TypeError(f"{kind} cannot be written")


@lru_cache(maxsize=1024)
def _kept(record: object) -> orjson.Fragment:
    """Write a lasting record once."""
    return orjson.Fragment(encoded(record))


def _record_writer(kind: type) -> Callable[[Any], dict[str, Any]]:
    """Write the function that gives the members of one kind of record, as `dataclass` writes an `__init__`.

    A session's answer has dozens of records, and going through their members by a loop takes three times as long.
    """
    told = described(kind)
    always = {member.name for member in told if not (member.spread or member.optional)}

    def spread(written: dict[str, Any], value: Any) -> None:
        written |= {name: inner for name, inner in members(value).items() if name not in always}

    nothing = None if issubclass(kind, LEAVES_OUT_NONE) else UNSET
    lines = ["written = {'type': record.type}" if issubclass(kind, Event) else "written = {}"]
    for member in told:
        value = f"record.{member.attribute}"
        if member.spread:
            lines.append(f"spread(written, {value})")
        elif member.optional:
            lines.append(f"if {value} is not nothing: written[{member.name!r}] = {value}")
        else:
            lines.append(f"written[{member.name!r}] = {told_by(member, value)}")
    known: dict[str, Any] = {
        "nothing": nothing,
        "spread": spread,
        "kept": _kept,
        "decimal": decimal,
        "exact_chips": exact_chips,
    }
    exec("\n    ".join(("def write(record):", *lines, "return written")), known)  # noqa: S102 - names of our own
    made: Callable[[Any], dict[str, Any]] = known["write"]
    return made


def told_by(member: Member, value: str) -> str:
    """Give the Python expression for what is written of a member."""
    if member.lasting:
        return f"kept({value})"
    if member.notes.get("in_chips") == "exactly":
        return f"exact_chips({value})"
    if member.notes.get("in_chips"):
        return f"None if {value} is None else decimal({value})"
    if get_origin(member.hint) is Mapping and get_args(member.hint)[0] is Card:
        return f"{{card.code: each for card, each in {value}.items()}}"
    return value
