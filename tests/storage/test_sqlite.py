"""SQLite: what is promised of its file, of writers that share a commit, and of backups."""

from __future__ import annotations

import errno
import fcntl
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest

from ledger.codec.hash_chain import SaltedText
from ledger.storage.address import open_store
from ledger.storage.errors import StoreBusy, StoreFull, StoreUnavailable
from ledger.storage.sqlite import SQLite, connect
from ledger.storage.store import Store
from tests.service import ROOT
from tests.storage.contract import (
    MOMENT,
    A,
    B,
    append,
    append_next,
    entry,
    everything,
    fresh,
    in_threads,
    is_whole,
    link,
    prepared,
    row,
)
from tests.waiting import eventually

pytestmark = pytest.mark.sqlite("it is the engine")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with prepared(str(path)) as made:
        yield made


@contextmanager
def by_hand(path: Path) -> Iterator[sqlite3.Connection]:
    """A hand in the database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


@contextmanager
def another_process(path: Path, program: str, *, is_over: bool = True) -> Iterator[subprocess.Popen[str]]:
    """Run a program on the database in another process, from when it says something until the end of its input."""
    begins = (
        "import sys, sqlite3; from tests.storage.contract import *; from ledger.storage.address import open_store\n"
    )
    begins += "store = open_store(sys.argv[1])\n"
    with subprocess.Popen(
        [sys.executable, "-c", begins + program, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
        yield process
        process.communicate()
        assert (process.returncode == 0) == is_over


class Watched(sqlite3.Connection):
    """A connection that counts its commits, and does something else instead of one if it is told so."""

    commits: ClassVar[list[str]] = []
    instead: ClassVar[list[Callable[[Watched], object]]] = []
    pages: ClassVar[int] = 0

    def __init__(self, *arguments: Any, **how: Any) -> None:
        super().__init__(*arguments, **how)
        if self.pages:
            self.execute(f"PRAGMA max_page_count = {self.pages}")

    def execute(self, statement: str, *parameters: Any) -> sqlite3.Cursor:
        if statement == "COMMIT":
            self.commits.append(statement)
            if self.instead:
                self.instead.pop()(self)
        return super().execute(statement, *parameters)


@pytest.fixture
def watched(store: Store, monkeypatch: pytest.MonkeyPatch) -> type[Watched]:
    """All connections that are made from now on."""
    store.engine.close()
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Watched))
    for name, value in {"commits": [], "instead": [], "pages": 0}.items():
        monkeypatch.setattr(Watched, name, value)
    return Watched


def error_with(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode, error.sqlite_errorname = code, "SQLITE_FAILED"
    return error


def fails_with(code: int, *, after_it: bool = False) -> Callable[[Watched], None]:
    """Have a COMMIT fail, before or after it was done."""

    def fail(connection: Watched) -> None:
        if after_it:
            connection.cursor().execute("COMMIT")
        raise error_with(code)

    return fail


# --- what every connection promises, and the file -------------------------------------------------------------------


@pytest.mark.usefixtures("store")
def test_what_is_acknowledged_is_on_the_disk_and_what_is_deleted_is_not(path: Path) -> None:
    with closing(connect(path, 0)) as db:
        names = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
        assert [db.execute(f"PRAGMA {name}").fetchone()[0] for name in names] == ["wal", 2, 1, 1]
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            db.execute("INSERT INTO words VALUES ('nobody', 1, 'note', x'', '')")
        with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
            db.execute("UPDATE sessions SET seq = 'many'")


def test_what_is_overwritten_is_in_no_file_any_more(store: Store, tmp_path: Path) -> None:
    secrets = [b"Ichiro Tanaka", b"the owner of the blue bicycle"]
    rows = [row(seq, words={"note": SaltedText(b"s", f"{secrets[0].decode()} {seq}")}) for seq in range(1, 300)]
    store.create_session(fresh("c", *rows, links=[link(label=secrets[1].decode())]), MOMENT)

    def found() -> bool:
        return any(secret in file.read_bytes() for file in tmp_path.iterdir() for secret in secrets)

    assert found()
    with store.transaction("c") as log:
        log.overwrite({(seq, "note"): "…" for seq in range(1, 300)}, {"link1": "…"})
    store.engine.clean_up()
    assert not found()


def test_others_read_the_balances_while_somebody_writes(store: Store, path: Path) -> None:
    append(store, A, row(1), entries=[entry(1, amount=5)])
    asked = [sys.executable, "-m", "sqlite_utils", "query", str(path)]
    with store.transaction(A) as log:
        log.append([row(2)], [entry(2, 2)])
        told = subprocess.check_output([*asked, "SELECT account, balance FROM balances ORDER BY account"])
    assert json.loads(told) == [{"account": "bank", "balance": -5}, {"account": "p1", "balance": 5}]


def test_damage_to_the_file_is_found(store: Store, path: Path) -> None:
    append(store, A, *(row(seq, body="x" * 1000) for seq in range(1, 100)))
    assert list(store.engine.damage()) == []
    with by_hand(path) as db:
        db.execute(
            "INSERT INTO events SELECT 'nobody', seq, type, version, body, recorded_at, recorded_by, hash"
            " FROM events WHERE seq = 1"
        )
    assert [damage.table for damage in store.engine.damage()] == ["events"]
    with by_hand(path) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'sqlite_autoindex_events_1'")
    assert len(SQLite(str(path), 1).damage()) > 1


def test_a_file_that_is_gone_is_not_made_anew_by_who_serves(store: Store, path: Path) -> None:
    store.engine.close()
    path.unlink()
    for does in (store.session_ids, partial(append_next, store, A)):
        with pytest.raises(StoreUnavailable, match="cannot be opened"):
            does()
    assert not path.exists()


# --- writers that share a commit ------------------------------------------------------------------------------------


class Refused(Exception):
    """One of the writers is refused."""


def is_refused(store: Store) -> None:
    with store.transaction(B) as log:
        log.append([row(9)], [entry(9)])
        raise Refused


def outcomes(store: Store, *works: Callable[[Store], object]) -> list[str]:
    """Have writers wait while another one has its turn, so that all share a commit; say what came of each."""
    writer, told = cast("SQLite", store.engine)._writer, list[str]()

    def first(_store: Store) -> None:
        with store.transaction(A) as log:
            log.append([row(1)], [])
            eventually(lambda: len(writer._waiting) == len(works))

    def tell(work: Callable[[Store], object]) -> None:
        eventually(lambda: work is first or writer._turn.locked())
        try:
            work(store)
        except Exception as error:  # noqa: BLE001 - what it is, the test asks
            told.append(type(error).__name__)
        else:
            told.append("kept")

    in_threads(*(partial(tell, work) for work in (first, *works)))
    return sorted(told)


def writes(store: Store) -> None:
    append_next(store, B)


def test_who_waits_at_the_same_time_shares_a_commit_and_who_is_refused_harms_nobody(
    store: Store, watched: type[Watched]
) -> None:
    told = outcomes(store, writes, is_refused, writes, is_refused, writes)
    assert told == ["Refused", "Refused", "kept", "kept", "kept", "kept"]
    assert len(watched.commits) == 1
    is_whole(store, B, 3)
    assert list(store.events(A)) == [row(1)]


GREENLETS = """
from gevent import monkey; monkey.patch_all()
import gevent, sqlite3, sys
sleep = monkey.get_original("time", "sleep")
class Slow(sqlite3.Connection):
    def execute(self, statement, *parameters):
        if statement == "COMMIT":
            sleep(0.01)  # a disk that holds up the whole process
        return super().execute(statement, *parameters)
connect = sqlite3.connect
sqlite3.connect = lambda *place, **how: connect(*place, **how, factory=Slow)
from tests.storage.contract import A, append_next
from ledger.storage.address import open_store
store = open_store(sys.argv[1])
def write():
    for _ in range(10):
        append_next(store, A)
work = [gevent.spawn(write) for _ in range(8)]
gevent.joinall(work, timeout=60, raise_error=True)
sys.exit(not all(each.ready() for each in work))
"""


def test_greenlets_that_share_commits_all_come_back_from_a_slow_disk(store: Store, path: Path) -> None:
    store.engine.close()
    subprocess.run([sys.executable, "-c", GREENLETS, str(path)], cwd=ROOT, check=True)
    is_whole(store, A, 80)


def test_when_the_commit_fails_all_its_writers_are_told_and_who_was_refused_that(
    store: Store, watched: type[Watched]
) -> None:
    watched.instead.append(fails_with(sqlite3.SQLITE_FULL))
    assert outcomes(store, writes, is_refused, writes) == ["Refused", "StoreFull", "StoreFull", "StoreFull"]
    assert store.last_seqs([A, B]) == {A: 0, B: 0}
    writes(store)
    is_whole(store, B, 1)


def test_who_fails_so_that_all_is_rolled_back_is_not_told_alone(store: Store) -> None:
    def aborts(store: Store) -> None:
        with store.transaction(B) as log:
            log._connection.execute("ROLLBACK")  # as SQLite does by itself after some errors of the disk
            raise error_with(sqlite3.SQLITE_FULL)

    told = outcomes(store, writes, aborts, writes)
    heads = store.last_seqs([A, B])
    assert told == ["StoreFull"] * (4 - sum(heads.values())) + ["kept"] * sum(heads.values())
    assert "StoreFull" in told


def test_a_commit_whose_answer_was_lost_is_looked_for(
    store: Store, watched: type[Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.instead.append(fails_with(sqlite3.SQLITE_IOERR, after_it=True))
    append_next(store, A)
    watched.instead.append(fails_with(sqlite3.SQLITE_IOERR))
    with pytest.raises(StoreUnavailable):
        append_next(store, A)
    is_whole(store, A, 1)

    def loses_all(connection: Watched) -> None:
        def refuse(*_arguments: object, **_how: object) -> None:
            raise sqlite3.OperationalError

        patch.setattr(sqlite3, "connect", refuse)
        fails_with(sqlite3.SQLITE_IOERR, after_it=True)(connection)

    with monkeypatch.context() as patch:
        watched.instead.append(loses_all)
        with pytest.raises(StoreBusy):
            append_next(store, A)
    is_whole(store, A, 2)
    append_next(store, A)
    is_whole(store, A, 3)


def test_a_commit_is_looked_for_by_who_wrote(store: Store, watched: type[Watched]) -> None:
    writer = cast("SQLite", store.engine)._writer

    def writes_nothing() -> None:
        with suppress(StoreFull), store.transaction(B):
            eventually(lambda: len(writer._waiting) == 1)

    def is_told() -> None:
        eventually(writer._turn.locked)
        with pytest.raises(StoreFull):
            append_next(store, A)

    watched.instead.append(fails_with(sqlite3.SQLITE_FULL))
    in_threads(writes_nothing, is_told)
    watched.instead.append(fails_with(sqlite3.SQLITE_IOERR, after_it=True))
    append_next(store, A)
    append_next(store, B)
    assert store.last_seqs([A, B]) == {A: 1, B: 1}


def test_a_full_disk_is_named_loses_nothing_and_can_be_mended(store: Store, watched: type[Watched], path: Path) -> None:
    append_next(store, A)
    before = everything(store, A)
    with by_hand(path) as db:
        watched.pages = db.execute("PRAGMA page_count").fetchone()[0]
    store.engine.close()
    rows = [row(seq, body="x" * 1000) for seq in range(2, 200)]
    with pytest.raises(StoreFull):
        append(store, A, *rows)
    with pytest.raises(StoreFull):
        store.create_session(fresh("c", *rows), MOMENT)
    assert everything(store, A) == before
    watched.pages = 0
    store.engine.close()
    append(store, A, *rows)


def test_what_is_deleted_stays_deleted_if_the_disk_has_no_room_to_clean_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.transaction(A) as log:
        log.delete()

    def has_no_room(*_arguments: object, **_how: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", has_no_room)
        store.engine.clean_up()
    assert store.last_seqs([A]) == {}


# --- several processes ----------------------------------------------------------------------------------------------


def test_who_writes_all_the_time_shuts_nobody_out(store: Store, path: Path) -> None:
    writes = "print('there', flush=True)\nwhile store.head(A).seq < 200: append_next(store, B)"
    with another_process(path, writes):
        for _ in range(200):
            append_next(store, A)
        counts = store.last_seqs([A, B])
    assert 10 < counts[B] < 4_000
    is_whole(store, A, 200)


def test_who_is_killed_in_its_turn_keeps_nobody_out(store: Store, path: Path) -> None:
    hangs = (
        "with store.transaction(A) as log:\n log.append([row(1)], [])\n print('there', flush=True)\n sys.stdin.read()"
    )
    with another_process(path, hangs, is_over=False) as process:
        with closing(SQLite(str(path), 0.05)) as hasty, pytest.raises(StoreBusy):
            append_next(Store(hasty), A)
        process.kill()
        append_next(store, A)
    is_whole(store, A, 1)


def test_whoever_has_the_turn_or_the_database_is_waited_for_as_long_as_is_set(store: Store, path: Path) -> None:
    with closing(SQLite(str(path), 0.05)) as engine, by_hand(path) as db:
        hasty = Store(engine)
        with path.with_name("ledger.db-lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with pytest.raises(StoreBusy):
                append_next(hasty, A)
        db.execute("BEGIN IMMEDIATE")
        for does in (partial(append_next, hasty, A), engine.prepare):
            with pytest.raises(StoreBusy):
                does()
        assert list(hasty.events(A)) == []
        db.execute("ROLLBACK")
        append_next(hasty, A)
    is_whole(store, A, 1)


# --- backups --------------------------------------------------------------------------------------------------------


def accept(_store: Store) -> None:
    """Let any backup take the database's place."""


def test_a_backup_made_under_load_is_of_one_moment_and_can_be_restored(store: Store, tmp_path: Path) -> None:
    append(store, B, *(row(seq, body="x" * 4000) for seq in range(1, 3_000)))
    copy, is_over = tmp_path / "copy.db", threading.Event()

    def write() -> None:
        while not is_over.is_set():
            append_next(store, A)

    def back_up() -> None:
        try:
            eventually(lambda: len(list(store.events(A))) > 3)
            store.engine.backup(str(copy))
        finally:
            is_over.set()

    in_threads(write, back_up)
    with pytest.raises(StoreUnavailable, match="is there already"):
        store.engine.backup(str(copy))
    before = copy.read_bytes()
    checked: list[int] = []
    with closing(SQLite(str(tmp_path / "new" / "ledger.db"), 1)) as engine:
        assert engine.restore(str(copy), lambda taken: checked.append(len(taken.session_ids()))) is None
        restored = Store(engine)
        assert (checked, engine.is_ready(), list(engine.damage())) == ([2], True, [])
        assert everything(restored, B) == everything(store, B)
        is_whole(restored, A, len(list(restored.events(A))))
        append_next(restored, A)
    assert copy.read_bytes() == before


@pytest.fixture
def copy(store: Store, tmp_path: Path) -> str:
    """A backup of the database when there was one event in it; now there are two."""
    append_next(store, A)
    store.engine.backup(str(tmp_path / "copy.db"))
    append_next(store, A)
    store.engine.close()
    return str(tmp_path / "copy.db")


def test_what_is_restored_over_is_kept_whole(store: Store, copy: str) -> None:
    aside = store.engine.restore(copy, accept)
    assert aside is not None
    is_whole(store, A, 1)
    kept = open_store(aside)
    with closing(kept.engine):
        is_whole(kept, A, 2)


@pytest.mark.parametrize("broken", [False, True])
def test_nobody_restores_over_a_database_that_somebody_has_open(
    store: Store, copy: str, path: Path, *, broken: bool
) -> None:
    looks = (
        "db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM events').fetchall(); print('there', flush=True)"
    )
    with another_process(path, f"{looks}; sys.stdin.read()"):
        if broken:
            with path.open("r+b") as file:
                file.write(b"\xff" * 4096)
        before = path.stat().st_ino, path.stat().st_size
        with pytest.raises(StoreUnavailable, match=r"somebody has .* open: stop the service"):
            store.engine.restore(copy, accept)
        assert (path.stat().st_ino, path.stat().st_size) == before
    assert {file.name for file in path.parent.iterdir()} <= {
        "copy.db",
        *(f"ledger.db{end}" for end in ("", "-wal", "-shm", "-lock")),
    }
    if not broken:
        is_whole(store, A, 2)


def test_a_backup_that_may_not_take_the_place_leaves_nothing_behind(store: Store, copy: str, path: Path) -> None:
    def refuse(_store: Store) -> None:
        raise Refused

    with pytest.raises(Refused):
        store.engine.restore(copy, refuse)
    other = path.with_name("other.db")
    with by_hand(other) as db:
        db.execute("CREATE TABLE notes (id INTEGER)")
    before = other.read_bytes()
    with pytest.raises(StoreUnavailable, match="is left as it is"):
        SQLite(str(other), 1).restore(copy, accept)
    with pytest.raises(StoreUnavailable, match="is left as it is"):
        store.engine.restore(str(other), accept)
    assert other.read_bytes() == before
    is_whole(store, A, 2)
    assert not [file for file in path.parent.iterdir() if "new-" in file.name or "before" in file.name]
