"""Little slower as it grows: what is asked of sessions of 4,000 and 10,000 events, beside a plain POST to a short one.

One worker answers one client, whose plain POST and whose other request take turns: what counts is how long a phone
waits. The long session is Shirinma's worked example again and again, with a correction of a round in the middle, and
chips that are moved after the last. What may take longer is in seconds; another session is settled with 15 players.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import NamedTuple, Self

from ledger.storage.schema import TABLES
from tests.bench.evening import MOVED, OPENING, ROUND, Evening, events, turned
from tests.bench.report import Effort, Figure, Goal, at_most, milliseconds
from tests.bench.wire import Caller
from tests.scorekeeper import Json
from tests.service import Service

FEW, MANY, MANY_IN_A_HURRY = 10, 10_000, 1_000
A_LONG_EVENING = 4_000

TURNS = 20
"""So often the two take turns in each repeat."""

SECONDS_A_ROW = 6.0
"""After so long a row is not repeated any more: what is slow is told as well by fewer repeats."""

A_BID = 10
"""The place in the round of a bid that may be of any amount: what goes into the pot, and out of it, is another then."""

AFTERWARDS = 100
"""So many events come after the last round, and belong to none."""

AN_HOUR = 300
"""About so many events are reported in an hour."""

FIRST_LOOK = at_most(250)
"""In milliseconds, however long the session is."""

BEGINNING: Sequence[Json] = [
    {"type": "player_renamed", "player": "p1", "name": "Aki"},
    {"type": "rules_changed", "rules": {"ante": 20}},
]
"""What a long session begins with, so that it can be amended: what follows is played on another table then."""

numbers = count(1)
"""Something else each time, so that no request is one from before."""


class LongSession(NamedTuple):
    """A session of whole rounds, of which one in the middle is corrected half-way, and chips moved after the last.

    `early` is a request that was recorded right before that correction, and has an idempotency key.
    """

    evening: Evening
    rounds: int
    early: bytes

    @classmethod
    def recorded(cls, caller: Caller, port: int, length: int) -> Self:
        """Record a session of about so many events."""
        evening, rounds = Evening.opened(port), length // len(ROUND)
        it = cls(evening, rounds, evening.reports(MOVED, Idempotency_Key="an early one"))
        reports = list(islice(events(), rounds * len(ROUND)))
        evening.recorded(caller, [*BEGINNING, *reports[: it.half]])
        took(caller, it.early)
        took(caller, it.amends(rounds // 2 - 1))
        evening.recorded(caller, reports[it.half :])
        for _ in range(AFTERWARDS):
            took(caller, evening.reports(MOVED))
        return it

    @property
    def half(self) -> int:
        """How many events of rounds are recorded before the correction."""
        return self.rounds * len(ROUND) // 2

    @property
    def last(self) -> int:
        """The number of its last event, as it was recorded."""
        return len(BEGINNING) + self.rounds * len(ROUND) + 2 + AFTERWARDS

    @property
    def inserted(self) -> Json:
        """A move of chips that is inserted in the first round."""
        return {"type": "event_inserted", "after": len(BEGINNING) + A_BID, "event": MOVED}

    def amends(self, number: int) -> bytes:
        """Say that a bid of a round was another amount."""
        place = (number - 1) * len(ROUND) + A_BID
        seq = len(BEGINNING) + place + (2 if place > self.half else 0)
        return self.amends_event(seq, turned(ROUND[A_BID - 1], number - 1) | {"amount": 2 + next(numbers)})

    def amends_event(self, seq: int, event: Json) -> bytes:
        """Say that another event was seen."""
        return self.evening.reports({"type": "event_amended", "seq": seq, "event": event})


class Row(NamedTuple):
    """What is asked; only the last of the requests is measured, the others prepare it."""

    name: str
    goal: Goal | None
    requests: Callable[[], Sequence[bytes]]


def rows(it: LongSession) -> Sequence[Row]:
    """Give what is asked of a session, what is recorded there last."""
    looks, reports, last, rounds = it.evening.looks, it.evening.reports, it.last, it.rounds
    later = f"/rounds/{rounds * 3 // 4}?at={last * 3 // 4}"
    undo = [reports(MOVED), reports({"type": "event_taken_back"})]
    return [
        Row("the session ?at= near the end", at_most(3), lambda: [looks(f"?at={last - next(numbers) % AFTERWARDS}")]),
        Row("the session ?at= an hour ago", at_most(3), lambda: [looks(f"?at={last - AN_HOUR - next(numbers)}")]),
        Row("the session ?at= before the correction", None, lambda: [looks(f"?at={it.half - next(numbers) % 100}")]),
        Row("a round at an earlier event", at_most(3), lambda: [looks(later)]),
        Row("a dry run", at_most(3), lambda: [reports(MOVED, query="?dry_run=true")]),
        Row("events?after= near the end", at_most(3), lambda: [looks(f"/events?after={last - 20}&limit=20")]),
        Row("rounds?limit= of the last 20", at_most(8), lambda: [looks(f"/rounds?after={rounds - 20}&limit=20")]),
        Row("settlement", at_most(3), lambda: [looks("/settlement")]),
        Row("statistics", at_most(8), lambda: [looks("/statistics")]),
        Row("a repeat from before the correction", None, lambda: [it.early]),
        Row("amending one of the last round", at_most(3), lambda: [it.amends(rounds)]),
        Row("taking back the last event", at_most(3), lambda: undo),
        Row("a repeat with its Idempotency-Key", at_most(2), lambda: repeated(it.evening)),
    ]


def of_the_beginning(it: LongSession) -> Sequence[Row]:
    """Give corrections of the first round, and before it: of chips alone, of a round, of every table, of all chips."""
    renamed, ante = BEGINNING
    return [
        Row("inserting a move of chips in the first round", at_most(0.05), lambda: [it.evening.reports(it.inserted)]),
        Row("amending a bid of the first round", at_most(0.5), lambda: [it.amends(1)]),
        Row(
            "amending a name before the first round",
            at_most(0.5),
            lambda: [it.amends_event(1, renamed | {"name": f"Aki {next(numbers)}"})],
        ),
        Row(
            "amending the ante before the first round",
            at_most(0.5),
            lambda: [it.amends_event(2, ante | {"rules": {"ante": 20 + next(numbers)}})],
        ),
    ]


def repeated(evening: Evening) -> Sequence[bytes]:
    return [evening.reports(MOVED, Idempotency_Key=f"key {next(numbers)}")] * 2


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row."""
    with tempfile.TemporaryDirectory() as folder:
        for length in (MANY_IN_A_HURRY,) if effort.quick else (A_LONG_EVENING, MANY):
            figures = in_a_long_session(Path(folder, f"{length}.db"), length, effort)
            yield from (figure._replace(name=f"{length:,}: {figure.name}") for figure in figures)
        yield unevenly_settled(Path(folder, "uneven.db"), effort)
        yield among_others(Path(folder), effort)


def in_a_long_session(database: Path, length: int, effort: Effort) -> Iterator[Figure]:
    """Measure what is asked of one session."""
    with Service(database, workers=1) as service:
        few = Evening.opened(service.port)
        with Caller(service.port) as caller:
            few.played(caller, FEW)
            it = LongSession.recorded(caller, service.port, length)
        yield first_look(service, it.evening, effort)
        with Caller(service.port) as caller:
            post = Row(f"a POST, beside one at {FEW} events", at_most(1.3), lambda: [it.evening.reports(MOVED)])
            for row in (*rows(it), post):  # an evening has at most so many events; longer ones are only measured
                yield compared(caller, few, row if length == A_LONG_EVENING else row._replace(goal=None), effort)
            for row in of_the_beginning(it):
                yield in_seconds(caller, row, effort)


def unevenly_settled(database: Path, effort: Effort) -> Figure:
    """Measure who pays whom among 15 players."""
    with Service(database, workers=1) as service, Caller(service.port) as caller:
        fifteen = unevenly(caller, service.port)
        settled = Row("settlement of 15 players", at_most(0.1), lambda: [fifteen.looks("/settlement")])
        return in_seconds(caller, settled, effort)


def among_others(folder: Path, effort: Effort) -> Figure:
    """Let plain POSTs take turns to a database with nothing else in it, and to one with many events of others."""
    times = effort.of(100, 2)
    with Service(folder / "small.db", workers=1) as small, Service(folder / "large.db", workers=1) as large:
        with Caller(large.port) as caller:
            other = Evening.opened(large.port)
            other.played(caller, MANY)
        copied(folder / "large.db", other.address.rpartition("/")[2], times)
        with Caller(small.port) as quiet, Caller(large.port) as caller:
            plain, here = Evening.opened(small.port), Evening.opened(large.port)
            row = Row(f"a POST beside {times * MANY:,} events of others", at_most(1.1), lambda: [here.reports(MOVED)])
            return compared(caller, plain, row, effort, alone=quiet)


def copied(database: Path, session: str, times: int) -> None:
    """Copy a session's events and entries, as those of other sessions."""
    with closing(sqlite3.connect(database, timeout=60)) as connection, connection:
        for table in ("events", "entries"):
            names = ", ".join(name for name in TABLES[table].columns if name != "session_id")
            # the names are the database's own
            copy = f"INSERT INTO {table} (session_id, {names}) SELECT ?, {names} FROM {table} WHERE session_id = ?"  # noqa: S608
            for number in range(times):
                connection.execute(copy, [f"{number:016x}", session])


def compared(caller: Caller, plain: Evening, row: Row, effort: Effort, alone: Caller | None = None) -> Figure:
    """Let a plain POST to a session, perhaps of a service of its own, and what a row asks take turns."""
    posts, works, ratios = list[float](), list[float](), list[float]()
    end = time.monotonic() + SECONDS_A_ROW
    while len(ratios) < effort.repeats and (time.monotonic() < end or not ratios):
        for _ in range(TURNS):
            posts.append(took(alone or caller, plain.reports(MOVED)))
            *before, measured = row.requests()
            for request in before:
                took(caller, request)
            works.append(took(caller, measured))
        ratios.append(median(works[-TURNS:]) / median(posts[-TURNS:]))
    beside = f"{milliseconds(median(works))} : {milliseconds(median(posts))}"
    return Figure(row.name, "plain POSTs", ratios, row.goal, beside)


def took(caller: Caller, request: bytes) -> float:
    """Say how long an answer took, in seconds."""
    heard = caller.call(request)
    assert heard.status in {200, 201}, heard
    return heard.took


def unevenly(caller: Caller, port: int) -> Evening:
    """Open a session of 15 players with balances of which no two cancel out."""
    evening = Evening.opened(port, OPENING | {"players": [f"Player {number}" for number in range(1, 16)]})
    for seat in range(2, 16):
        took(caller, evening.reports({"type": "chips_moved", "from": "p1", "to": f"p{seat}", "amount": 7**seat % 1000}))
    return evening


def in_seconds(caller: Caller, row: Row, effort: Effort) -> Figure:
    """Measure how long what a row asks takes by itself."""
    times = list[float]()
    for _ in range(effort.repeats):
        *before, measured = row.requests()
        for request in before:
            took(caller, request)
        times.append(took(caller, measured))
    return Figure(row.name, "s", times, row.goal)


def first_look(service: Service, evening: Evening, effort: Effort) -> Figure:
    """Look at the session right after a restart."""
    looks = []
    for _ in range(effort.of(3, 1)):
        service.stop()
        service.start()
        with Caller(service.port) as caller:
            looks.append(took(caller, evening.looks()) * 1000)
    return Figure("the first look after a restart", "ms", looks, FIRST_LOOK)
