"""What corrections mean: which events of a log stand, and in what order they count.

A log is looked at as a list of `Logged`, newest first. Corrections that were made together are one row of the log and
here one `Logged` a part, in the order given; taking the row back takes all of them back.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from ledger.play import Event, PlayerId
from ledger.session import Correction, EventAmended, EventInserted, EventTakenBack


class Address(NamedTuple):
    """Where an event stands in a log: the number of its row, and of its part if it was inserted together with others.

    Part 0 is the row itself.
    """

    seq: int
    part: int = 0


class Logged(NamedTuple):
    """An event as it stands in the log, and the version of the rule book in use when it was recorded.

    `newcomer` is the id that it gave to somebody new.
    """

    at: Address
    event: Event
    version: int
    newcomer: PlayerId | None = None


def target(correction: EventTakenBack | EventAmended | EventInserted) -> Address:
    """Say which event a correction is about: the one it undoes or amends, or after which it inserts another."""
    seq = correction.after if isinstance(correction, EventInserted) else correction.seq
    return Address(seq or 0, correction.part or 0)


def undone(newest_first: Iterable[Logged]) -> dict[Address, int]:
    """Say what of a log has been taken back, and by which row.

    What was taken back has no effect, so taking back a take-back restores what it had undone. A row only ever refers
    to earlier ones, therefore one pass from the newest to the oldest settles it.
    """
    gone: dict[Address, int] = {}
    for row in newest_first:
        if isinstance(row.event, EventTakenBack) and row.event.seq is not None and stands(row.at, gone):
            gone.setdefault(target(row.event), row.at.seq)
    return gone


def stands(at: Address, gone: Container[Address]) -> bool:
    """Say whether neither an event nor the row that it is a part of has been taken back."""
    return at not in gone and (at.part == 0 or Address(at.seq) not in gone)


def amended(newest_first: Iterable[Logged], gone: Container[Address]) -> dict[Address, Logged]:
    """Say which events of a log have been amended, and by what: the newest amendment that stands."""
    latest: dict[Address, Logged] = {}
    for row in newest_first:
        if isinstance(row.event, EventAmended) and stands(row.at, gone):
            latest.setdefault(target(row.event), row)
    return latest


def timeline(newest_first: Sequence[Logged]) -> tuple[Logged, ...]:
    """Read off a log which events count, in the order in which they count.

    Events count in the order they were reported. An inserted one stands right after the event it names, the newest
    first, those of one row in the order given. An amended event keeps its number, its place and the version it was
    recorded under, and somebody new the id.
    """
    gone = undone(newest_first)
    amendments = amended(newest_first, gone)
    inserted: dict[Address, list[Logged]] = {}
    for row in newest_first:
        if isinstance(row.event, EventInserted):
            inserted.setdefault(target(row.event), []).append(row)
    counting: list[Logged] = []
    coming = [row for row in newest_first if not isinstance(row.event, Correction)]
    coming += reversed(inserted.get(Address(0), []))
    while coming:
        row = coming.pop()
        coming += reversed(inserted.get(row.at, []))
        if stands(row.at, gone):
            latest = amendments.get(row.at, row)
            counting.append(Logged(row.at, in_effect(latest.event), row.version, latest.newcomer))
    return tuple(counting)


def in_effect(event: Event) -> Event:
    """Give the event of the table that an event of the log puts in place: its own, or the one within a correction."""
    return event.event if isinstance(event, EventAmended | EventInserted) else event
