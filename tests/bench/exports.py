"""Exports: a session of a million ledger entries taken home, beside `sqlite3` and `csv` writing the same rows.

Every format is written by a process that has the session folded already; the yardstick is measured right before and
after, by the processor's clock. Then a running service is asked: how long the first byte takes, what memory 50 exports
at once take, how long others' events take meanwhile; and how long a small session's books take in all.
"""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from ledger.desk import Desk
from ledger.exports import FORMATS, file_of
from ledger.exports.archive import SessionArchive
from ledger.exports.wanted import Wanted
from ledger.games import newest
from ledger.recording import Request
from ledger.session.events import RoundOpened, RoundVoided
from ledger.session.table import Opening
from ledger.storage.address import open_store
from tests.bench.evening import MOVED, Evening
from tests.bench.load import come_to_rest, loaded_meanwhile
from tests.bench.machine import memory
from tests.bench.report import Effort, Figure, at_least, at_most, milliseconds, number
from tests.bench.wire import Caller, p99
from tests.service import Service

ENTRIES, ENTRIES_IN_A_HURRY = 1_000_000, 20_000
PLAYERS = tuple(f"Player {seat}" for seat in range(1, 24))
SMALL = 300
AT_ONCE = 50

ROWS = "SELECT id, seq, round, payer, payee, amount, reason, reverses FROM entries WHERE session_id = ? ORDER BY id"
GOALS: Mapping[str, float] = {"csv": 0.5, "journal": 0.5, "beancount": 0.5, "html": 0.5, "json": 0.5, "xlsx": 0.2}


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every format by itself, then the service."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "ledger.db")
        long = record(database, effort.of(ENTRIES, ENTRIES_IN_A_HURRY))
        yield from by_themselves(database, long)
        with Service(database, workers=1) as service:
            yield from answered_by(service, long, effort)
        with Service(database) as service:
            yield from at_once(service, long, effort)
            yield from meanwhile(service, long, effort)


def record(database: Path | str, entries: int) -> Evening:
    """Record a session with at least that many entries: rounds of 23 antes, voided."""
    store = open_store(database)
    store.engine.prepare()
    desk = Desk(store)
    opening = Opening(
        game="shirinma", deck="mekurifuda", players=PLAYERS, rules=newest("shirinma").rules(), name="A long evening"
    )
    session, link, token = desk.open(opening)
    rounds = [RoundOpened(), RoundVoided(reason="to be played again")] * 250
    written = 0
    while written < entries:
        written += len(desk.recorder.record(session.id, rounds, Request(by=link.id)).entries)
    store.engine.close()
    return Evening(f"/v1/sessions/{session.id}", token)


# --- formats by themselves ------------------------------------------------------------------------------------------


def by_themselves(database: Path, evening: Evening) -> Iterator[Figure]:
    """Measure every format in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.exports", str(database), evening.address.rpartition("/")[2]]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for (form, goal), (before, rows, after) in zip(GOALS.items(), told, strict=True):
        ratios = [rows / before, rows / after]
        yield Figure(f"{form}, rows a second", "of the yardstick", ratios, at_least(goal), f"{rows:,.0f} a second")


def measured(database: Path, session: str) -> Iterator[tuple[float, float, float]]:
    """Write every format, and throw it away piece by piece; give rows a second, those of the yardstick around them."""
    desk = Desk(open_store(database))
    archive = SessionArchive(desk.session(session), desk.store)
    after = plainly(database, session)
    for form in GOALS:
        for _ in file_of(few(archive), form, Wanted()).pieces:  # what is loaded and compiled once is not its work
            pass
        before, began = after, time.process_time()
        for _ in file_of(archive, form, Wanted()).pieces:
            pass
        rows = archive.session.state.books.last_entry / (time.process_time() - began)
        after = plainly(database, session)
        yield before, rows, after


def plainly(database: Path, session: str) -> float:
    """Read the rows and write them, with nothing in between; say how many that is a second."""
    connection = sqlite3.connect(database)
    began, rows = time.process_time(), 0
    with Path(os.devnull).open("w", newline="") as out:
        writer = csv.writer(out)
        for row in connection.execute(ROWS, [session]):
            writer.writerow(row)
            rows += 1
    return rows / (time.process_time() - began)


def few(archive: SessionArchive) -> SessionArchive:
    """Give the same session as it stood after its first round."""
    session = archive.session
    return SessionArchive(
        type(session)(session.id, session.opening, session.created_at, session.state.at(2)), archive.store
    )


# --- the running service --------------------------------------------------------------------------------------------


def answered_by(service: Service, long: Evening, effort: Effort) -> Iterator[Figure]:
    """Ask for the first byte of a long session's books, and for all of a small one's."""
    small = Evening.opened(service.port)
    with Caller(service.port) as caller:
        small.played(caller, SMALL)
        for evening in (long, small):
            assert caller.call(evening.looks()).status == 200
        for form in FORMATS:
            took = [caller.call(small.looks(f"/export.{form}")).took * 1000 for _ in range(effort.repeats + 1)]
            yield Figure(f"{form} of {SMALL} events", "ms", took[1:], at_most(15))
    for form in FORMATS:
        waits = []
        for _ in range(effort.of(3, 1)):
            waits.append(first_byte(service.port, long.looks(f"/export.{form}")) * 1000)
            come_to_rest(service)
        yield Figure(f"{form}, the first byte", "ms", waits, at_most(50))


def first_byte(port: int, request: bytes) -> float:
    """Say how long it takes until the first byte of a body arrives, in seconds; do not wait for the others."""
    with Caller(port) as caller:
        began = time.perf_counter()
        caller.socket.sendall(request)
        arrived = b""
        while not arrived.partition(b"\r\n\r\n")[2]:
            part = caller.socket.recv(65536)
            assert part, f"hung up after {arrived!r}"
            arrived += part
    assert arrived.startswith(b"HTTP/1.1 200 "), arrived
    return time.perf_counter() - began


def at_once(service: Service, long: Evening, effort: Effort) -> Iterator[Figure]:
    """Have many connections read the long session's books, every format, and watch the service's memory."""
    forms = islice(cycle(FORMATS), AT_ONCE)
    before, most = memory(service.processes), 0.0
    with loaded_meanwhile(service, [[long.looks(f"/export.{form}")] for form in forms]):
        end = time.monotonic() + effort.of(10, 1)
        while time.monotonic() < end:
            most = max(most, memory(service.processes))
            time.sleep(0.05)
    beside = f"{number(before)} MB before"
    yield Figure(f"memory of all processes, {AT_ONCE} exports at once", "MB", [most], at_most(300), beside)


def meanwhile(service: Service, long: Evening, effort: Effort) -> Iterator[Figure]:
    """Have somebody report events, 20 a second, while another connection reads the long session's books."""
    writer = Evening.opened(service.port).reports(MOVED)
    reader = [[long.looks(f"/export.{form}") for form in FORMATS]]
    alone, busy = list[float](), list[float]()
    for _ in range(effort.of(4, 1)):
        alone.append(p99(service.port, writer, seconds=2))
        with loaded_meanwhile(service, reader):
            busy.append(p99(service.port, writer, seconds=2))
    ratios = [beside / by_itself for beside, by_itself in zip(busy, alone, strict=True)]
    told = f"{milliseconds(median(busy))} : {milliseconds(median(alone))}"
    yield Figure("a writer's p99 beside an export", "times alone", ratios, at_most(2), told)


if __name__ == "__main__":
    path, session_id = sys.argv[1:]
    print(json.dumps(list(measured(Path(path), session_id))))
