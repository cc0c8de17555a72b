"""What a service counts while it works, so that who runs it can see how it does; right across all its processes.

Each process has a row of numbers in memory that all of them share, because whoever started them made it before they
began. A process counts in its own row only, so nobody waits for anybody, and a sum over the rows is the whole. A row
stays when its process is gone, and the next one in its place counts on: what was counted never becomes less. What is so
only now (how many streams are open) goes with the process. Nothing of it is on the disk, and it ends with the service.

A meter takes a number for each combination of its labels' values. These are words of ours, a few to a label, and never
a client's: `tests/api/test_metrics.py` sends whatever it can think of. The first time a combination is counted it gets
a place in the row, and its name is written beside the numbers, for whoever reads the row.

Whoever counts knows nothing of how it is shown; that is `ledger.api.metrics`.
"""

from __future__ import annotations

import mmap
import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

MOST_ROWS = 256
"""How many processes may count."""

NUMBERS, LETTERS = 8_192, 128 * 1024
"""How many numbers and how many bytes of names a row has room for: more than there can be, even if every address is
asked in every way. Nothing of it takes real memory before it is used."""

BYTES_A_ROW = NUMBERS * 8 + LETTERS

NAMED, PID, FIRST = 0, 1, 2
"""Where in a row it stands how many bytes of names it has and whose it is, and where its meters begin."""

GONE = -1
"""Instead of a process id: whose it was is gone. A row that was never anybody's has 0 there."""

MOST_SIDE_BY_SIDE = 32
"""How many numbers of one meter stand side by side at most. As many at the end of a row are nobody's: what finds no
room is counted there, and nobody looks."""

Labels = tuple[str, ...]

_shared = memoryview(mmap.mmap(-1, MOST_ROWS * BYTES_A_ROW))


class _Row:
    """The row of one process."""

    def __init__(self, place: int) -> None:
        begin = place * BYTES_A_ROW
        self.numbers = _shared[begin : begin + NUMBERS * 8].cast("d")
        self._letters = _shared[begin + NUMBERS * 8 : begin + BYTES_A_ROW]
        self._free = FIRST
        self.places: dict[tuple[str, Labels], int] = {}
        for name, labels, at, size in self.named():
            self.places[name, labels] = at
            self._free = at + size

    def named(self) -> Iterator[tuple[str, Labels, int, int]]:
        """Give what has been counted: the meter's name, labels, where its numbers begin, and how many there are.

        Who reads another process's row may find that it goes on meanwhile; what is named has its place already.
        """
        at = FIRST
        for line in bytes(self._letters[: int(self.numbers[NAMED])]).decode().splitlines():
            size, name, *labels = line.split("\t")
            yield name, tuple(labels), at, int(size)
            at += int(size)

    def new_place(self, name: str, labels: Labels, size: int) -> int:
        """Make room for a meter's numbers, for labels that it has not had yet; say where they begin."""
        line, begin = ("\t".join((str(size), name, *labels)) + "\n").encode(), int(self.numbers[NAMED])
        if self._free + size > NUMBERS - MOST_SIDE_BY_SIDE or begin + len(line) > LETTERS:
            return NUMBERS - MOST_SIDE_BY_SIDE
        self._letters[begin : begin + len(line)] = line
        self.numbers[NAMED] = begin + len(line)
        at = self.places[name, labels] = self._free
        self._free += size
        return at


_here = _Row(0)


def count_in_row(place: int) -> None:
    """Count in this row from now on; a process that has just begun says so. Another may have counted there before.

    Rows are given to processes from the first on; without anybody who gives them, all is counted in the first.
    """
    global _here  # noqa: PLW0603 - it is the one thing that a process has of its own
    _here = _Row(place)
    _here.numbers[PID] = os.getpid()


count_in_row(0)


def leave_row(place: int) -> None:
    """Take back what was so only as long as there was a process in this row."""
    row = _Row(place)
    row.numbers[PID] = GONE
    for name, _labels, at, _size in row.named():
        if isinstance(METERS.get(name), Gauge):
            row.numbers[at] = 0


class Meter:
    """Something that is counted, with the names of its labels, and what it says to people."""

    size = 1

    def __init__(self, name: str, about: str, labels: Sequence[str] = ()) -> None:
        self.name = name
        self.about = about
        self.labels = tuple(labels)
        METERS[name] = self


METERS: dict[str, Meter] = {}
"""Everything that is counted, by name."""


class Counter(Meter):
    """How often something has happened."""

    def add(self, *labels: str, amount: float = 1) -> None:
        """Count it. No other greenlet or thread can come in between reading the number and writing it."""
        at = _here.places.get((self.name, labels)) or _here.new_place(self.name, labels, 1)
        _here.numbers[at] += amount


class Gauge(Meter):
    """How much there is of something now, in this process."""

    def put(self, amount: float) -> None:
        """Say how much there is."""
        at = _here.places.get((self.name, ())) or _here.new_place(self.name, (), 1)
        _here.numbers[at] = amount

    def add(self, amount: float) -> None:
        """Say how much more there is, or less, where more than one has some of it."""
        at = _here.places.get((self.name, ())) or _here.new_place(self.name, (), 1)
        _here.numbers[at] += amount


class Histogram(Meter):
    """How often something was how large: at most as large as each bound, or larger than the last; and the sum."""

    def __init__(self, name: str, about: str, labels: Sequence[str], bounds: Sequence[float]) -> None:
        super().__init__(name, about, labels)
        self.bounds = bounds
        self.size = len(bounds) + 2

    def saw(self, amount: float, *labels: str) -> None:
        """Count something of this size."""
        at = _here.places.get((self.name, labels)) or _here.new_place(self.name, labels, self.size)
        numbers = _here.numbers
        numbers[at + bisect_left(self.bounds, amount)] += 1
        numbers[at + self.size - 1] += amount


class Counted(NamedTuple):
    """A meter's numbers for some labels, of all processes together."""

    labels: Labels
    numbers: Sequence[float]


def counted() -> dict[str, list[Counted]]:
    """Sum up what all processes have counted, by the meters' names. What another release counted is left out."""
    sums: dict[str, dict[Labels, list[float]]] = {name: {} for name in METERS}
    for row in _rows():
        for name, labels, at, size in row.named():
            if name in METERS and METERS[name].size == size:
                numbers = sums[name].setdefault(labels, [0.0] * size)
                for n in range(size):
                    numbers[n] += row.numbers[at + n]
    return {name: [Counted(*one) for one in sorted(found.items())] for name, found in sums.items()}


def counting() -> dict[int, int]:
    """Give the id of each process that counts, by its place."""
    pids = [int(row.numbers[PID]) for row in _rows()]
    return {place: pid for place, pid in enumerate(pids) if pid != GONE}


def _rows() -> Iterator[_Row]:
    """Give the rows that are or were somebody's, and look at no other: that would take real memory for it."""
    return takewhile(lambda row: row.numbers[PID], map(_Row, range(MOST_ROWS)))


# --- what is counted ------------------------------------------------------------------------------------------------

TIMES = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
"""Bounds in seconds: what is quick, what is felt, and what somebody waits for."""

REQUEST_SECONDS = Histogram(
    "request_seconds",
    "Requests, as what they were answered (2xx, 3xx, 4xx or 5xx), and in how many seconds the answer began.",
    ("method", "route", "status"),
    TIMES,
)
REFUSALS = Counter("refusals", "Problems that were told, by their code.", ("code",))
EVENTS = Counter("events", "Events that were recorded.", ("game", "type"))
COMMIT_SECONDS = Histogram("commit_seconds", "How long a commit took until it was on the disk, in seconds.", (), TIMES)
COMMIT_WRITES = Histogram("commit_writes", "How many writes shared a commit.", (), (1, 2, 4, 8, 16, 32))
CACHE_LOOKS = Counter(
    "cache_looks",
    "How a session was found in memory: as it stands (hit), to be caught up (behind), or not at all (miss).",
    ("result",),
)
CACHE_BYTES = Gauge("cache_bytes", "About how many bytes the sessions in memory take.")
STREAMS = Gauge("streams", "Streams that are open.")
STREAMED_SESSIONS = Gauge("streamed_sessions", "Sessions that somebody follows, for each process that they do it in.")
CONNECTIONS = Gauge("connections", "Connections that are open.")
