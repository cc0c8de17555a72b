"""Records that are made anew with every event, and how one is made from another.

Folding a long session is mostly that, so it goes without what takes the time in a frozen dataclass: at run time nobody
guards the fields of these records, and one is made of another without going through `__init__`. That nobody changes
one, mypy sees to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False, eq: bool = True, weakref_slot: bool = False) -> Callable[[type[T]], type[T]]:
    """Make a dataclass that is frozen to the type checker alone; one of them is made in a quarter of the time.

    With a `weakref_slot`, something can be kept for one of them as long as it is there itself.
    """
    return dataclass(slots=True, kw_only=kw_only, eq=eq, unsafe_hash=eq, weakref_slot=weakref_slot)


def become(kind: type[T], old: Any, **changes: Any) -> T:
    """Make one record of another: what both know stays, but for the changes. Raises TypeError for other fields."""
    made: T = _maker(kind, type(old), tuple(changes))(old, changes)  # type: ignore[arg-type]  # mypy takes a class for an object
    return made


if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - mypy checks the changes with what this one is like
else:

    def replace(old: T, **changes: object) -> T:
        """Make the same record again, but for the changes. Raises TypeError for other fields."""
        kind = type(old)
        return _maker(kind, kind, tuple(changes))(old, changes)


@cache
def _maker(kind: type[Any], other: type[Any], changed: tuple[str, ...]) -> Callable[..., Any]:
    """Write the function that makes a record of another, as `dataclass` writes an `__init__`: field by field."""
    values = {item.name: f"old.{item.name}" for item in fields(other)} | {
        name: f"changes[{name!r}]" for name in changed
    }
    known: dict[str, Any] = {"kind": kind, "new_record": object.__new__}
    lines = ["new = new_record(kind)"]
    for item in fields(kind):
        if item.name not in values and item.default is MISSING:
            raise TypeError(f"{kind.__name__} needs {item.name}")
        known[f"usual_{item.name}"] = item.default
        lines.append(f"new.{item.name} = {values.get(item.name, f'usual_{item.name}')}")
    if strange := set(changed).difference(item.name for item in fields(kind)):
        raise TypeError(f"{kind.__name__} has no {strange}")
    if hasattr(kind, "__post_init__"):
        lines.append("new.__post_init__()")
    source = "\n    ".join(("def make_record(old, changes):", *lines, "return new"))
    exec(source, known)  # noqa: S102 - nothing but the names of fields goes into it
    made: Callable[..., Any] = known["make_record"]
    return made
