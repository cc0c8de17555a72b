"""What two programs for bookkeeping both want of a session: days, accounts, and text on one line.

Both sort what they read by day and check balances in that order. The clock of a service can be set back, and then a
day would come after the next; so a day never goes back here, and `recorded_at` beside it says exactly when.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.books import Entry
from ledger.desk import SessionArchive
from ledger.language import inert
from ledger.session import Player


class Dated(NamedTuple):
    """An entry, the day it is booked on (`2026-11-21`), and when its event was recorded; both in UTC."""

    day: str
    recorded_at: str
    entry: Entry


def dated(archive: SessionArchive) -> Iterator[Dated]:
    """Give every entry with its day, oldest first; log and ledger are read side by side."""
    log = archive.rows()
    seq, moment, day = 0, archive.session.created_at, day_of(archive)
    for entry in archive.entries():
        while seq < entry.seq:
            row = next(log)
            seq, moment, day = row.seq, row.recorded_at, max(day, row.recorded_at[:10])
        yield Dated(day, moment, entry)


def where(entry: Entry) -> str:
    """Say in words where an entry comes from."""
    place = "between rounds" if entry.round is None else f"round {entry.round}"
    return place if entry.reverses is None else f"{place}, reverses entry {entry.reverses}"


def heading(archive: SessionArchive) -> str:
    """Say in comments what a file was made from, and what its days are."""
    session = archive.session
    return (
        f"; session {session.id}, opened {session.created_at}, as it stood at event {session.state.seq}\n"
        "; Days are in UTC and never go back; recorded_at says exactly when.\n\n"
    )


def day_of(archive: SessionArchive) -> str:
    """Give the day on which the session was opened, in UTC."""
    return archive.session.created_at[:10]


def seats(archive: SessionArchive) -> list[tuple[str, Player]]:
    """Give everyone who ever sat here with their number, written so that the numbers sort as text."""
    players = archive.session.state.table.players
    width = max(2, len(str(len(players))))
    return [(player.id.removeprefix("p").zfill(width), player) for player in players]


def on_one_line(words: str) -> str:
    """Give somebody's words without what would break a line or turn it around, and without spaces at the ends."""
    return inert(words).strip()
