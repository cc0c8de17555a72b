"""The whole log in the round notation: short enough to read aloud, and accepted back by import and calculate."""

from __future__ import annotations

from ledger.codec.encoding import plain
from ledger.codec.log import reported
from ledger.cooperation import yielding
from ledger.exports.archive import SessionArchive
from ledger.notation import format_lines


def write_text(archive: SessionArchive) -> bytes:
    """Write the opening and every event as it was reported, corrections included."""
    events = (reported(row.type, row.body, row.words) for row in archive.rows())
    return "".join(yielding(format_lines(plain(archive.session.opening), events))).encode()
