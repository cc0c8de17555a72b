"""The whole log in the round notation: short enough to read aloud, and accepted back by import and calculate."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.answers.encoding import plain
from ledger.desk import SessionArchive
from ledger.notation import Score, write


def write_text(archive: SessionArchive) -> Iterator[bytes]:
    """Write the opening and every event as it was reported, corrections included."""
    events = tuple(plain(told.event) for told in archive.events())
    opening = {name: said for name, said in plain(archive.session.opening).items() if said is not None}
    opening.pop("carried")
    yield write(Score(opening, events)).encode()
