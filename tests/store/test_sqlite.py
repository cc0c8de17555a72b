"""SQLite: the contract, and what else is promised of it."""

from __future__ import annotations

import gc
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
from ledger.store import Contents, DatabaseUnusable, Head, Store, StoreBusy, StoreFull, StoreIsNewer, open_store
from ledger.store.address import Address
from ledger.store.sqlite import SQLiteStore
from ledger.store.sqlite.migrations import MIGRATIONS
from ledger.store.sqlite.packing import made_of
from ledger.store.sqlite.writer import Gate
from tests.service import ROOT
from tests.store.contract import (
    FIRST,
    NEVER,
    A,
    B,
    CopyContract,
    append,
    append_next,
    everything,
    in_threads,
    link,
    made,
    moving_a_long_session_takes_no_more_memory,
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

    @pytest.mark.slow
    def test_a_long_session_is_moved_in_no_more_memory_than_a_short_one(self, store: Store, other: Store) -> None:
        moving_a_long_session_takes_no_more_memory(store, other)


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
    assert [process.wait(60) for process in started] == [0] * 6
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


def test_the_database_of_an_earlier_release_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was before sessions could be deleted and links be asked for again."""
    with monkeypatch.context() as patch:
        patch.setattr(MIGRATIONS, "_migrations", MIGRATIONS._migrations[:3])
        SQLiteStore(path).prepare()
    with by_hand(path) as db:
        db.execute("INSERT INTO sessions VALUES (?, 0, ?, ?, 1, ?)", [A, FIRST, opening(A).body, opening(A).created_at])
        db.execute("INSERT INTO links VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)", [A, *link()[:7]])
    store = SQLiteStore(path)
    assert not store.is_ready()
    store.prepare()
    assert (store.session(A), store.head(A), store.links(A)) == (opening(A), Head(0, FIRST), [link()])
    append_next(store, A)
    CopyContract.is_whole(store, A, 1)
    assert store.delete_session(A)
    assert store.session_ids() == []


def test_a_database_that_a_service_of_an_earlier_release_has_open_is_not_changed_under_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = SQLiteStore(path)
    with monkeypatch.context() as patch:
        patch.setattr(MIGRATIONS, "_migrations", MIGRATIONS._migrations[:5])
        earlier.prepare()
        assert earlier.is_ready()
    monkeypatch.setattr("ledger.store.sqlite.migrations.MILLISECONDS_TO_PART", 50)
    with pytest.raises(DatabaseUnusable, match="stop the service"):
        SQLiteStore(path).prepare()
    with monkeypatch.context() as patch:
        patch.setattr(MIGRATIONS, "_migrations", MIGRATIONS._migrations[:5])
        assert earlier.is_ready()
    earlier.close()
    store = SQLiteStore(path)
    store.prepare()
    assert store.is_ready()
    SQLiteStore(path).prepare()  # there is nothing to change
    store.close()


def test_who_was_prepared_before_a_newer_release_came_goes_on(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    with by_hand(path) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('fuda-ledger', 'm998', '')"
        )
    assert store.is_ready()
    append(store, A, row(1))


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "new" / "folder" / "ledger.db")
    store.prepare()
    assert store.is_ready()


def test_what_belongs_to_a_database_lies_beside_the_file_and_not_beside_a_link_to_it(tmp_path: Path) -> None:
    for folder in ("disk", "links"):
        (tmp_path / folder).mkdir()
    other_name = tmp_path / "links" / "ledger.db"
    other_name.symlink_to(tmp_path / "disk" / "real.db")
    store = SQLiteStore(other_name)
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    assert store.figures().wal_bytes
    backup = Address.read(tmp_path / "copy.db")
    store.copy(backup)
    store.restore(backup)
    assert other_name.is_symlink()
    assert {path.name for path in (tmp_path / "links").iterdir()} == {"ledger.db"}
    assert len(list((tmp_path / "disk").glob("real.db.before-*"))) == 1
    store.close()


@pytest.mark.parametrize(("database", "lock"), [(0o600, 0o600), (0o660, 0o660), (0o777, 0o666)], ids=oct)
def test_the_lock_is_for_all_who_may_use_the_database(path: Path, database: int, lock: int) -> None:
    path.touch()
    path.chmod(database)
    with closing(Gate(path)):
        assert Path(f"{path}-lock").stat().st_mode & 0o777 == lock


def test_without_a_schema_it_is_not_ready(path: Path) -> None:
    assert not SQLiteStore(path).is_ready()
    path.write_bytes(b"no database" * 1000)
    assert not SQLiteStore(path).is_ready()
    assert not SQLiteStore(path.parent / "nowhere" / "ledger.db").is_ready()


# --- connections ----------------------------------------------------------------------------------------------------


def is_closed(db: Database) -> bool:
    try:
        db.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return True
    return False


def connections(store: SQLiteStore) -> list[Database]:
    """One connection for reading and the one for writing."""
    with store._here.reading() as reader, store._here.writer.block() as writer:
        return [reader, writer]


def test_closing_closes_every_connection_and_the_next_use_opens_new_ones(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    opened = connections(store)
    store.close()
    assert all(map(is_closed, opened))
    assert not path.with_name("ledger.db-wal").exists()
    append(store, A, row(1))
    assert list(store.events(A)) == [row(1)]
    store.close()
    store.close()


def test_a_store_that_nobody_has_any_more_has_closed_its_connections(path: Path) -> None:
    store = SQLiteStore(path)
    store.prepare()
    opened = connections(store)
    assert not any(map(is_closed, opened))
    del store
    gc.collect()
    assert all(map(is_closed, opened))


def test_connections_of_threads_that_are_over_serve_others(store: SQLiteStore) -> None:
    store.open_session(opening(A), FIRST, link())
    for _ in range(20):
        in_threads(lambda: append_next(store, A), lambda: list(store.events(A)).clear())
    assert len(store._here._idle) <= 2


def test_preparing_leaves_no_connection_for_a_fork_to_find(store: SQLiteStore, path: Path) -> None:
    assert not store._here._idle
    assert store._here.writer._open is None
    assert not path.with_name("ledger.db-wal").exists()


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


def test_a_child_does_not_use_what_its_parent_has_open(store: SQLiteStore) -> None:
    store.open_session(opening(A), FIRST, link())
    parents = connections(store)

    def child() -> bool:
        for use in (lambda: append_next(store, A), lambda: store.head(A), store.is_ready, store.close):
            with pytest.raises(RuntimeError, match="fork"):
                use()
        gc.collect()
        return not any(map(is_closed, parents))

    assert in_a_child(child)()
    with store.writing(A):
        assert in_a_child(child)()
    with store.at_one_moment():
        assert in_a_child(child)()
    assert connections(store) == parents
    append_next(store, A)
    assert store.damage() == []


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


def test_whoever_opens_it_says_how_long_it_waits(path: Path) -> None:
    store = open_store(path, busy_seconds=NEVER)
    assert isinstance(store, SQLiteStore)
    assert store.busy_seconds == NEVER


def test_a_writer_gives_up_when_a_hand_in_the_database_keeps_it(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    with by_hand(path) as db:
        db.execute("BEGIN IMMEDIATE")
        assert gives_up(path) >= 0.2
        assert list(store.events(A)) == []
        db.execute("ROLLBACK")
    append_next(store, A)


def test_a_writer_gives_up_when_another_process_stops_in_its_turn(store: SQLiteStore, path: Path) -> None:
    store.open_session(opening(A), FIRST, link())
    other = SQLiteStore(path)
    with other.writing(A):
        assert gives_up(path) >= 0.2
    append_next(store, A)
    gate, _ = other._here.writer._open or pytest.fail("it has written")
    with gate.held(0):
        assert gives_up(path) >= 0.2
    append_next(store, A)
    CopyContract.is_whole(store, A, 2)


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


def test_what_was_made_in_a_session_is_found_among_many_keys_of_others(store: SQLiteStore) -> None:
    store.open_session(opening(A), FIRST, link(), once=made(A))
    steps: list[None] = []
    with store._here.reading() as db:
        db.conn.set_progress_handler(lambda: steps.append(None), 100)
        for others in (0, 2_000):
            with store.pack(A) as packed:
                keys = [made(f"{number}", key=number.to_bytes(32, "big")) for number in range(others)]
                moved = packed._replace(session=opening(B), made=keys)
                store.unpack(moved)
            steps.clear()
            assert made_of(db, A) == [made(A)]
            store.delete_session(B)
            assert len(steps) < 5


def test_keys_that_many_have_used_are_all_forgotten(store: SQLiteStore, path: Path) -> None:
    with by_hand(path) as db:
        rows = [(number.to_bytes(4, "big"), b"", A, 0, "link1", "2026-11-20T00:00:00Z") for number in range(1_300)]
        db.executemany("INSERT INTO made (key, request, session, seq, link, made_at) VALUES (?, ?, ?, ?, ?, ?)", rows)
        store.forget_made("2026-11-20T00:00:00Z")
        assert db.execute("SELECT COUNT(*) FROM made").fetchone() == (1_300,)
        store.forget_made("2026-11-20T00:00:01Z")
        assert db.execute("SELECT COUNT(*) FROM made").fetchone() == (0,)


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
