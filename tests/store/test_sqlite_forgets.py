"""SQLite: what is forgotten or deleted leaves the disk, whoever reads or is killed meanwhile."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from ledger.hash_chain import SaltedText
from ledger.records import replace
from ledger.store import Contents
from ledger.store.sqlite import SQLiteStore
from ledger.store.sqlite.connections import connect
from ledger.store.sqlite.deleting import delete_some
from ledger.store.sqlite.forgetting import is_cut_off, is_off_the_disk
from tests.store.contract import (
    FIRST,
    NEVER,
    A,
    B,
    append,
    append_next,
    entry,
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


def test_what_is_deleted_is_in_no_file_any_more(store: SQLiteStore, tmp_path: Path) -> None:
    secrets = [b"Ichiro Tanaka", b"the owner of the blue bicycle", b"what was played", b"who deals", b"gone-link"]
    name, label, body, opened, recorder = (secret.decode() for secret in secrets)
    said = {"note": SaltedText(b"s", name)}
    made = replace(opening(A), body=opened, words={"name": SaltedText(b"s", name)})
    rows = [row(seq, words=said, body=f"{body} {seq}", recorded_by=recorder) for seq in range(1, 1_300)]
    store.open_session(made, FIRST, link(1, label=label), Contents(rows, [entry(seq) for seq in range(1, 1_300)]))
    store.open_session(opening(B), FIRST, link())

    secrets.append(A.encode())

    def found() -> set[bytes]:
        files = [file.read_bytes() for file in tmp_path.iterdir()]
        return {secret for secret in secrets if any(secret in file for file in files)}

    assert found() == set(secrets)
    assert store.delete_session(A)
    assert found() == set()
    assert store.damage() == []
    assert store.session_ids() == [B]


@pytest.mark.parametrize(
    "finish", [SQLiteStore.finish_forgetting, lambda store: store.delete_session(A, idle_since="2026-01-01T00:00:00Z")]
)
def test_a_deletion_that_was_broken_off_is_brought_to_its_end(
    store: SQLiteStore, path: Path, monkeypatch: pytest.MonkeyPatch, finish: Callable[[SQLiteStore], bool]
) -> None:
    rows = [row(seq) for seq in range(1, 1_300)]
    store.open_session(opening(A), FIRST, link(), Contents([replace(one, body="what was played") for one in rows]))
    store.open_session(opening(B), FIRST, link(), Contents(rows))
    steps: list[str] = []

    def is_killed(db: Database, session_id: str) -> bool:
        steps.append(session_id)
        return delete_some(db, session_id) if len(steps) < 2 else bool(1 // 0)

    with monkeypatch.context() as patch:
        patch.setattr("ledger.store.sqlite.store.delete_some", is_killed)
        with pytest.raises(ZeroDivisionError):
            store.delete_session(A)
    assert (store.session(A), store.head(A), list(store.links(A)), store.session_ids()) == (None, None, [], [B])
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT COUNT(*) FROM events WHERE session = ?", [A]).fetchone() == (1_299 - 500,)
    assert list(store.sessions_to_delete()) == list(store.sessions_to_delete("2026-01-01T00:00:00Z")) == [A]
    assert store.forgetting_is_pending()
    assert finish(store)
    assert not store.forgetting_is_pending()
    assert list(store.sessions_to_delete()) == []
    assert b"what was played" not in path.read_bytes()
    assert everything(store, B)[2] == rows


SECRET = "Ichiro Tanaka"


def is_on_the_disk(path: Path) -> bool:
    return any(SECRET.encode() in file.read_bytes() for file in path.parent.iterdir())


def with_a_secret(path: Path) -> SQLiteStore:
    """A store in which whoever waited for somebody would do so for ever, with a secret on the disk."""
    store = SQLiteStore(path, busy_seconds=NEVER)
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    store.open_session(opening(B), FIRST, link())
    append(store, A, row(1, words={"note": SaltedText(b"s", SECRET)}))
    assert is_on_the_disk(path)
    return store


@contextmanager
def read_by_somebody(path: Path) -> Iterator[None]:
    """Read the database in one transaction, as a shell does that somebody has left open, or a backup."""
    with closing(sqlite3.connect(path, isolation_level=None)) as shell:
        shell.execute("BEGIN")
        shell.execute("SELECT COUNT(*) FROM words").fetchone()
        yield


def forget(store: SQLiteStore) -> None:
    with store.writing(A) as log:
        log.forget({(1, "note"): "…"}, {})


def delete(store: SQLiteStore) -> None:
    assert store.delete_session(A)


def unpack_over(store: SQLiteStore) -> None:
    """Put a session in the place of the one that has the secret."""
    append_next(store, B)
    with store.pack(B) as packed:
        moved = packed._replace(session=opening(A), events=list(packed.events), entries=[], replies=[])
    store.unpack(moved, over=store.head(A))


WAYS_TO_FORGET = pytest.mark.parametrize("forgets", [forget, delete, unpack_over])


@WAYS_TO_FORGET
def test_who_forgets_waits_for_no_reader_and_nobody_waits_meanwhile(
    path: Path, forgets: Callable[[SQLiteStore], None]
) -> None:
    store, other, is_over = with_a_secret(path), SQLiteStore(path, busy_seconds=NEVER), threading.Event()

    def write() -> None:
        while not is_over.is_set():
            append_next(other, B)

    def go() -> None:
        try:
            forgets(store)
        finally:
            is_over.set()

    with read_by_somebody(path):
        in_threads(write, go)
        assert store.forgetting_is_pending()
        assert other.forgetting_is_pending()
        assert any("still in the database's files" in note for note in other.condition().notes)
        assert not other.finish_forgetting()
        assert is_on_the_disk(path)
        append_next(store, B)
    assert other.finish_forgetting()
    assert not store.forgetting_is_pending()
    assert not is_on_the_disk(path)
    assert not any("still in the database's files" in note for note in other.condition().notes)


@WAYS_TO_FORGET
def test_what_is_pending_is_finished_by_the_next_start(path: Path, forgets: Callable[[SQLiteStore], None]) -> None:
    store = with_a_secret(path)
    with read_by_somebody(path):
        forgets(store)
        store.close()
        store.prepare()
        assert store.forgetting_is_pending()
        assert is_on_the_disk(path)
        store.close()
    store.prepare()
    assert not store.forgetting_is_pending()
    assert not is_on_the_disk(path)


class Kills:
    """The files of a database as they stand before each statement: what a kill leaves at that moment."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.left: list[Path] = []
        self._path = path
        self._folder = folder

    def connected(self, *args: Any, **named: Any) -> sqlite3.Connection:
        """Open a connection whose statements are such moments. The index of the log is made anew by the next start."""
        connection = sqlite3.Connection(*args, **named)
        connection.set_trace_callback(self._copy)
        return connection

    def _copy(self, _statement: str) -> None:
        left = self._folder / str(len(self.left)) / self._path.name
        left.parent.mkdir()
        for file in (self._path, self._path.with_name(f"{self._path.name}-wal")):
            if file.exists():
                shutil.copyfile(file, left.with_name(file.name))
        self.left.append(left)


@WAYS_TO_FORGET
def test_who_is_killed_at_any_statement_has_not_begun_or_all_is_brought_off_the_disk(
    path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    forgets: Callable[[SQLiteStore], None],
) -> None:
    """Also between the last rows of a session and the end of the log: then nothing but the mark tells of it."""
    store, kills = with_a_secret(path), Kills(path, tmp_path_factory.mktemp("killed"))
    before, found = everything(store, A), set[tuple[bool, bool, bool]]()
    store.close()
    monkeypatch.setattr("ledger.store.sqlite.deleting.ROWS_A_STEP", 1)
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=kills.connected))
        forgets(store)
    assert not is_on_the_disk(path)
    for left in kills.left:
        with closing(SQLiteStore(left)) as restarted:
            has_begun = everything(restarted, A) != before
            assert restarted.forgetting_is_pending() or not has_begun or not is_on_the_disk(left)
            found.add((has_begun, list(restarted.sessions_to_delete()) == [A], is_on_the_disk(left)))
            assert restarted.finish_forgetting()
            assert not restarted.forgetting_is_pending()
            assert list(restarted.sessions_to_delete()) == []
            assert is_on_the_disk(left) is not has_begun
            assert (everything(restarted, A) == before) is not has_begun
            assert restarted.damage() == []
    half_deleted = {(True, True, True)} if forgets is delete else set()
    assert found == {(False, False, True), (True, False, True), (True, False, False)} | half_deleted


def test_what_was_forgotten_as_the_disk_was_cleared_is_still_pending(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who brings something off the disk takes away no mark of what was forgotten since."""
    store, other = with_a_secret(path), SQLiteStore(path)
    append(store, A, row(2, words={"note": SaltedText(b"s", SECRET)}))

    def is_cut_off_before_more_is_forgotten(db: Database) -> bool:
        assert is_cut_off(db)
        monkeypatch.undo()
        with read_by_somebody(path), other.writing(A) as log:
            log.forget({(2, "note"): "…"}, {})
        return True

    monkeypatch.setattr("ledger.store.sqlite.forgetting.is_cut_off", is_cut_off_before_more_is_forgotten)
    forget(store)
    assert store.forgetting_is_pending()
    assert store.finish_forgetting()
    assert not is_on_the_disk(path)


def test_a_try_waits_for_no_writer_and_keeps_nobody_from_writing(path: Path) -> None:
    """The writers' lock is taken for an instant, and only when all else is done."""
    store, statements = with_a_secret(path), list[str]()
    with read_by_somebody(path):
        forget(store)
        with closing(connect(path, 0)) as db:
            db.conn.set_trace_callback(statements.append)
            assert not is_off_the_disk(db)
    assert any("PASSIVE" in statement for statement in statements)
    assert not any("TRUNCATE" in statement or "IMMEDIATE" in statement for statement in statements)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert not store.finish_forgetting()
    assert store.finish_forgetting()


def test_who_cannot_look_says_that_something_may_be_pending(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)
    assert SQLiteStore(path).forgetting_is_pending()
    assert not SQLiteStore(path).finish_forgetting()
