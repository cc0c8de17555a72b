"""The whole log in the round notation: short enough to read aloud, and accepted back by import and calculate."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.codec import opening_to, reported
from ledger.exports.archive import SessionArchive
from ledger.exports.pieces import in_pieces
from ledger.notation import written


def write_text(archive: SessionArchive) -> Iterator[bytes]:
    """Write the opening and every event as it was reported, corrections included."""
    events = (reported(row.type, row.body, row.words) for row in archive.rows())
    return in_pieces(line.encode() for line in written(opening_to(archive.session.opening), events))
