"""A file in pieces that are worth sending: formats write it line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

BYTES_A_PIECE = 64 * 1024


def in_pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Put lines together until they are enough for a piece."""
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= BYTES_A_PIECE:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)
