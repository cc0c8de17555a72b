"""No slower as it grows: what is asked of a session of 10,000 events, beside a plain POST to that same session.

One worker answers one client, whose plain POST and whose other request take turns: what counts is how long a phone
waits. The session is Shirinma's worked example again and again; it is asked for its settlement with 15 players.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.evening import MOVED, OPENING, ROUND, Evening, turned
from tests.bench.report import Effort, Figure, Goal, at_most, milliseconds
from tests.bench.wire import Caller
from tests.scorekeeper import Json
from tests.service import Service

FEW, MANY, MANY_IN_A_HURRY = 10, 10_000, 1_000
TURNS = 20
"""So often the two take turns in each repeat."""

SECONDS_A_ROW = 6.0
"""After so long a row is not repeated any more: what is slow is told as well by fewer repeats."""

A_BID = 10
"""The place in the round of a bid that may be of any amount."""

AN_HOUR = 300
"""About so many events are reported in an hour."""

numbers = count(1)
"""Something else each time, so that no request is one from before."""


class Row(NamedTuple):
    """What is asked; only the last of the requests is measured, the others prepare it."""

    name: str
    goal: Goal | None
    requests: Callable[[], Sequence[bytes]]


def rows(it: Evening, length: int) -> Sequence[Row]:
    """Give what is asked of a session of so many events, what corrects much of it last."""
    rounds = length // len(ROUND)
    middle = f"/rounds/{rounds // 2}?at={length // 2}"
    return [
        Row("a repeat with its Idempotency-Key", at_most(2), lambda: repeated(it)),
        Row("the session ?at= an hour ago", at_most(3), lambda: [it.looks(f"?at={length - AN_HOUR - next(numbers)}")]),
        Row("a round at an earlier event", at_most(3), lambda: [it.looks(middle)]),
        Row("a dry run", at_most(3), lambda: [it.reports(MOVED, query="?dry_run=true")]),
        Row("events?after= near the end", at_most(3), lambda: [it.looks(f"/events?after={length - 20}&limit=20")]),
        Row("rounds?limit= of the last 20", at_most(8), lambda: [it.looks(f"/rounds?after={rounds - 20}&limit=20")]),
        Row("statistics", at_most(8), lambda: [it.looks("/statistics")]),
        Row("taking back the last event", at_most(3), lambda: [it.reports({"type": "event_taken_back"})]),
        Row("amending one of the last round", at_most(3), lambda: [amended(it, rounds)]),
        Row("amending one of the first round", None, lambda: [amended(it, 1)]),
    ]


def repeated(evening: Evening) -> Sequence[bytes]:
    return [evening.reports(MOVED, Idempotency_Key=f"key {next(numbers)}")] * 2


def amended(evening: Evening, round_number: int) -> bytes:
    """Say that a bid of some round was another amount."""
    places = round_number - 1
    bid: Json = turned(ROUND[A_BID - 1], places) | {"amount": 2 + next(numbers)}
    return evening.reports({"type": "event_amended", "seq": places * len(ROUND) + A_BID, "event": bid})


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row."""
    with tempfile.TemporaryDirectory() as folder:
        yield from in_a_long_session(Path(folder, "long.db"), effort)
        yield among_others(Path(folder), effort)


def in_a_long_session(database: Path, effort: Effort) -> Iterator[Figure]:
    """Measure what is asked of one session."""
    length = effort.of(MANY, MANY_IN_A_HURRY)
    with Service(database, workers=1) as service:
        few, many = Evening.opened(service.port), Evening.opened(service.port)
        with Caller(service.port) as caller:
            few.played(caller, FEW)
            many.played(caller, length)
        yield first_look(service, many, effort)
        with Caller(service.port) as caller:
            post = Row(f"a POST, beside one at {FEW} events", at_most(1.1), lambda: [many.reports(MOVED)])
            yield compared(caller, few, post, effort)
            for row in rows(many, length):
                yield compared(caller, many, row, effort)
            fifteen = unevenly(caller, service.port)
            settled = Row("settlement of 15 players", at_most(3), lambda: [fifteen.looks("/settlement")])
            yield compared(caller, fifteen, settled, effort)


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
    """Copy a session's events, entries and balances, as those of other sessions."""
    with closing(sqlite3.connect(database, timeout=60)) as connection, connection:
        for table in ("events", "entries", "balances"):
            columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})") if name != "session"]
            names = ", ".join(columns)
            # the names are the database's own
            copy = f"INSERT INTO {table} (session, {names}) SELECT ?, {names} FROM {table} WHERE session = ?"  # noqa: S608
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


def first_look(service: Service, evening: Evening, effort: Effort) -> Figure:
    """Look at the session right after a restart."""
    looks = []
    for _ in range(effort.of(3, 1)):
        service.stop()
        service.start()
        with Caller(service.port) as caller:
            looks.append(took(caller, evening.looks()) * 1000)
    return Figure("the first look after a restart", "ms", looks, at_most(250), "once 2,500")
