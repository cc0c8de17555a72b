"""A file in pieces that are worth sending: formats write it line by line."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextvars import Context
from math import inf

from ledger.budget import breathe, limited

BYTES_A_PIECE = 64 * 1024


def in_pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Put lines together until they are enough for a piece. The first goes by itself, so that nobody waits for more."""
    piece = bytearray()
    enough = 0
    for line in lines:
        breathe()
        piece += line
        if len(piece) > enough:
            yield bytes(piece)
            piece.clear()
            enough = BYTES_A_PIECE
    if piece:
        yield bytes(piece)


def at_leisure(pieces: Iterator[bytes]) -> Generator[bytes]:
    """Make pieces so that others may go first in between, however long it takes in all.

    They are asked for once the request is over, by whoever sends them. So they are made in a context of their own, and
    what the asker may still compute is neither looked at nor changed.
    """
    context, unlimited = Context(), without_an_end(pieces)
    try:
        while (piece := context.run(next, unlimited, None)) is not None:
            yield piece
    finally:
        context.run(unlimited.close)


def without_an_end(pieces: Iterator[bytes]) -> Generator[bytes]:
    """Make pieces within a budget that has no end."""
    with limited(inf):
        yield from pieces
