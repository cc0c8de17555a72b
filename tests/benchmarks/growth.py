"""Whether recording an event grows slower: with a million events in other sessions, and late in a long session.

    .venv/bin/python -m tests.benchmarks.growth [OTHER_EVENTS] [LONG_SESSION]

What is compared takes turns, event by event, so that whatever else the machine does weighs on both alike. Events are
recorded at the desk, without HTTP, each in a transaction of its own that is on the disk before the next one begins. The
disk's part in that is large and always the same, so the processor's time is compared too.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from ledger.desk import Desk, Request
from ledger.games import newest
from ledger.play import BANK
from ledger.session import ChipsMoved, Opening
from ledger.store.sqlite import SQLiteStore

OTHER_EVENTS = 1_000_000
LONG_SESSION = 5_000
EVENTS_A_SESSION = 5_000
EARLY = 10
SAMPLES = 400

EVENT = ChipsMoved(payer=BANK, payee="p1", amount=1)
REQUEST = Request(by="benchmark")
OPENING = Opening(game="shippin", deck="mekurifuda", players=("Aki", "Ben"), rules=newest("shippin").rules())


def prepared(path: Path) -> SQLiteStore:
    store = SQLiteStore(path)
    store.prepare()
    return store


def fill(store: SQLiteStore, events: int) -> None:
    """Put events of other sessions into the tables, with their entries and balances, past the rules."""
    desk, remaining = Desk(store), events
    while remaining > 0:
        session, count = desk.open(OPENING)[0].id, min(remaining, EVENTS_A_SESSION)
        remaining -= count
        body = '{"amount":1,"from":"bank","to":"p1"}'
        with store._here.writer.block(session) as db:
            db.conn.executemany(
                "INSERT INTO events (session, seq, type, version, body, recorded_at, recorded_by, hash)"
                " VALUES (?, ?, 'chips_moved', 1, ?, '2026-11-21T12:00:00Z', 'benchmark', randomblob(32))",
                ((session, seq, body) for seq in range(1, count + 1)),
            )
            db.conn.executemany(
                "INSERT INTO entries (session, id, seq, payer, payee, amount, reason)"
                " VALUES (?, ?, ?, 'bank', 'p1', 1, 'buy_in')",
                ((session, seq, seq) for seq in range(1, count + 1)),
            )
            db.conn.executemany(
                "INSERT INTO balances (session, account, balance) VALUES (?, ?, ?)",
                [(session, "p1", count), (session, "bank", -count)],
            )


class Took(NamedTuple):
    """How long something took by the clock, and how long the processor was busy with it, in seconds."""

    clock: float
    processor: float


def took(work: Callable[[], object]) -> Took:
    """Do something and say how long it took."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - clock, time.process_time() - processor)


def compared(name: str, plain: Sequence[Took], grown: Sequence[Took]) -> None:
    """Print the medians of two ways, and their ratio."""
    for kind, before, after in zip(
        Took._fields, map(median, zip(*plain, strict=True)), map(median, zip(*grown, strict=True)), strict=True
    ):
        print(f"{name}, {kind:<9}  {before * 1e6:>6.0f} µs  {after * 1e6:>6.0f} µs  ratio {after / before:.2f}")


def other_sessions(folder: Path, others: int) -> None:
    """Compare an empty database with one that holds many events of other sessions."""
    desks = []
    for name, events in (("small", 1), ("large", others)):
        store = prepared(folder / f"{name}.db")
        fill(store, events)
        desk = Desk(store)
        desks.append((desk, desk.open(OPENING)[0].id, list[Took]()))
    for _ in range(SAMPLES):
        for desk, session, times in desks:
            times.append(took(lambda desk=desk, session=session: desk.record(session, [EVENT], REQUEST)))  # type: ignore[misc]
    compared(f"1 event in other sessions / {others:,}", desks[0][2], desks[1][2])


def long_session(folder: Path, length: int) -> None:
    """Compare an early event of a session with a late one."""
    desk = Desk(prepared(folder / "long.db"))
    long = desk.open(OPENING)[0].id
    for _ in range((length - SAMPLES // 2) // 100):
        desk.record(long, [EVENT] * 100, REQUEST)
    early, late = list[Took](), list[Took]()
    for _ in range(SAMPLES):
        short = desk.open(OPENING)[0].id
        desk.record(short, [EVENT] * (EARLY - 1), REQUEST)
        early.append(took(lambda short=short: desk.record(short, [EVENT], REQUEST)))  # type: ignore[misc]
        late.append(took(lambda: desk.record(long, [EVENT], REQUEST)))
    compared(f"event {EARLY} of a session / event {length:,}", early, late)


def main(others: int = OTHER_EVENTS, length: int = LONG_SESSION) -> None:
    """Measure both."""
    with tempfile.TemporaryDirectory() as folder:
        other_sessions(Path(folder), others)
        long_session(Path(folder), length)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
