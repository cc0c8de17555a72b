"""SQLite: the contract, and what else is promised of it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlite_utils import Database

from ledger.hash_chain import SaltedText
from ledger.store import Contents, DatabaseUnusable, StoreBusy, StoreFull, StoreIsNewer, open_store
from ledger.store.address import Address
from ledger.store.sqlite import SQLiteStore
from ledger.store.sqlite.migrations import MIGRATIONS
from tests.service import ROOT
from tests.store.contract import (
    FIRST,
    A,
    B,
    CopyContract,
    append,
    append_next,
    everything,
    in_threads,
    link,
    opening,
    row,
)

pytestmark = pytest.mark.sqlite("it is the engine")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def store(path: Path) -> SQLiteStore:
    made = SQLiteStore(path)
    made.prepare()
    return made


class TestContract(CopyContract):
    contradiction = sqlite3.IntegrityError

    @pytest.fixture
    def store(self, store: SQLiteStore) -> SQLiteStore:
        return store

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Callable[[str], Address]:
        return lambda name: Address.read(f"sqlite:///{tmp_path}/{name}.db")


@contextmanager
def by_hand(path: Path) -> Iterator[sqlite3.Connection]:
    """A hand in the database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


# --- what every connection promises ---------------------------------------------------------------------------------


def pragmas(db: Database) -> dict[str, object]:
    names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
    return {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in names}


def test_what_is_acknowledged_is_on_the_disk_and_what_is_deleted_is_not(store: SQLiteStore) -> None:
    full = 2
    promised = {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1, "secure_delete": 1}
    with store._here.reading() as db:
        assert pragmas(db) == promised
    with store._here.writer.block() as db:
        assert pragmas(db) == promised


def test_a_row_without_its_session_is_refused(store: SQLiteStore) -> None:
    for table in ("events", "words", "entries", "balances", "links", "replies"):
        with store._here.reading() as db:
            keys = db.table(table).foreign_keys
        assert [(key.column, key.other_table, key.other_column) for key in keys] == [("session", "sessions", "id")]
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"), store._here.writer.block() as db:
        db.execute("INSERT INTO balances (session, account, balance) VALUES ('nobody', 'p1', 1)")


def test_a_value_of_the_wrong_kind_is_refused_even_by_hand(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    with by_hand(path) as db:
        strict = dict(db.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'").fetchall())
        assert {name for name, is_strict in strict.items() if not is_strict and name[0] not in "s_"} == set()
        assert strict["sessions"]
        with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
            db.execute("INSERT INTO balances (session, account, balance) VALUES (?, 'p1', 'many')", [A])


# --- its schema -----------------------------------------------------------------------------------------------------


def applied(path: Path) -> list[str]:
    with by_hand(path) as db:
        return [name for (name,) in db.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]


def test_every_migration_is_noted_once_and_in_order(store: SQLiteStore, path: Path) -> None:
    names = [migration.name for migration in MIGRATIONS._migrations]
    assert names == sorted(names)
    assert applied(path) == names
    store.prepare()
    assert applied(path) == names


def test_several_processes_may_prepare_a_database_at_once(path: Path) -> None:
    program = "import sys; from ledger.store.sqlite import SQLiteStore; SQLiteStore(sys.argv[1]).prepare()"
    started = [subprocess.Popen([sys.executable, "-c", program, str(path)], cwd=ROOT) for _ in range(6)]
    assert [process.wait() for process in started] == [0] * 6
    assert applied(path) == [migration.name for migration in MIGRATIONS._migrations]
    assert SQLiteStore(path).is_ready()


def test_a_migration_that_fails_leaves_nothing_and_can_be_tried_again(
    store: SQLiteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.open_session(opening(A), FIRST, link())
    before = everything(store, A)

    def m999_breaks(db: Database) -> None:
        db.table("half").create({"id": int})
        raise ZeroDivisionError

    broken = MIGRATIONS._Migration("m999_breaks", m999_breaks)
    with monkeypatch.context() as patch:
        patch.setattr(MIGRATIONS, "_migrations", [*MIGRATIONS._migrations, broken])
        with pytest.raises(ZeroDivisionError):
            store.prepare()
        assert not store.is_ready()
    with by_hand(path) as db:
        assert db.execute("SELECT name FROM sqlite_schema WHERE name = 'half'").fetchall() == []
    store.prepare()
    assert store.is_ready()
    assert everything(store, A) == before


def test_the_database_of_a_newer_release_is_left_as_it_is(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    with by_hand(path) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, 'm998_of_tomorrow', '')",
            [MIGRATIONS.name],
        )
    store.close()
    before = path.read_bytes()
    with pytest.raises(StoreIsNewer, match="m998_of_tomorrow"):
        store.prepare()
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "new" / "folder" / "ledger.db")
    store.prepare()
    assert store.is_ready()


def test_without_a_schema_it_is_not_ready(path: Path) -> None:
    assert not SQLiteStore(path).is_ready()
    path.write_bytes(b"no database" * 1000)
    assert not SQLiteStore(path).is_ready()
    assert not SQLiteStore(path.parent / "nowhere" / "ledger.db").is_ready()


# --- connections ----------------------------------------------------------------------------------------------------


def in_a_child(work: Callable[[], bool]) -> Callable[[], bool]:
    """Fork, do something in the child, and give what waits for it and says whether it went well."""
    pid = os.fork()
    if pid == 0:
        well = False
        try:
            well = work()
        finally:
            os._exit(0 if well else 1)
    return lambda: os.waitpid(pid, 0)[1] == 0


def test_a_child_makes_connections_of_its_own(store: SQLiteStore) -> None:
    store.open_session(opening(A), FIRST, link())
    store.close()

    def write() -> bool:
        for _ in range(50):
            append_next(store, A)
        return store.damage() == []

    children_went_well = [in_a_child(write), in_a_child(write)]
    assert write()
    assert all(went_well() for went_well in children_went_well)
    CopyContract.is_whole(store, A, 150)


# --- trouble --------------------------------------------------------------------------------------------------------


def gives_up(path: Path, seconds: float = 0.2) -> float:
    """Try to write, find the database busy, and say how many seconds that took."""
    store = SQLiteStore(path, busy_seconds=seconds)
    begun = time.monotonic()
    with pytest.raises(StoreBusy):
        append_next(store, A)
    with pytest.raises(StoreBusy):
        store.prepare()
    return (time.monotonic() - begun) / 2


def test_a_writer_gives_up_when_a_hand_in_the_database_keeps_it(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    with by_hand(path) as db:
        db.execute("BEGIN IMMEDIATE")
        assert gives_up(path) >= 0.2
        assert list(store.events(A)) == []
        db.execute("ROLLBACK")
    append_next(store, A)


def test_a_full_disk_is_named_loses_nothing_and_can_be_mended(store: SQLiteStore) -> None:
    for session_id in (A, B):
        store.open_session(opening(session_id), FIRST, link())
        append(store, session_id, row(1))
    before = [everything(store, session_id) for session_id in (A, B)]
    with store._here.writer.block() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull):
        append(store, A, *(row(seq, body="x" * 1000) for seq in range(2, 200)))
    with pytest.raises(StoreFull):
        store.open_session(opening("c" * 10_000), FIRST, link())
    assert [everything(store, session_id) for session_id in (A, B)] == before
    with store._here.writer.block() as db:
        db.execute("PRAGMA max_page_count = 1000000")
    append(store, A, *(row(seq, body="x" * 1000) for seq in range(2, 200)))


def test_readers_do_not_wait_for_a_writer(store: SQLiteStore) -> None:
    store.open_session(opening(A), FIRST, link())
    reader = SQLiteStore(store.path, busy_seconds=0.001)
    with store.writing(A) as log:
        log.append([row(seq, body="x" * 1000) for seq in range(1, 5_000)], [], {})
        assert everything(reader, A) == everything(store, A)
        assert list(reader.events(A)) == []


# --- leaving nothing behind, and taking all along -------------------------------------------------------------------


def test_what_is_forgotten_is_in_no_file_any_more(store: SQLiteStore, tmp_path: Path) -> None:
    secrets = [b"Ichiro Tanaka", b"the owner of the blue bicycle"]
    store.open_session(opening(A), FIRST, link(1, label=secrets[1].decode()))
    append(
        store, A, *(row(seq, words={"note": SaltedText(b"s", f"{secrets[0].decode()} {seq}")}) for seq in range(1, 300))
    )

    def found() -> bool:
        return any(secret in file.read_bytes() for file in tmp_path.iterdir() for secret in secrets)

    assert found()
    with store.writing(A) as log:
        log.forget({(seq, "note"): "…" for seq in range(1, 300)}, {"link1": "…"})
    assert not found()


@pytest.mark.endurance
def test_a_copy_is_made_while_others_write_and_is_of_one_moment(store: SQLiteStore, tmp_path: Path) -> None:
    filling = Contents([row(seq, body="x" * 4000) for seq in range(1, 8_000)])
    store.open_session(opening(B), FIRST, link(), filling)
    store.open_session(opening(A), FIRST, link())
    append_next(store, A)
    writer, is_over = SQLiteStore(store.path), threading.Event()
    steps: list[tuple[int, int]] = []

    def write() -> None:
        while not is_over.is_set():
            append_next(writer, A)

    def copy() -> None:
        try:
            store.copy(Address.read(tmp_path / "copy.db"), lambda left, total: steps.append((left, total)))
        finally:
            is_over.set()

    in_threads(write, copy)
    copied = SQLiteStore(tmp_path / "copy.db")
    assert copied.is_ready()
    assert copied.damage() == []
    assert list(copied.events(B)) == list(filling.events)
    CopyContract.is_whole(copied, A, len(list(copied.events(A))))
    assert [left for left, _ in steps] == sorted({left for left, _ in steps}, reverse=True)
    assert len(steps) > 3


def test_damage_to_the_file_is_found(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link(), Contents([row(seq, body="x" * 1000) for seq in range(1, 100)]))
    assert store.damage() == []
    with by_hand(path) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'sqlite_autoindex_events_1'")
    assert SQLiteStore(path).damage() != []


# --- restored over what is there ------------------------------------------------------------------------------------


def copy_of(store: SQLiteStore) -> Address:
    copy = Address.read(store.path.with_name("copy.db"))
    store.copy(copy)
    return copy


@pytest.fixture
def written(store: SQLiteStore) -> SQLiteStore:
    """A database with a session of one event in it."""
    store.open_session(opening(A), FIRST, link())
    append_next(store, A)
    return store


@pytest.fixture
def somebody(written: SQLiteStore) -> Iterator[None]:
    """Somebody who has looked into the database, and does nothing any more."""
    looks = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM events').fetchall()"
    waits = "; print('there', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", looks + waits, str(written.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        yield
        process.communicate()


@pytest.mark.usefixtures("somebody")
@pytest.mark.parametrize("broken", [False, True])
def test_nobody_restores_over_a_database_that_somebody_has_open(
    written: SQLiteStore, path: Path, *, broken: bool
) -> None:
    copy = copy_of(written)
    if broken:
        with path.open("r+b") as file:
            file.write(b"\xff" * 4096)
    written.close()
    before = path.stat().st_ino, path.stat().st_size
    with pytest.raises(DatabaseUnusable, match=r"somebody has .* open: stop the service"):
        SQLiteStore(path).restore(copy)
    assert (path.stat().st_ino, path.stat().st_size) == before
    assert broken or len(list(SQLiteStore(path).events(A))) == 1
    assert not list(path.parent.glob("*.restoring*"))


@pytest.mark.parametrize("knows_second_names", [True, False])
def test_what_is_restored_over_is_kept_whole(
    written: SQLiteStore, monkeypatch: pytest.MonkeyPatch, *, knows_second_names: bool
) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise PermissionError

    if not knows_second_names:  # as a stick's file system
        monkeypatch.setattr(Path, "hardlink_to", refuse)
    copy = copy_of(written)
    append_next(written, A)
    written.close()
    aside = written.restore(copy)
    assert aside is not None
    with closing(open_store(aside)) as kept:
        assert [len(list(each.events(A))) for each in (written, kept)] == [1, 2]


@pytest.mark.parametrize("sql", ["CREATE TABLE notes (id INTEGER)", "PRAGMA application_id = 5"])
def test_nothing_is_restored_over_another_programs_database(written: SQLiteStore, path: Path, sql: str) -> None:
    other, copy = path.with_name("other.db"), copy_of(written)
    with by_hand(other) as db:
        db.execute("CREATE TABLE other (id INTEGER)")
        db.execute(sql)
    before = other.read_bytes()
    with pytest.raises(DatabaseUnusable, match="is left as it is"):
        SQLiteStore(other).restore(copy)
    with pytest.raises(DatabaseUnusable):
        SQLiteStore(other.parent).restore(copy)
    assert other.read_bytes() == before
