"""What corrections mean: what has been taken back, and what was said in an event's place.

Corrections that were made together are one row of the log and here one `Logged` a part, in the order given; taking the
row back takes all of them back.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from ledger.budget import breathe
from ledger.history.by_number import ByNumber
from ledger.play import Event, PlayerId
from ledger.records import Record, field
from ledger.session import EventAmended, EventInserted, EventTakenBack


class Address(NamedTuple):
    """Where an event stands in a log: the number of its row, and of its part if it was inserted together with others.

    Part 0 is the row itself.
    """

    seq: int
    part: int = 0


BEFORE_ALL = Address(0)
"""After this stands what is inserted before the first event."""


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


def undone(newest_first: Iterable[Logged], gone: dict[Address, int] | None = None) -> dict[Address, int]:
    """Say what of a log has been taken back, and by which row, besides what is known already.

    What was taken back has no effect, so taking back a take-back restores what it had undone. A row only ever refers
    to earlier ones, therefore one pass from the newest to the oldest settles it.
    """
    gone = {} if gone is None else gone
    for row in newest_first:
        breathe()
        if isinstance(row.event, EventTakenBack) and row.event.seq is not None and stands(row.at, gone):
            gone.setdefault(target(row.event), row.at.seq)
    return gone


def stands(at: Address, gone: Container[Address]) -> bool:
    """Say whether neither an event nor the row that it is a part of has been taken back."""
    return at not in gone and (at.part == 0 or Address(at.seq) not in gone)


def in_effect(event: Event) -> Event:
    """Give the event of the table that an event of the log puts in place: its own, or the one within a correction."""
    return event.event if isinstance(event, EventAmended | EventInserted) else event


class _Told(NamedTuple):
    """A correction, and the one about the same row that came before it."""

    newest: Logged
    before: _Told | None


def _newest_first(told: _Told | None) -> Iterator[Logged]:
    while told is not None:
        yield told.newest
        told = told.before


class Corrections(Record, eq=False):
    """The take-backs and the amendments of a log, by the number of the row that they are about.

    So what became of an event is known without going through the log.
    """

    take_backs: ByNumber[_Told] = field(default_factory=ByNumber)
    amendments: ByNumber[_Told] = field(default_factory=ByNumber)

    def and_then(self, said: Iterable[Logged]) -> Corrections:
        """Note what comes next in the log."""
        take_backs, amendments = self.take_backs, self.amendments
        for logged in said:
            if isinstance(logged.event, EventTakenBack):
                seq = target(logged.event).seq
                take_backs = take_backs.having(seq, _Told(logged, take_backs.get(seq)))
            elif isinstance(logged.event, EventAmended):
                seq = target(logged.event).seq
                amendments = amendments.having(seq, _Told(logged, amendments.get(seq)))
        return Corrections(take_backs, amendments)

    def ever_amended(self, seq: int) -> Iterator[Logged]:
        """Give all amendments of a row, or of a part of it, newest first."""
        return _newest_first(self.amendments.get(seq))


class Standing:
    """What stands after some corrections. Rows are looked into as they are asked for, each of them once."""

    def __init__(self, corrections: Corrections) -> None:
        self._corrections = corrections
        self._gone: dict[Address, int] = {}
        self._known: set[int] = set()

    def gone(self, seq: int) -> dict[Address, int]:
        """Say what of a row has been taken back, and by which row, the newest first."""
        self._look_into(seq)
        gone: dict[Address, int] = {}
        for said in sorted(_newest_first(self._corrections.take_backs.get(seq)), key=newest_row_first):
            if isinstance(said.event, EventTakenBack) and self._gone.get(at := target(said.event)) == said.at.seq:
                gone[at] = said.at.seq
        return gone

    def stands(self, at: Address) -> bool:
        """Say whether neither an event nor the row that it is a part of has been taken back."""
        self._look_into(at.seq)
        return stands(at, self._gone)

    def amended(self, seq: int) -> Iterator[Logged]:
        """Give the amendments of a row that stand, or of a part of it, newest first."""
        return (said for said in self._corrections.ever_amended(seq) if self.stands(said.at))

    def amendment(self, at: Address) -> Logged | None:
        """Give what an event has been amended by: the newest amendment that stands."""
        return next((said for said in self.amended(at.seq) if target_of_amendment(said) == at), None)

    def _look_into(self, seq: int) -> None:
        """Find out what of a row has been taken back, and of all that bears on that."""
        if seq in self._known:
            return
        self._known.add(seq)
        bearing, coming = list[Logged](), [seq]
        while coming:
            for said in _newest_first(self._corrections.take_backs.get(coming.pop())):
                breathe()
                bearing.append(said)
                if said.at.seq not in self._known:
                    self._known.add(said.at.seq)
                    coming.append(said.at.seq)
        undone(sorted(bearing, key=newest_row_first), self._gone)


def target_of_amendment(said: Logged) -> Address | None:
    """Say what an amendment is about; nothing else is one."""
    return target(said.event) if isinstance(said.event, EventAmended) else None


def newest_row_first(said: Logged) -> tuple[int, int]:
    """Sort corrections newest first, those of one row in the order given."""
    return -said.at.seq, said.at.part
