"""Frozen records: one class statement describes a type, and everything else reads that description.

A `Record` is a frozen `msgspec.Struct`: made in 0.15 µs, copied with one field changed in 0.09. Its annotations say
what a field holds; `Annotated[..., Meta(...)]` says what else is known of it (`description`, `examples`, and in
`extra` what only this project needs: a switch's row, a label, whether members are spread). `field(name="from")` gives
a field its name on the wire, and a field that defaults to `UNSET` may be absent there. `fields_of` is that description;
the readers, writers, schemas and forms go by it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
)
from typing import get_type_hints as hints_of

from msgspec import NODEFAULT, UNSET, Meta, Struct, UnsetType, field, structs

if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - mypy checks the changes with what this one is like
else:
    from msgspec.structs import replace

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record(Struct, frozen=True, gc=False):
    """A frozen record, equal to any other with the same values, and hashable if they are.

    It is made of what was there before, so none is part of a cycle, and the garbage collector does not track them: that
    takes 16 bytes less each, of sessions in memory about 5 %.

    In one that `omits_none`, None says that nothing was said: it is left out of JSON.
    """

    omits_none: ClassVar[bool] = False


class Field(NamedTuple):
    """A field of a record: its attribute, its name on the wire, its type, its default, what else is known of it.

    `default` makes the value of a field that was not given; None where the field is required.
    """

    attribute: str
    name: str
    hint: Any
    default: Callable[[], Any] | None = None
    description: str | None = None
    examples: tuple[Any, ...] = ()
    extra: Mapping[str, Any] = {}

    @property
    def required(self) -> bool:
        """Whether a value has to be given."""
        return self.default is None


def memoized(function: F) -> F:
    """`functools.cache` that keeps the function's type, by which mypy lets classes be arguments."""
    return cast("F", cache(function))


@memoized
def fields_of(kind: type[Any]) -> tuple[Field, ...]:
    """Read the fields of a record off its annotations, inherited ones first. Raises TypeError for any other class."""
    hints = hints_of(kind, include_extras=True)
    infos = {info.name: info for info in structs.fields(kind)}
    return tuple(_field(infos[name], hint) for name, hint in hints.items() if name in infos)


def is_record(kind: object) -> bool:
    """Whether something is a class of records."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def notes_of(hint: Any) -> Meta:
    """Gather what an annotation says, and what the types say that it is made of; the outermost counts."""
    if get_origin(hint) in (Union, types.UnionType):
        parts = [notes_of(part) for part in get_args(hint)]
    elif get_origin(hint) is Annotated:
        inner, *others = get_args(hint)
        parts = [notes_of(inner), *(note for note in others if isinstance(note, Meta))]
    else:
        parts = []
    return Meta(
        description=next((part.description for part in reversed(parts) if part.description), None),
        examples=next((part.examples for part in reversed(parts) if part.examples), None),
        extra={key: value for part in parts for key, value in (part.extra or {}).items()},
    )


def _without_notes(hint: Any) -> Any:
    if get_origin(hint) is not Annotated:
        return hint
    inner, *others = get_args(hint)
    bounds = [note for note in others if not isinstance(note, Meta)]
    return Annotated[(inner, *bounds)] if bounds else inner


def _field(info: structs.FieldInfo, hint: Any) -> Field:
    said = notes_of(hint)
    default: Callable[[], Any] | None = None
    if info.default_factory is not NODEFAULT:
        default = info.default_factory
    elif info.default is not NODEFAULT:
        default = _constant(info.default)
    return Field(
        info.name,
        info.encode_name,
        _without_notes(hint),
        default,
        said.description,
        tuple(said.examples or ()),
        said.extra or {},
    )


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def convert(kind: type[T], old: Struct, **changes: Any) -> T:
    """Make one record of another: the fields that both have, but for the changes. Raises TypeError for other fields."""
    names, values = _shared(kind, type(old))
    return kind(**{**dict(zip(names, values(old), strict=True)), **changes})


@memoized
def _shared(kind: type[Any], other: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    names = tuple(name for name in kind.__struct_fields__ if name in other.__struct_fields__)
    if len(names) < 2:
        return names, lambda old: tuple(getattr(old, name) for name in names)
    return names, attrgetter(*names)
