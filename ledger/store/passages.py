"""How a session goes from one database to another so that at every moment exactly one of them has it.

A move is a text that no other move has. Its steps, each in one commit, and each done only if the session stands as it
has to before:

    leave     here     nobody writes in the session any more, who would is told StoreBusy; it is read as before
    (unpack)  there    a copy of it is kept, which nobody finds
    go        here     nobody finds it any more: this is the moment at which it has moved
    arrive    there    it is found
    let go    here     what nobody finds is deleted for good

Whoever is killed leaves marks by which anybody else can go on. While the session can be found, it is at home here:
`stay` takes the move back, and a move that was taken back never gets to `go`. Once the session has gone, the copy is
all there is, and anybody may let it arrive. A copy whose move was taken back is let go.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Step = Literal["leave", "stay", "go", "arrive", "let go"]


class Stand(NamedTuple):
    """How a session stands in one database: whether it is marked with the move, and whether anybody finds it."""

    is_marked: bool
    is_found: bool


STEPS: Mapping[Step, tuple[Stand, Stand]] = MappingProxyType(
    {
        "leave": (Stand(is_marked=False, is_found=True), Stand(is_marked=True, is_found=True)),
        "stay": (Stand(is_marked=True, is_found=True), Stand(is_marked=False, is_found=True)),
        "go": (Stand(is_marked=True, is_found=True), Stand(is_marked=True, is_found=False)),
        "arrive": (Stand(is_marked=True, is_found=False), Stand(is_marked=False, is_found=True)),
        "let go": (Stand(is_marked=True, is_found=False), Stand(is_marked=False, is_found=False)),
    }
)
"""How a session has to stand before a step, and how it stands after it."""


class Passage(NamedTuple):
    """A session that is marked in one database: with which move, and whether anybody finds it there."""

    session: str
    move: str
    is_found: bool
