"""Another file in the database's place: refused while somebody has it open, and noticed if it is done by hand."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from ledger.app import create_app
from ledger.store import DatabaseExchanged, DatabaseUnusable, Head, open_store
from ledger.store.address import Address
from ledger.store.sqlite import SQLiteStore
from tests.scorekeeper import event
from tests.service import ROOT, Client, Service
from tests.store.contract import FIRST, A, append, append_next, link, opening, row
from tests.store.whole import whole

pytestmark = pytest.mark.sqlite("its file is exchanged")

CLIENTS = 4
ENOUGH = 10
"""How many events each client reports before anything happens."""


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


def copy_of(store: SQLiteStore, name: str) -> Path:
    copy = store.path.with_name(name)
    store.copy(Address.read(copy))
    return copy


# --- noticed --------------------------------------------------------------------------------------------------------


def test_nothing_is_read_or_kept_any_more(store: SQLiteStore, path: Path, caplog: pytest.LogCaptureFixture) -> None:
    copy_of(store, "copy.db").replace(path)
    for _ in range(2):
        for use in (lambda: store.head(A), lambda: append(store, A, row(2)), store.is_ready, store.session_ids):
            with pytest.raises(DatabaseExchanged):
                use()
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_file_that_is_gone_is_not_made_anew(store: SQLiteStore, path: Path) -> None:
    path.unlink()
    with pytest.raises(DatabaseExchanged):
        store.head(A)
    with pytest.raises(DatabaseExchanged):
        append(store, A, row(2))
    assert not path.exists()


def test_what_is_committed_while_the_file_is_exchanged_is_not_acknowledged(store: SQLiteStore, path: Path) -> None:
    copy = copy_of(store, "copy.db")

    def write() -> None:
        with store.writing(A) as log:
            log.append([row(2)], [], {})
            copy.replace(path)

    with pytest.raises(DatabaseExchanged):
        write()


def test_the_file_that_was_put_away_is_whole_and_leaves_nothing_beside_the_new_one(
    store: SQLiteStore, path: Path
) -> None:
    for _ in range(5):
        append_next(store, A)
    copy = copy_of(store, "copy.db")
    append_next(store, A)
    path.rename(path.with_name("old.db"))
    copy.replace(path)
    with pytest.raises(DatabaseExchanged):
        store.head(A)
    assert path.with_name("ledger.db-wal").stat().st_size == 0
    old = SQLiteStore(path.with_name("old.db"))
    assert len(list(old.events(A))) == 7
    old.close()


def test_who_only_ends_leaves_the_file_that_was_put_away_whole(store: SQLiteStore, path: Path) -> None:
    append_next(store, A)
    assert store.is_ready()
    path.rename(path.with_name("old.db"))
    shutil.copyfile(path.with_name("old.db"), path)
    store.close()
    old = SQLiteStore(path.with_name("old.db"))
    assert len(list(old.events(A))) == 2
    old.close()


def test_a_store_that_is_closed_takes_what_it_finds(store: SQLiteStore, path: Path) -> None:
    copy = copy_of(store, "copy.db")
    store.close()
    copy.replace(path)
    assert store.head(A) is not None


def test_who_is_forked_later_works_with_the_same_file(store: SQLiteStore, path: Path) -> None:
    store.prepare(for_children=True)
    copy_of(store, "copy.db").replace(path)
    newcomer = SQLiteStore(path)
    newcomer.prepare()
    with pytest.raises(DatabaseExchanged):
        newcomer.head(A)


def test_who_was_forked_is_told_what_another_has_found_in_the_file(
    store: SQLiteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store.prepare(for_children=True)
    store.close()
    another = SQLiteStore(path)
    assert another.head(A) is not None
    store.lose()
    for each in (store, another, SQLiteStore(path)):
        with pytest.raises(DatabaseExchanged):
            each.head(A)
        each.close()
    another.lose()
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_what_others_wrote_in_the_transaction_of_who_finds_it_is_not_kept(store: SQLiteStore) -> None:
    one_is_in, other_waits = threading.Event(), threading.Event()
    raised: list[type[BaseException]] = []

    def writes() -> None:
        try:
            with store.writing(A) as log:
                one_is_in.set()
                other_waits.wait(60)
                log.append([row(2)], [], {})
        except DatabaseExchanged as error:
            raised.append(type(error))

    def finds() -> None:
        with suppress(DatabaseExchanged), store.writing(A) as log:
            assert log.head.seq == 2
            store.lose()
            raise DatabaseExchanged

    threads = [threading.Thread(target=writes), threading.Thread(target=finds)]
    threads[0].start()
    assert one_is_in.wait(60)
    threads[1].start()
    while not store._connections.writer._queue:
        assert threads[1].is_alive()
    other_waits.set()
    for thread in threads:
        thread.join(60)
    assert raised == [DatabaseExchanged]
    store.close()
    assert [each.seq for each in store.events(A)] == [1]


@pytest.mark.parametrize("for_children", [False, True])
def test_a_link_that_is_pointed_elsewhere_is_noticed(store: SQLiteStore, path: Path, *, for_children: bool) -> None:
    copy, named = copy_of(store, "copy.db"), path.with_name("current.db")
    named.symlink_to(path)
    linked = SQLiteStore(named)
    linked.prepare(for_children=for_children)
    append(linked, A, row(2))
    named.unlink()
    named.symlink_to(copy)
    for use in (lambda: linked.head(A), lambda: append(linked, A, row(3)), linked.is_ready):
        with pytest.raises(DatabaseExchanged):
            use()
    linked.close()
    assert store.head(A) == Head(2, row(2).hash)


def test_a_link_that_is_pointed_elsewhere_before_anything_is_open_is_noticed(store: SQLiteStore, path: Path) -> None:
    copy, named = copy_of(store, "copy.db"), path.with_name("current.db")
    named.symlink_to(path)
    linked = SQLiteStore(named)
    named.unlink()
    named.symlink_to(copy)
    with pytest.raises(DatabaseExchanged):
        linked.head(A)


def test_http_says_so_on_every_call(path: Path) -> None:
    app = create_app({"LEDGER_DATABASE": path})
    client = app.test_client()
    opened = client.post("/v1/sessions", json={"game": "shippin", "players": ["Aki", "Ben"]}).get_json()
    store = app.extensions["desk"].store
    copy_of(store, "copy.db").replace(path)
    headers = {"Authorization": f"Bearer {opened['link']['token']}"}
    for address in (f"/v1/sessions/{opened['session']['id']}", "/readyz"):
        answer = client.get(address, headers=headers)
        assert (answer.status_code, answer.get_json()["code"]) == (503, "database_exchanged")
        assert int(answer.headers["Retry-After"]) >= 1
    assert client.get("/livez").status_code == 200


# --- refused --------------------------------------------------------------------------------------------------------


@pytest.fixture
def somebody(store: SQLiteStore, path: Path) -> Iterator[None]:
    """Somebody who has looked into the database, and does nothing any more."""
    program = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM events').fetchall()"
    waits = "; print('there', flush=True); sys.stdin.read()"
    assert store.head(A) is not None
    with subprocess.Popen(
        [sys.executable, "-c", program + waits, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()


@pytest.mark.usefixtures("somebody")
@pytest.mark.parametrize("broken", [False, True])
def test_nobody_restores_over_a_database_that_somebody_has_open(
    store: SQLiteStore, path: Path, *, broken: bool
) -> None:
    copy = copy_of(store, "copy.db")
    if broken:
        with path.open("r+b") as file:
            file.write(b"\xff" * 4096)
    store.close()
    before = path.stat().st_ino, path.stat().st_size
    with pytest.raises(DatabaseUnusable, match=r"somebody has .* open: stop the service"):
        SQLiteStore(path).restore(Address.read(copy))
    assert (path.stat().st_ino, path.stat().st_size) == before
    assert broken or len(list(SQLiteStore(path).events(A))) == 1
    assert not list(path.parent.glob("*.restoring*"))


@pytest.mark.parametrize("knows_second_names", [True, False])
def test_what_is_restored_over_is_kept_whole(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch, *, knows_second_names: bool
) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise PermissionError

    if not knows_second_names:  # as a stick's file system
        monkeypatch.setattr(Path, "hardlink_to", refuse)
    copy = copy_of(store, "copy.db")
    append_next(store, A)
    store.close()
    aside = store.restore(Address.read(copy))
    assert aside is not None
    assert len(list(store.events(A))) == 1
    kept = open_store(aside)
    assert len(list(kept.events(A))) == 2
    kept.close()


@pytest.mark.parametrize("sql", ["CREATE TABLE notes (id INTEGER)", "PRAGMA application_id = 5"])
def test_nothing_is_restored_over_another_programs_database(store: SQLiteStore, path: Path, sql: str) -> None:
    other = path.with_name("other.db")
    with closing(sqlite3.connect(other)) as db, db:
        db.execute("CREATE TABLE other (id INTEGER)")
        db.execute(sql)
    before = other.read_bytes()
    with pytest.raises(DatabaseUnusable, match="is left as it is"):
        SQLiteStore(other).restore(Address.read(copy_of(store, "copy.db")))
    with pytest.raises(DatabaseUnusable):
        SQLiteStore(other.parent).restore(Address.read(path.with_name("copy.db")))
    assert other.read_bytes() == before


# --- a running service ----------------------------------------------------------------------------------------------


class Reporter:
    """A client that reports until the service does not take it any more."""

    def __init__(self, service: Service) -> None:
        self.client = Client(service.port)
        self.client.opens()
        self.acknowledged = 0
        self.has_some = threading.Event()
        self.is_exchanged = threading.Event()
        self.after: list[int] = []
        self.codes: set[str] = set()

    def reports(self) -> None:
        while len(self.after) < ENOUGH:
            late = self.is_exchanged.is_set()
            answer = self.client.tries(event("chips_moved", from_="bank", to="p1", amount=1))
            self.acknowledged += answer.status == 201
            if self.acknowledged == ENOUGH:
                self.has_some.set()
            if late:
                self.after.append(answer.status)
            if answer.status != 201:
                self.codes.add(answer.body["code"])
                looked = self.client.asks("GET", self.client.address)
                assert (looked.status, looked.body["code"]) == (503, "database_exchanged")


@pytest.mark.slow
def test_a_running_service_is_not_restored_over_and_notices_what_is_done_by_hand(path: Path) -> None:
    copy, old = path.with_name("copy.db"), path.with_name("old.db")
    with Service(path, workers=2) as service:
        with service.client() as first:
            first.opens()
        SQLiteStore(path).copy(Address.read(copy))
        refused = restored_by_another(path, copy)
        assert refused.returncode == 1, refused.stderr
        assert "somebody has" in refused.stderr
        reporters = [Reporter(service) for _ in range(CLIENTS)]
        threads = [threading.Thread(target=reporter.reports, daemon=True) for reporter in reporters]
        for thread in threads:
            thread.start()
        for reporter in reporters:
            assert reporter.has_some.wait(60)
        assert restored_by_another(path, copy).returncode == 1
        path.rename(old)
        copy.rename(path)
        for reporter in reporters:
            reporter.is_exchanged.set()
        for thread, reporter in zip(threads, reporters, strict=True):
            thread.join(60)
            assert not thread.is_alive()
            reporter.client.hangs_up()
        assert {status for reporter in reporters for status in reporter.after} == {503}
        assert {code for reporter in reporters for code in reporter.codes} == {"database_exchanged"}
        os.kill(service.workers[0], signal.SIGKILL)
        with service.client() as client:
            assert client.asks("GET", "/readyz").status == 503
    assert service.said.count("Another file was put in the place of the database") <= 3
    for reporter in reporters:
        rows = whole(old, reporter.client.session_id).rows
        assert [json.loads(one.body)["amount"] for one in rows][: reporter.acknowledged] == [1] * reporter.acknowledged
        assert len(rows) - reporter.acknowledged in {
            0,
            1,
        }  # one may have been kept, and its sender told that it is lost
    with service, service.client() as client:
        client.speaks_for(first)
        assert client.looks()["seq"] == 0


@pytest.mark.parametrize(("finds_it", "workers"), [("looks", 1), pytest.param("reports", 2, marks=pytest.mark.slow)])
def test_a_service_notices_what_is_copied_into_its_database(path: Path, finds_it: str, workers: int) -> None:
    copy = path.with_name("copy.db")
    with Service(path, workers=workers) as service, service.client() as client:
        client.opens()
        chips = event("chips_moved", from_="bank", to="p1", amount=1)
        assert client.tries(chips).status == 201
        SQLiteStore(path).copy(Address.read(copy))
        assert client.tries(chips, chips, chips).status == 201
        copied_into(path, copy)
        found = client.tries(chips) if finds_it == "reports" else client.asks("GET", client.address)
        assert (found.status, found.body["code"]) == (503, "database_exchanged")
        for _ in range(6):
            with service.client() as another:
                another.speaks_for(client)
                asked = (another.asks("GET", address) for address in (client.address, "/readyz"))
                for answer in (another.tries(chips), *asked):
                    assert (answer.status, answer.body["code"]) == (503, "database_exchanged")
        os.kill(service.workers[0], signal.SIGKILL)
        with service.client() as another:
            assert another.asks("GET", "/readyz").status == 503
    assert service.said.count("What is in the database was exchanged") == 1
    assert len(whole(path, client.session_id).rows) == 1


def copied_into(database: Path, copy: Path) -> None:
    """Copy over the very file that a service has open, as `cp` does, with nothing left in the write-ahead log."""
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
    before = database.stat().st_ino
    shutil.copyfile(copy, database)
    assert database.stat().st_ino == before


def restored_by_another(database: Path, copy: Path) -> subprocess.CompletedProcess[str]:
    """Restore from another process, as locks are a process's own."""
    return subprocess.run(
        [sys.executable, "-m", "ledger", "restore", str(copy), "--force"],
        cwd=ROOT,
        env={**os.environ, "LEDGER_DATABASE": str(database)},
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.slow
def test_a_service_that_nobody_has_asked_for_anything_is_not_restored_over(path: Path) -> None:
    store = SQLiteStore(path)
    store.prepare()
    copy = copy_of(store, "copy.db")
    store.close()
    service = Service(path, workers=1)
    service.launch()
    try:
        while "Booting worker" not in service.said or not is_open(path, service.workers):
            assert service.processes
        assert restored_by_another(path, copy).returncode == 1
    finally:
        service.kill()


def is_open(path: Path, processes: list[int]) -> bool:
    """Say whether one of some processes has a file open."""
    for process in processes:
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                if descriptor.readlink() == path:
                    return True
    return False
