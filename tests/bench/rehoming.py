"""Moving sessions between shards: how long nobody can record in one, and how long it takes until nothing is left.

All sessions are one evening of five hundred events, under other ids; nobody else uses the shards. Every file and the
server are kept through a power cut.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from ledger.store import Store, open_store
from ledger.store.passages import Step
from ledger.store.sharded import ShardedStore
from tests.bench.moving import multiplied, played
from tests.bench.report import Effort, Figure, milliseconds
from tests.postgres import NoPostgreSQL, Server
from tests.store.shards import listed

EVENTS = 500
"""In a session."""

SESSIONS, SESSIONS_IN_A_HURRY = 200, 10


class Moved(NamedTuple):
    """What moving a session took, in seconds: from when nobody could record in it until one could; and in all."""

    closed: float
    whole: float


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure between files, between a file and PostgreSQL both ways, and within PostgreSQL."""
    try:
        server = Server(durable=True)
    except NoPostgreSQL as missing:
        yield Figure("moving sessions between shards", "", [], beside=str(missing))
        return
    with server, tempfile.TemporaryDirectory() as name:
        folder, sessions = Path(name), effort.of(SESSIONS, SESSIONS_IN_A_HURRY)
        played(folder / "a.db", EVENTS)
        multiplied(folder / "a.db", folder / "a.db", sessions)
        places = {"a": folder / "a.db", "b": folder / "b.db", "c": server.schema("c"), "d": server.schema("d")}
        path = listed(folder / "shards.toml", {shard: (place, 1) for shard, place in places.items()})
        ways = {
            "SQLite to SQLite": "b",
            "SQLite to PostgreSQL": "c",
            "PostgreSQL to PostgreSQL": "d",
            "PostgreSQL to SQLite": "a",
        }
        with closing(open_store(path)) as store:
            assert isinstance(store, ShardedStore)
            store.prepare()
            for way, there in ways.items():
                took = [moved(store, session_id, there) for session_id in store.session_ids()]
                yield from figures(f"{sessions} sessions of {EVENTS} events, {way}", took)


def figures(what: str, took: Sequence[Moved]) -> Iterator[Figure]:
    for name, values in (
        (what + ", closed for", [one.closed for one in took]),
        ("… and in all", [one.whole for one in took]),
    ):
        told = f"median {milliseconds(median(values))}, p99 {milliseconds(quantiles(values, n=100)[98])}"
        yield Figure(name, "ms", [1000 * value for value in values], None, told)


def moved(store: ShardedStore, session_id: str, there: str) -> Moved:
    """Move a session, and say how long it took."""
    home, stops = store.part_of(session_id), dict[str, float]()
    stores = {shard.name: shard.store for shard in store.shards}
    assert home is not None
    timed(stores[home], "leave", stops)
    timed(stores[there], "arrive", stops)
    began = time.perf_counter()
    assert store.move_session(session_id, there)
    whole = time.perf_counter() - began
    for name in (home, there):
        del stores[name].__dict__["step"]
    return Moved(stops["arrive"] - stops["leave"], whole)


def timed(store: Store, kind: Step, stops: dict[str, float]) -> None:
    """Note when a step of this kind was done in a store."""
    take = store.step

    def step(session_id: str, move: str, step: Step) -> bool:
        done = take(session_id, move, step)
        if step == kind:
            stops[kind] = time.perf_counter()
        return done

    store.step = step  # type: ignore[method-assign]
