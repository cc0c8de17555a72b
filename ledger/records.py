"""Frozen records: one class statement describes a type, and everything else reads that description.

A `Record` is a frozen `msgspec.Struct`. Its annotations have the bounds in msgspec's own terms (`Meta(ge=…, le=…,
pattern=…)`), and in `Meta(extra=…)` what only this project needs: the `kind` of a text, a switch's row and label.
msgspec reads and writes records by them; `members_of` gives them to the schemas, the forms and the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, dataclass_transform, get_type_hints

from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType, defstruct, field, inspect, structs

if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - mypy checks the changes with what this one is like
else:
    from msgspec.structs import replace

T = TypeVar("T")
S = TypeVar("S", bound=Struct)
F = TypeVar("F", bound=Callable[..., Any])


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A frozen record, equal to any other with the same values, and hashable if they are.

    The garbage collector does not track it, as no record is part of a cycle: 5 % less memory of sessions.
    """


def doc(description: str, *examples: Any, **more: Any) -> Meta:
    """Describe a member for the OpenAPI document, with msgspec's own bounds."""
    return Meta(description=description, examples=[*examples] or None, **more)


class Member(NamedTuple):
    """A member of a record: its attribute, its name on the wire, its type without null, and what its notes say.

    `default` makes the value of a member that is not given; None where it is required.
    """

    attribute: str
    name: str
    type: inspect.Type
    nullable: bool
    default: Callable[[], Any] | None
    description: str | None
    extra: Mapping[str, Any]

    @property
    def required(self) -> bool:
        """Whether a value has to be given."""
        return self.default is None


def memoized(function: F) -> F:
    """`functools.cache` that keeps the function's type, by which mypy lets classes be arguments."""
    return cast("F", cache(function))


@memoized
def members_of(record: type[Any]) -> tuple[Member, ...]:
    """Describe the members of a record, inherited ones first. Raises TypeError for any other class."""
    described = inspect.type_info(record)
    if not isinstance(described, inspect.StructType):
        raise TypeError(f"{record} is no record")
    parents = [base for base in reversed(record.__mro__) if issubclass(base, Struct)]
    names = list(dict.fromkeys(name for base in parents for name in base.__struct_fields__))
    return tuple(map(_member, sorted(described.fields, key=lambda info: names.index(info.name))))


def _member(info: inspect.Field) -> Member:
    make = (lambda: info.default) if info.default_factory is NODEFAULT else info.default_factory
    default = None if info.required else make
    return element(info.type)._replace(attribute=info.name, name=info.encode_name, default=default)


def element(type_: inspect.Type) -> Member:
    """Describe an element of a list or object as if it were a member."""
    nullable, description, extra = False, None, dict[str, Any]()
    while True:
        match type_:
            case inspect.Metadata():
                description = description or (type_.extra_json_schema or {}).get("description")
                extra = {**(type_.extra or {}), **extra}
                type_ = type_.type
            case inspect.UnionType(types) if any(isinstance(each, inspect.NoneType) for each in types):
                nullable = True
                others = tuple(each for each in types if not isinstance(each, inspect.NoneType))
                type_ = others[0] if len(others) == 1 else inspect.UnionType(others)
            case _:
                return Member("", "", type_, nullable, None, description, extra)


@memoized
def joined(kind: type[Any], more: type[S], name: str) -> type[S]:
    """Give one record with the members of two, those of `more` last and in place of others of their name.

    To the type checker it is a `more`; it keeps the tag of `kind` on the wire.
    """
    of_kind, of_more = _fields_of(kind), _fields_of(more)
    tag = kind.__struct_config__
    options = {"tag": tag.tag, "tag_field": tag.tag_field, "omit_defaults": tag.omit_defaults}
    fields = {name: of_kind[name] for name in of_kind if name not in of_more} | of_more
    made = defstruct(name, fields.values(), bases=(Record,), kw_only=True, frozen=True, gc=False, **options)
    made.__doc__ = kind.__doc__
    return cast("type[S]", made)


def _fields_of(kind: type[Any]) -> dict[str, tuple[str, Any, Any]]:
    infos, hints = {info.name: info for info in structs.fields(kind)}, get_type_hints(kind, include_extras=True)
    return {name: _field_again(infos[name], hint) for name, hint in hints.items() if name in infos}


def _field_again(info: structs.FieldInfo, hint: Any) -> tuple[str, Any, Any]:
    defaults: Any = {"default": info.default, "default_factory": info.default_factory}
    return info.name, hint, field(name=info.encode_name, **defaults)


def convert(kind: type[T], old: object, **changes: Any) -> T:
    """Make a record of what another has by the same names, properties included, and of the changes.

    Raises TypeError for other fields.
    """
    for name in _shared(kind, type(old)):
        if name not in changes:
            changes[name] = getattr(old, name)
    return kind(**changes)


@memoized
def _shared(kind: type[Any], other: type[Any]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if hasattr(other, name))
