"""What 50,000 events of one session take in memory.

Evenings of all games go on without an end: Shirinma's worked example again and again, and Kakkuri and Shippin as the
second reckoning plays them. Each is folded from the rows of its log in a process of its own, which is compared with
itself before: so all counts that the session makes the process hold, also what the allocator wastes. Beside it stand
what Python says that the objects take, measured in another process, as that makes them larger, and what the session
says of itself. An evening that was reported to the process, and not read from the log, shares less.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from ledger.desk import Desk
from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.play import Event
from ledger.recording import Request
from ledger.store import open_store
from schemas.events import load_event
from schemas.rules import checked
from schemas.sessions import OpeningSchema
from tests.bench import evening
from tests.bench.machine import resident
from tests.bench.report import Effort, Figure, at_most, number
from tests.reckoning.evenings import Table
from tests.scorekeeper import Json

EVENTS, EVENTS_IN_A_HURRY = 50_000, 1_000
MB = 40
FIRST = 300
"""So many events are folded before, for what is made once for all sessions."""

BATCH = 500


class Kind(NamedTuple):
    """An evening: how it is opened, and what is reported."""

    opening: Json
    reports: Callable[[], Iterator[Json]]


def played(game: str, players: int) -> Kind:
    """Let a game be played round after round."""
    opening = {"game": game, "players": [f"Player {number}" for number in range(1, players + 1)]}

    def reports() -> Iterator[Json]:
        table, source = Table(opening), Random(game)
        while True:
            table.play(source)
            yield from (told.event for page in table.pages for told in page)
            table.pages.clear()

    return Kind(opening, reports)


KINDS: Mapping[str, Kind] = {
    "Shirinma": Kind(evening.OPENING, evening.events),
    "Kakkuri": played("kakkuri", 7),
    "Shippin": played("shippin", 5),
}


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every kind of evening, read from the log, and as it was reported."""
    count = effort.of(EVENTS, EVENTS_IN_A_HURRY)
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in KINDS.items():
            reports, database = Path(folder, f"{name}.json"), Path(folder, f"{name}.db")
            with reports.open("w", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(report)}\n" for report in islice(kind.reports(), count))
            sessions = [recorded(database, kind, reports, length) for length in (FIRST, count)]
            yield figure(f"{count:,} events of {name}, from the log", count, ["log", str(database), *sessions])
            yield figure(f"{count:,} events of {name}, as reported", count, ["reports", name, str(reports)])


def recorded(database: Path, kind: Kind, reports: Path, count: int) -> str:
    """Record an evening, and give the session's id."""
    store = open_store(database)
    store.prepare()
    desk = Desk(store)
    session, link, _ = desk.open(OpeningSchema().load(kind.opening))
    with reports.open(encoding="utf-8") as lines:
        events = islice(read(lines, kind), count)
        while some := list(islice(events, BATCH)):
            desk.recorder.record(session.id, some, Request(by=link.id))
    return session.id


def read(lines: Iterable[str], kind: Kind) -> Iterator[Event]:
    """Read events as they are read from requests."""
    book = newest(kind.opening["game"])
    return (checked(load_event(json.loads(line)), book) for line in lines)


def figure(name: str, count: int, arguments: list[str]) -> Figure:
    """Fold in two fresh processes, one of which asks Python about every object."""
    plain, traced = folded_elsewhere([*arguments, "plain"]), folded_elsewhere([*arguments, "traced"])
    objects, said = traced["bytes"] / count, plain["held"] / count
    beside = f"{number(plain['bytes'] / count)} bytes an event; objects {number(objects)}, said {number(said)}"
    return Figure(name, "MB", [plain["bytes"] / 2**20], at_most(MB), beside)


def folded_elsewhere(arguments: list[str]) -> Mapping[str, float]:
    command = [sys.executable, "-m", "tests.bench.folded", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def main(way: str, where: str, *more: str) -> None:
    """Fold what is asked for, and print how many bytes that took, and how many the session says."""
    *rest, how = more
    folds = from_the_log(where, *rest) if way == "log" else as_reported(KINDS[where], Path(rest[0]))
    next(folds)
    gc.collect()
    if how == "traced":
        tracemalloc.start()
    before = resident(os.getpid()) * 2**20
    state = next(folds)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] if how == "traced" else resident(os.getpid()) * 2**20 - before
    print(json.dumps({"bytes": grown, "held": state.held}))


def from_the_log(database: str, *sessions: str) -> Iterator[SessionState]:
    """Look at one session after the other."""
    desk = Desk(open_store(database))
    for session in sessions:
        yield desk.session(session).state


def as_reported(kind: Kind, reports: Path) -> Iterator[SessionState]:
    """Fold the first events of what was reported, and then all of it."""
    opening = OpeningSchema().load(kind.opening)
    version = newest(opening.game).version
    for length in (FIRST, None):
        state = SessionState.opened(GAMES[opening.game], opening)
        with reports.open(encoding="utf-8") as lines:
            yield state.after((event, version) for event in islice(read(lines, kind), length))


if __name__ == "__main__":
    main(*sys.argv[1:])
