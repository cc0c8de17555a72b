"""The whole log in the round notation: short enough to read aloud, and accepted back by import and calculate."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.desk import SessionArchive
from ledger.notation import Score, write
from schemas.events import dump_event
from schemas.sessions import dump_opening


def write_text(archive: SessionArchive) -> Iterator[bytes]:
    """Write the opening and every event as it was reported, corrections included."""
    events = tuple(dump_event(told.event) for told in archive.events())
    yield write(Score(dump_opening(archive.session.opening), events)).encode()
