"""Moving: a million events from SQLite to PostgreSQL and back, beside what `verify` takes for the same sessions.

All sessions are one evening of ten thousand events, under other ids. Each command is a process of its own: what counts
is its time on the processor, without the server's, and the most memory that it had. The server keeps what it commits
through a power cut.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from ledger.records import replace
from ledger.store import open_store
from tests.bench.evening import Evening
from tests.bench.machine import peak, processor
from tests.bench.report import Effort, Figure, at_most, number
from tests.bench.wire import Caller
from tests.postgres import NoPostgreSQL, Server
from tests.service import ROOT, Service

EVENTS, EVENTS_IN_A_HURRY = 10_000, 500
"""In a session."""

SESSIONS, SESSIONS_IN_A_HURRY = 100, 10


class Ran(NamedTuple):
    """What a command took: seconds, those of the processor, and the most memory, in MB."""

    seconds: float
    processor: float
    memory: float


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure both ways, a second run that finds all there, and a tenth of it."""
    try:
        server = Server(durable=True)
    except NoPostgreSQL as missing:
        yield Figure("moving to PostgreSQL and back", "", [], beside=str(missing))
        return
    with server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        events = effort.of(EVENTS, EVENTS_IN_A_HURRY)
        sessions = effort.of(SESSIONS, SESSIONS_IN_A_HURRY)
        file, tenth, back = (folder / f"{each}.db" for each in ("ledger", "tenth", "back"))
        played(file, events)
        multiplied(file, tenth, sessions // 10)
        multiplied(file, file, sessions)
        yield from moved(server, file, tenth, back, events * sessions)


def played(file: Path, events: int) -> None:
    """Record one evening."""
    with Service(file) as service, Caller(service.port) as caller:
        Evening.opened(service.port).played(caller, events)


def multiplied(file: Path, to: Path, sessions: int) -> None:
    """Keep the one evening in a file under so many ids in all."""
    with closing(open_store(file)) as source, closing(open_store(to)) as target:
        target.prepare()
        evening = source.session_ids()[0]
        for nth in range(len(target.session_ids()), sessions):
            with source.pack(evening) as packed:
                target.unpack(packed._replace(session=replace(packed.session, id=f"{nth:016x}")))


def moved(server: Server, file: Path, tenth: Path, back: Path, events: int) -> Iterator[Figure]:
    """Move there, once more, and back."""
    books = server.schema("books")
    verified = ran("verify", "--json", LEDGER_DATABASE=str(file))
    part = ran("move", "--from", str(tenth), "--to", server.schema("tenth"), "--json")
    ways = {
        "SQLite to PostgreSQL": (str(file), books),
        "the same again, all of it there": (str(file), books),
        "PostgreSQL to SQLite": (books, str(back)),
    }
    for way, (source, target) in ways.items():
        took = ran("move", "--from", source, "--to", target, "--json")
        ratio = took.processor / verified.processor
        told = f"{number(took.seconds)} s, {events / took.seconds:,.0f} events a second"
        told += f"; {number(took.processor / events * 1e6)} µs of the processor each, {number(took.processor)} s in all"
        yield Figure(f"{events:,} events, {way}", "times verify's processor", [ratio], at_most(2), told)
        told = f"{number(verified.memory)} MB verify, {number(part.memory)} MB for a tenth of the sessions"
        yield Figure("… at most in memory", "MB", [took.memory], None, told)


def ran(*words: str, **environment: str) -> Ran:
    """Run a command of ours."""
    began, busy, memory = time.perf_counter(), 0.0, 0.0
    command = [sys.executable, "-m", "ledger", *words]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            with suppress(OSError, StopIteration):  # it has ended in between
                busy, memory = processor([process.pid]), peak(process.pid)
            time.sleep(0.02)
    assert process.returncode == 0, words
    return Ran(time.perf_counter() - began, busy, memory)
