"""The write-ahead log removed while the database is open: noticed before anything more is acknowledged."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import DatabaseExchanged
from ledger.store.sqlite import SQLiteStore
from tests.scorekeeper import event
from tests.service import Client, Service
from tests.store.contract import FIRST, A, append_next, link, opening, row
from tests.store.whole import whole

pytestmark = pytest.mark.sqlite("it has a write-ahead log beside the database")

REMOVED = [("-wal",), ("-shm",), ("-wal", "-shm")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteStore]:
    made = SQLiteStore(path)
    made.prepare()
    made.open_session(opening(A), FIRST, link())
    append_next(made, A)
    yield made
    made.close()


def remove(path: Path, suffixes: tuple[str, ...]) -> None:
    for suffix in suffixes:
        Path(f"{path}{suffix}").unlink()


def events_in(path: Path) -> int:
    """Count the events that lie in the database file itself, as if the machine had lost its power now."""
    copy = path.with_name("after-a-power-cut.db")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy)) as db:
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])


def elsewhere(program: str, path: Path) -> None:
    """Run a program in another process, as locks are a process's own."""
    subprocess.run([sys.executable, "-c", f"import sqlite3, sys\n{program}", str(path)], check=True)


WRITES = """
db = sqlite3.connect(sys.argv[1])
db.execute("INSERT INTO forgetting VALUES (randomblob(16))")
db.commit()
"""
READS = "print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM events').fetchone())"


@pytest.mark.parametrize("suffixes", REMOVED)
def test_nothing_is_read_or_acknowledged_any_more_and_nothing_is_lost(
    store: SQLiteStore, path: Path, suffixes: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        append_next(store, A)
    assert store.head(A) is not None
    remove(path, suffixes)
    for use in (lambda: store.head(A), lambda: append_next(store, A), store.is_ready, store.session_ids):
        with pytest.raises(DatabaseExchanged):
            use()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert all(suffix in caplog.text for suffix in suffixes)
    assert events_in(path) == 6
    store.close()
    append_next(store, A)
    assert [each.seq for each in store.events(A)] == list(range(1, 8))


def test_what_is_committed_while_the_log_is_removed_is_not_acknowledged(store: SQLiteStore, path: Path) -> None:
    assert store.is_ready()

    def write() -> None:
        with store.writing(A) as log:
            log.append([row(2)], [], {})
            remove(path, ("-wal",))

    with pytest.raises(DatabaseExchanged):
        write()


def test_nothing_is_copied_over_what_another_program_has_written_meanwhile(
    store: SQLiteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert store.head(A) is not None
    before = path.read_bytes()
    remove(path, ("-wal", "-shm"))
    elsewhere(f"{WRITES}\nimport os\nos._exit(0)", path)
    log = Path(f"{path}-wal").read_bytes()
    with pytest.raises(DatabaseExchanged):
        store.head(A)
    assert (path.read_bytes(), Path(f"{path}-wal").read_bytes()) == (before, log)
    assert "fuda-ledger verify" in caplog.text


def test_who_is_forked_later_is_told_what_another_has_found(store: SQLiteStore, path: Path) -> None:
    store.prepare(for_children=True)
    store.close()
    one, later = SQLiteStore(path), SQLiteStore(path)
    assert one.head(A) is not None
    remove(path, ("-wal",))
    with pytest.raises(DatabaseExchanged):
        one.head(A)
    later.prepare()
    for use in (lambda: later.head(A), later.is_ready):
        with pytest.raises(DatabaseExchanged):
            use()
    one.close()
    later.close()


@pytest.mark.parametrize("program", [WRITES, READS, WRITES + "db.execute('PRAGMA wal_checkpoint(TRUNCATE)')"])
def test_it_stays_as_it_is_whatever_others_do_beside(store: SQLiteStore, path: Path, program: str) -> None:
    elsewhere(program, path)
    append_next(store, A)
    elsewhere(program, path)
    assert store.finish_forgetting()
    assert store.head(A) is not None
    other = SQLiteStore(path)
    append_next(other, A)
    other.close()
    append_next(store, A)
    assert len(list(store.events(A))) == 4


def test_it_goes_when_the_last_process_closes_the_database_and_comes_again(store: SQLiteStore, path: Path) -> None:
    for _ in range(2):
        append_next(store, A)
        store.close()
        assert not Path(f"{path}-wal").exists()
        elsewhere(WRITES, path)
        assert store.is_ready()
        assert store.head(A) is not None


def test_it_stays_while_a_process_has_lent_all_its_connections_and_lost_them(store: SQLiteStore, path: Path) -> None:
    assert store.head(A) is not None
    here = store._connections
    while here._idle:
        here._idle.pop().close()
    here.writer.close()
    elsewhere(WRITES, path)
    assert store.head(A) is not None
    append_next(store, A)


# --- a running service ----------------------------------------------------------------------------------------------

CLIENTS, ENOUGH = 4, 20


class Reporter(threading.Thread):
    """A client that reports until the service does not take it any more."""

    def __init__(self, service: Service) -> None:
        super().__init__(daemon=True)
        self.client = Client(service.port)
        self.client.opens()
        self.acknowledged = self.refused = 0
        self.has_some = threading.Event()

    def run(self) -> None:
        while self.refused < ENOUGH:
            answer = self.client.tries(event("chips_moved", from_="bank", to="p1", amount=1))
            if answer.status == 201:
                assert not self.refused
                self.acknowledged += 1
            else:
                assert (answer.status, answer.body["code"]) == (503, "database_exchanged")
                self.refused += 1
            if self.acknowledged == ENOUGH:
                self.has_some.set()


@pytest.mark.slow
@pytest.mark.parametrize("suffixes", REMOVED)
def test_a_running_service_loses_nothing_that_it_acknowledged(path: Path, suffixes: tuple[str, ...]) -> None:
    service = Service(path, workers=2)
    service.start()
    try:
        reporters = [Reporter(service) for _ in range(CLIENTS)]
        for reporter in reporters:
            reporter.start()
        for reporter in reporters:
            assert reporter.has_some.wait(60)
        remove(path, suffixes)
        for reporter in reporters:
            reporter.join(60)
            assert not reporter.is_alive()
            reporter.client.hangs_up()
        os.kill(service.workers[0], signal.SIGKILL)
        for _ in range(6):
            with service.client() as client:
                answer = client.asks("GET", "/readyz")
                assert (answer.status, answer.body["code"]) == (503, "database_exchanged")
    finally:
        service.kill()
    for reporter in reporters:
        kept = len(whole(path, reporter.client.session_id).rows)
        assert kept - reporter.acknowledged in {0, 1}  # one was committed as the log went, and not acknowledged
    with service, service.client() as client:
        client.speaks_for(reporters[0].client)
        assert client.tries(event("chips_moved", from_="bank", to="p1", amount=1)).status == 201
