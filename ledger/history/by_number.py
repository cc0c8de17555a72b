"""Something kept by number, as a frozen value: setting one gives another that shares with it all but a few tuples."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

BITS = 5
WIDTH = 1 << BITS
_EMPTY: tuple[Any, ...] = (None,) * WIDTH


class ByNumber(NamedTuple, Generic[T]):
    """Values by numbers from 0 on, in a tree of tuples; `height` is how many tuples lie above those of values."""

    root: tuple[Any, ...] = _EMPTY
    height: int = 0

    def get(self, number: int) -> T | None:
        """Find what is kept under a number."""
        if number >> BITS * (self.height + 1):
            return None
        node: Any = self.root
        for level in range(self.height, -1, -1):
            node = node[number >> BITS * level & WIDTH - 1]
            if node is None:
                return None
        found: T = node
        return found

    def having(self, number: int, value: T) -> ByNumber[T]:
        """Keep something under a number, in place of what is there."""
        root, height = self.root, self.height
        while number >> BITS * (height + 1):
            root, height = (root, *_EMPTY[1:]), height + 1
        return ByNumber(_having(root, height, number, value), height)


def _having(node: tuple[Any, ...] | None, height: int, number: int, value: object) -> tuple[Any, ...]:
    node = node or _EMPTY
    place = number >> BITS * height & WIDTH - 1
    child = _having(node[place], height - 1, number, value) if height else value
    return (*node[:place], child, *node[place + 1 :])
