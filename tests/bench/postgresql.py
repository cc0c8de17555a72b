"""PostgreSQL beside SQLite in the same run: the same services, sessions and clients, and a server on this machine.

The server keeps what it commits through a power cut, as in earnest, and is reached by a Unix socket. It works on the
same processors as services and clients; on a machine of its own it would take nothing from them.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from threading import Event

from tests.bench.evening import MOVED, Evening
from tests.bench.growth import MANY, MANY_IN_A_HURRY, Row, compared, first_look
from tests.bench.load import Loaded, load
from tests.bench.report import Effort, Figure, at_least, at_most, milliseconds, number
from tests.bench.throughput import CONNECTIONS, all_in_one, no_op, round_apart, round_for_nothing
from tests.bench.wire import Caller, p99
from tests.postgres import NoPostgreSQL, Server
from tests.service import Service

EVENTS_IN_ALL = 10_000_000

SIZES = {"shared_buffers": "256MB", "max_wal_size": "4GB"}
"""What an operator sets first on a machine with room."""


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure everything, if there is a PostgreSQL."""
    try:
        server = Server(durable=True, settings=SIZES)
    except NoPostgreSQL as missing:
        yield Figure("PostgreSQL beside SQLite", "", [], beside=str(missing))
        return
    with server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from rates(server, folder, effort)
        yield from first_looks(server, folder, effort)
        yield from among_many(server, folder, effort)


# --- events a second ------------------------------------------------------------------------------------------------


def rates(server: Server, folder: Path, effort: Effort) -> Iterator[Figure]:
    """Let both engines and the no-op take turns at 16 connections, then one service process and two."""
    books = server.schema("rates")
    rows: dict[str, list[float]] = defaultdict(list)
    carried: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as running:
        sqlite = running.enter_context(Service(folder / "sqlite.db"))
        one, other = (running.enter_context(Service(folder / f"{name}.db", address=books)) for name in ("one", "other"))
        lone, second = (
            running.enter_context(Service(folder / f"{name}.db", address=books, workers=1))
            for name in ("lone", "second")
        )
        noop = running.enter_context(no_op(folder, sqlite.port))
        for _ in range(effort.repeats):
            nothing = load(noop, round_for_nothing(noop.port)).rate
            file, server_s = (load(each, round_apart(each.port)).rate for each in (sqlite, one))
            file_at_once, server_at_once = (load(each, all_in_one(each.port)).rate for each in (sqlite, one))
            rows["SQLite, 16 sessions"].append(file / nothing)
            rows["PostgreSQL, 16 sessions"].append(server_s / nothing)
            rows["PostgreSQL beside SQLite, 16 sessions"].append(server_s / file)
            rows["PostgreSQL beside SQLite, one session"].append(server_at_once / file_at_once)
            rows["a second service, of two workers each"].append(together(one, other) / server_s)
            alone = load(lone, round_apart(lone.port)).rate
            rows["a second service, of one worker each"].append(together(lone, second) / alone)
            for what, rate in (("no-op", nothing), ("SQLite", file), ("PostgreSQL", server_s), ("one worker", alone)):
                carried[what].append(rate)
            carried["one session, SQLite"].append(file_at_once)
            carried["one session, PostgreSQL"].append(server_at_once)
    beside = ", ".join(f"{what} {number(median(found))} a second" for what, found in carried.items())
    yield Figure("SQLite, 16 sessions", "of the no-op", rows["SQLite, 16 sessions"], None, beside)
    yield Figure("PostgreSQL, 16 sessions", "of the no-op", rows["PostgreSQL, 16 sessions"])
    for name in ("PostgreSQL beside SQLite, 16 sessions", "PostgreSQL beside SQLite, one session"):
        yield Figure(name, "of SQLite's", rows[name], at_least(0.7) if "16" in name else None)
    for name in ("a second service, of two workers each", "a second service, of one worker each"):
        yield Figure(name, "times one's", rows[name], at_least(1.05) if "one worker" in name else None)


def together(*services: Service) -> float:
    """Share the connections out to services, and give what they carry in all."""
    share = CONNECTIONS // len(services)
    requests = [round_apart(service.port)[:share] for service in services]
    with ThreadPoolExecutor() as beside:
        carried: Sequence[Loaded] = list(beside.map(load, services, requests))
    return sum(each.rate for each in carried)


# --- the first look ------------------------------------------------------------------------------------------------


def first_looks(server: Server, folder: Path, effort: Effort) -> Iterator[Figure]:
    """Look at a long session right after a restart, with both engines."""
    for engine, address in (("SQLite", ""), ("PostgreSQL", server.schema("looks"))):
        with Service(folder / f"looks in {engine}.db", address=address, workers=1) as service:
            evening = Evening.opened(service.port)
            with Caller(service.port) as caller:
                evening.played(caller, effort.of(MANY, MANY_IN_A_HURRY))
            figure = first_look(service, evening, effort)
        yield figure._replace(name=f"{figure.name}, {engine}", beside="")


# --- among many events of others ------------------------------------------------------------------------------------


def among_many(server: Server, folder: Path, effort: Effort) -> Iterator[Figure]:
    """Let plain POSTs take turns to a database with nothing else in it, and to one with many events of others."""
    small, large = (server.schema(name) for name in ("small", "large"))
    with (
        Service(folder / "small.db", address=small, workers=1) as alone,
        Service(folder / "large.db", address=large, workers=1) as among,
    ):
        other = Evening.opened(among.port)
        events = effort.of(EVENTS_IN_ALL, 10 * MANY_IN_A_HURRY)
        length = effort.of(MANY, MANY_IN_A_HURRY)
        with Caller(among.port) as caller:
            other.played(caller, length)
        begun = time.perf_counter()
        copied(server, "large", other.address.rpartition("/")[2], events // length)
        made = f"; made in {number(time.perf_counter() - begun)} s"
        with Caller(alone.port) as quiet, Caller(among.port) as caller:
            plain, here = Evening.opened(alone.port), Evening.opened(among.port)
            row = Row(f"a POST beside {events:,} events of others", at_most(1.1), lambda: [here.reports(MOVED)])
            figure = compared(caller, plain, row, effort, alone=quiet)
        yield figure._replace(beside=figure.beside + made)
        yield from during_a_backup(server, among, effort)


OWN = " AND attnum > 0 AND attname <> 'session' ORDER BY attnum"
"""What picks a table's own columns, but for the session's id."""


def copied(server: Server, schema: str, session: str, times: int) -> None:
    """Copy a session's events, entries and balances, as those of other sessions, and have the server look at them."""
    for table in ("events", "entries", "balances"):
        columns = f"SELECT attname FROM pg_attribute WHERE attrelid = '{schema}.{table}'::regclass{OWN}"  # noqa: S608
        names = ", ".join(name for (name,) in server.tells(columns))
        server.tells(
            f"INSERT INTO {schema}.{table} (session, {names}) SELECT lpad(to_hex(number), 16, '0'), {names}"  # noqa: S608
            f" FROM generate_series(1, {times}) AS number, {schema}.{table} WHERE session = '{session}'",
            f"VACUUM ANALYZE {schema}.{table}",
        )


def during_a_backup(server: Server, service: Service, effort: Effort) -> Iterator[Figure]:
    """Have somebody report events, 20 a second, while the whole server is copied to the same disk."""
    report = Evening.opened(service.port).reports(MOVED)
    waits: dict[str, list[float]] = defaultdict(list)
    for _ in range(effort.of(4, 1)):
        waits[ALONE].append(p99(service.port, report, seconds=3))
        for how, words in COPIED.items():
            with copied_meanwhile(server, words):
                waits[how].append(p99(service.port, report, seconds=3))
    alone = waits.pop(ALONE)
    for how, busy in waits.items():
        ratios = [beside / by_itself for beside, by_itself in zip(busy, alone, strict=True)]
        told = f"{milliseconds(median(busy))} : {milliseconds(median(alone))}"
        yield Figure(f"a writer's p99 beside pg_basebackup{how}", "times alone", ratios, None, told)


ALONE = "alone"
COPIED = {"": (), ", 20 MB a second": ("--max-rate=20M",)}
"""How a server is copied: as fast as it goes, or leaving the disk to others."""


@contextmanager
def copied_meanwhile(server: Server, words: Sequence[str]) -> Iterator[None]:
    """Have pg_basebackup copy the server, again if it is done, for as long as something else goes on."""
    is_over, copy = Event(), server.folder / "copy"

    def copies() -> None:
        while not is_over.is_set():
            try:
                server.runs("pg_basebackup", "--pgdata", copy, "--checkpoint=fast", *words)
            except AssertionError:
                if not is_over.is_set():
                    raise
            else:
                shutil.rmtree(copy)

    with ThreadPoolExecutor(1) as beside:
        copying = beside.submit(copies)
        try:
            yield
        finally:
            is_over.set()
            while not copying.done():
                server.tells("SELECT pg_terminate_backend(pid) FROM pg_stat_replication")
                time.sleep(0.1)
    copying.result()
