"""Sequences that only grow, for what a round collects without an end: bids, turns.

Each phase of a round has one, and a copy of all elements in each would take room by the square of their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Trail(Sequence[T], Generic[T]):
    """A frozen sequence that shares all but its last element with the one that it was made from.

    It equals a tuple of the same elements.
    """

    __slots__ = ("_before", "_last", "_length")

    def __init__(self) -> None:
        self._before: Trail[T] | None = None
        self._last: T
        self._length = 0

    def and_then(self, element: T) -> Trail[T]:
        """Give the same with one more element."""
        longer = Trail[T]()
        longer._before, longer._last, longer._length = self, element, self._length + 1
        return longer

    def __len__(self) -> int:
        return self._length

    def __reversed__(self) -> Iterator[T]:
        now = self
        while now._before is not None:
            yield now._last
            now = now._before

    def __iter__(self) -> Iterator[T]:
        return reversed(list(reversed(self)))

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, tuple):
            return tuple(self) == other
        if not isinstance(other, Trail) or self._length != other._length:
            return False
        one: Trail[Any] = self
        while one is not other and one._before is not None and other._before is not None:
            if one._last != other._last:
                return False
            one, other = one._before, other._before
        return True

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Trail({list(self)})"
