"""What corrections mean: which events of a log stand, and in what order they count."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from ledger.play import (
    Event,
    PlayerId,
)
from ledger.session import (
    Correction,
    EventAmended,
    EventInserted,
    EventTakenBack,
)


class Logged(NamedTuple):
    """An event as it stands in the log: its number, and the version of the rule book in use when it was recorded.

    `newcomer` is the id that it gave to somebody new.
    """

    seq: int
    event: Event
    version: int
    newcomer: PlayerId | None = None


def undone(newest_first: Iterable[Logged]) -> dict[int, int]:
    """Say which rows of a log have been taken back, and by which row.

    A taken-back row has no effect, so taking back a take-back restores what it had undone. A row only ever refers to
    earlier ones, therefore one pass from the newest to the oldest settles it.
    """
    gone: dict[int, int] = {}
    for row in newest_first:
        if row.seq not in gone and isinstance(row.event, EventTakenBack) and row.event.seq is not None:
            gone.setdefault(row.event.seq, row.seq)
    return gone


def amended(newest_first: Iterable[Logged], gone: Container[int]) -> dict[int, Logged]:
    """Say which rows of a log have been amended, and by which row: the newest amendment that stands."""
    latest: dict[int, Logged] = {}
    for row in newest_first:
        if row.seq not in gone and isinstance(row.event, EventAmended):
            latest.setdefault(row.event.seq, row)
    return latest


def timeline(newest_first: Sequence[Logged]) -> tuple[Logged, ...]:
    """Read off a log which events count, in the order in which they count.

    Events count in the order they were reported; an inserted one stands right after the event it names. An amended
    event keeps its number, its place and the version it was recorded under, and somebody new the id.
    """
    gone = undone(newest_first)
    amendments = amended(newest_first, gone)
    inserted: dict[int, list[Logged]] = {}
    reported = [row for row in newest_first if not isinstance(row.event, Correction)]
    for row in newest_first:
        if isinstance(row.event, EventInserted):
            inserted.setdefault(row.event.after, []).append(row)
    counting: list[Logged] = []
    coming = [*reported, *reversed(inserted.get(0, []))]
    while coming:
        row = coming.pop()
        coming += reversed(inserted.get(row.seq, []))
        if row.seq not in gone:
            latest = amendments.get(row.seq, row)
            counting.append(Logged(row.seq, in_effect(latest.event), row.version, latest.newcomer))
    return tuple(counting)


def in_effect(event: Event) -> Event:
    """Give the event of the table that an event of the log puts in place: its own, or the one within a correction."""
    return event.event if isinstance(event, EventAmended | EventInserted) else event
