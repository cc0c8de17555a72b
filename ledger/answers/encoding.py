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

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from types import MappingProxyType, NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from ledger.play import Event, Expected
from ledger.records import Field, UnsetType, fields_of, is_record

LEAVES_OUT_NONE: tuple[type, ...] = (Event, Expected)
"""Records in which None says that nothing was said."""


class Member(NamedTuple):
    """A member of a record: its attribute, its name on the wire, its type, what else is known of it."""

    attribute: str
    name: str
    hint: Any
    spread: bool = False
    optional: bool = False
    notes: Mapping[str, Any] = MappingProxyType({})


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
    return Member(attribute, name, hint, notes.get("spread", False), optional, notes)
