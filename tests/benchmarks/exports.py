"""How fast a million entries are taken home in each format, and what memory that takes.

    .venv/bin/python -m tests.benchmarks.exports [ENTRIES] [FORMAT ...]

A session of Shirinma is recorded at the desk until it has that many entries. Then every format is written by a process
of its own. The yardstick is the same rows, read with plain sqlite3 and written with csv.writer by that process just
before and after. Time is the processor's, so that a busy machine does not blur it. Memory is what the process holds at
most while it writes, beyond what it held with the session folded and ready.
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
from pathlib import Path
from typing import NamedTuple

from ledger.desk import Desk, Request, SessionArchive
from ledger.exports import FORMATS, file_of
from ledger.games import newest
from ledger.session import Opening, RoundOpened, RoundVoided
from ledger.store import open_store

ENTRIES = 1_000_000
PLAYERS = tuple(f"Player {number}" for number in range(1, 24))
ROWS = "SELECT id, seq, round, payer, payee, amount, reason, reverses FROM entries WHERE session = ? ORDER BY id"


class Measured(NamedTuple):
    """How many rows a second, plainly and in this format; memory beyond idle, and how long the file is, in MB."""

    plain: float
    rows: float
    memory: float
    length: float


def record(database: Path, entries: int) -> str:
    """Record a session with at least that many entries: rounds of 23 antes, voided."""
    store = open_store(database)
    store.prepare()
    desk = Desk(store)
    opening = Opening(
        game="shirinma", deck="mekurifuda", players=PLAYERS, rules=newest("shirinma").rules(), name="A long evening"
    )
    session, link, _ = desk.open(opening)
    rounds = [RoundOpened(), RoundVoided(reason="to be played again")] * 250
    written = 0
    while written < entries:
        written += len(desk.record(session.id, rounds, Request(by=link.id)).entries)
    return session.id


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


def exported(database: Path, session: str, form: str) -> Measured:
    """Write a format, and throw it away piece by piece."""
    archive = Desk(open_store(database)).archive(session)
    for _ in file_of(few(archive), form, "en", None).pieces:  # what is loaded and compiled once belongs to idling
        pass
    before = plainly(database, session)
    idle = forget_the_peak()
    began, length = time.process_time(), 0
    for piece in file_of(archive, form, "en", None).pieces:
        length += len(piece)
    rows, memory = archive.session.state.last_entry / (time.process_time() - began), peak() - idle
    return Measured((before + plainly(database, session)) / 2, rows, memory, length / 1e6)


def few(archive: SessionArchive) -> SessionArchive:
    """Give the same session as it stood after its first round."""
    session = archive.session
    return SessionArchive(
        type(session)(session.id, session.opening, session.created_at, session.state.at(2)), archive.store
    )


def forget_the_peak() -> float:
    """Let the peak begin anew (on Linux); give the memory held now, in MB."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    return peak()


def peak() -> float:
    """Give the most memory held since, in MB."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def in_a_process(database: Path, session: str, form: str) -> Measured:
    """Measure a format in a fresh process."""
    command = [sys.executable, "-m", "tests.benchmarks.exports", "--measure", str(database), session, form]
    return Measured(*json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def main(entries: int, forms: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "ledger.db")
        session = record(database, entries)
        print(f"{'format':10} {'rows/s':>9} {'plain':>9} {'ratio':>6} {'memory':>9} {'file':>9}")
        for form in forms:
            plain, rows, memory, length = in_a_process(database, session, form)
            print(
                f"{form:10} {rows:9,.0f} {plain:9,.0f} {rows / plain:6.2f} {memory:6.1f} MB {length:6.1f} MB",
                flush=True,
            )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--measure", database, session, form]:
            print(json.dumps(exported(Path(database), session, form)))
        case [entries, *forms]:
            main(int(entries), forms or list(FORMATS))
        case _:
            main(ENTRIES, list(FORMATS))
