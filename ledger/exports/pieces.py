"""A file in pieces that are worth sending: formats write it line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.cooperation import yielding

BYTES_A_PIECE = 64 * 1024


def in_pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Put lines together until they are enough for a piece. The first goes by itself, so that nobody waits for more."""
    piece = bytearray()
    enough = 0
    for line in yielding(lines):
        piece += line
        if len(piece) > enough:
            yield bytes(piece)
            piece.clear()
            enough = BYTES_A_PIECE
    if piece:
        yield bytes(piece)
