"""The whole log in the round notation: short enough to read aloud, and accepted back by import and calculate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ledger.codec import opening_to, reported
from ledger.desk import SessionArchive
from ledger.notation import written

LINES_A_PIECE = 500


def write_text(archive: SessionArchive) -> Iterator[bytes]:
    """Write the opening and every event as it was reported, corrections included, some hundred lines at a time."""
    events = (reported(row.type, row.body, row.words) for row in archive.rows())
    lines = written(opening_to(archive.session.opening), events)
    while piece := "".join(islice(lines, LINES_A_PIECE)):
        yield piece.encode()
