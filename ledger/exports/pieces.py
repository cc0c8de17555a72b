"""A file in pieces that are worth sending: formats write it line by line."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
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

    They are asked for once the request is over, by whoever sends them. While a piece waits to be sent nothing is worked
    on, and what the asker may still compute is not changed.
    """
    while True:
        with limited(inf):
            piece = next(pieces, None)
        if piece is None:
            return
        yield piece
