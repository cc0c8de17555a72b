"""Whose turn it is to write, and which blocks share a commit."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from ledger.store import StoreBusy, StoreFull
from ledger.store.sqlite import SQLiteStore
from tests.store.contract import FIRST, StoreContract, append, append_next, link, opening, row

pytestmark = pytest.mark.sqlite("its writers take turns")

SESSIONS = [f"session {number}" for number in range(6)]


@pytest.fixture
def store(tmp_path: Path) -> SQLiteStore:
    made = SQLiteStore(tmp_path / "ledger.db")
    made.prepare()
    for session_id in SESSIONS:
        made.open_session(opening(session_id), FIRST, link())
    return made


def started(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def soon(happens: Callable[[], bool]) -> None:
    """Wait until something happens; pytest-timeout sees to it that nobody waits for ever."""
    while not happens():
        time.sleep(0.001)


def queued(store: SQLiteStore, *works: Callable[[], object]) -> list[threading.Thread]:
    """Start threads that write, each when the one before it stands in the queue."""
    writer, threads = store._here.writer, list[threading.Thread]()
    already = len(writer._queue)
    for work in works:
        threads.append(started(work))
        soon(lambda: len(writer._queue) == already + len(threads))
    return threads


def done(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join()


@contextmanager
def watched(store: SQLiteStore) -> Iterator[list[str]]:
    """Note each transaction's beginning and end on the connection that writes."""
    said: list[str] = []
    with store._here.writer.block() as db:
        pass
    db.conn.set_trace_callback(lambda sql: said.append(sql) if sql in {"BEGIN IMMEDIATE", "COMMIT"} else None)
    try:
        yield said
    finally:
        db.conn.set_trace_callback(None)


class FailingOnce:
    """A connection on which a statement fails the first time, because the disk is full; perhaps when it is done."""

    def __init__(self, connection: sqlite3.Connection, *statements: str, when_done: bool = False) -> None:
        self._connection = connection
        self._statements = set(statements)
        self._when_done = when_done

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql in self._statements:
            self._statements.discard(sql)
            if self._when_done:
                self._connection.execute(sql, *parameters)
            full = sqlite3.OperationalError("database or disk is full")
            full.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise full
        return self._connection.execute(sql, *parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def commit_fails(monkeypatch: pytest.MonkeyPatch, db: Database) -> None:
    """Have the next commit fail."""
    monkeypatch.setattr(db, "conn", FailingOnce(db.conn, "COMMIT"))


# --- turns ----------------------------------------------------------------------------------------------------------


def test_threads_write_in_the_order_in_which_they_came(store: SQLiteStore) -> None:
    order: list[int] = []

    def write(number: int) -> None:
        with store.writing(SESSIONS[0]):
            order.append(number)

    with store.writing(SESSIONS[0]):
        threads = queued(store, *(partial(write, number) for number in range(8)))
    done(threads)
    assert order == list(range(8))


def test_a_process_that_has_just_written_finds_the_next_one_before_it(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.sqlite.writer.MOST_TOGETHER", 1)
    other, order = SQLiteStore(store.path), list[str]()

    def write(name: str, by: SQLiteStore) -> None:
        with by.writing(SESSIONS[0]):
            order.append(name)

    with store.writing(SESSIONS[0]):
        waiting = started(lambda: write("the other", other))
        soon(lambda: is_held(store))
        threads = queued(store, *[lambda: write("this one", store)] * 3)
    done([*threads, waiting])
    assert order == ["the other", "this one", "this one", "this one"]


def is_held(store: SQLiteStore) -> bool:
    """Whether somebody else is next."""
    gate, _ = store._here.writer._open or pytest.fail("it has not written yet")
    try:
        with gate.held(0):
            return False
    except StoreBusy:
        return True


def test_who_gives_up_does_not_hold_up_who_waits_behind(store: SQLiteStore) -> None:
    """Whoever waits for a turn that does not come leaves the queue, and those behind move up."""
    own, queue = store._here.writer, Comers()
    own._queue = queue
    with store.writing(SESSIONS[0]):
        own._busy_seconds = 0.2
        impatient = started(lambda: gives_up(store))
        soon(lambda: queue.came == 1)
        own._busy_seconds = 20
        patient = started(lambda: append(store, SESSIONS[1], row(1)))
        soon(lambda: queue.came == 2)
        done([impatient])
        assert len(queue) == 1
    done([patient])
    assert list(store.events(SESSIONS[1])) == [row(1)]


class Comers(deque[Any]):
    """A queue that counts who has come, also those who have gone since."""

    came = 0

    def append(self, place: Any) -> None:
        super().append(place)
        self.came += 1


def gives_up(store: SQLiteStore) -> None:
    with pytest.raises(StoreBusy):
        append(store, SESSIONS[2], row(1))


def test_a_turn_that_could_not_begin_is_passed_on(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, patience_ends = store._here.writer, threading.Event()

    def could_not_begin(_until: float) -> Database:
        monkeypatch.undo()
        patience_ends.wait()
        raise StoreBusy

    monkeypatch.setattr(writer, "_begun", could_not_begin)
    first = started(lambda: gives_up(store))
    soon(lambda: writer._taken)
    patient = queued(store, lambda: append(store, SESSIONS[1], row(1)))
    patience_ends.set()
    done([first, *patient])
    assert list(store.events(SESSIONS[1])) == [row(1)]


def test_threads_that_wait_behind_one_who_waits_for_sqlite_give_up_when_their_own_patience_ends(
    store: SQLiteStore,
) -> None:
    writer = store._here.writer
    with closing(sqlite3.connect(store.path, isolation_level=None)) as hand:
        hand.execute("BEGIN IMMEDIATE")
        writer._busy_seconds = 600
        patient = started(lambda: append(store, SESSIONS[1], row(1)))
        soon(lambda: writer._taken)
        writer._busy_seconds = 0.2
        done([started(lambda: gives_up(store)) for _ in range(5)])
        assert patient.is_alive()
        hand.execute("ROLLBACK")
    done([patient])
    assert list(store.events(SESSIONS[1])) == [row(1)]


# --- sharing a commit -----------------------------------------------------------------------------------------------


def test_blocks_of_several_sessions_share_a_commit_and_none_ends_before_it(store: SQLiteStore) -> None:
    ended: list[str] = []
    seen: list[int] = []

    def write(session_id: str) -> None:
        append_next(store, session_id)
        seen.append(len(list(store.events(session_id))))
        ended.append(session_id)

    with watched(store) as said:
        with store._here.writer.block() as db:
            threads = queued(store, *(partial(write, session_id) for session_id in SESSIONS[1:]))
            db.conn.set_trace_callback(
                lambda sql: said.append(f"{sql} {len(ended)}") if sql in {"BEGIN IMMEDIATE", "COMMIT"} else None
            )
        done(threads)
        assert said == ["BEGIN IMMEDIATE", "COMMIT 0"]
    assert seen == [1] * 5
    for session_id in SESSIONS[1:]:
        StoreContract.is_whole(store, session_id, 1)


def test_a_block_sees_what_those_before_it_in_its_transaction_appended(store: SQLiteStore) -> None:
    with watched(store) as said:
        with store._here.writer.block():
            threads = queued(store, *[lambda: append_next(store, SESSIONS[0])] * 4)
        done(threads)
        assert said == ["BEGIN IMMEDIATE", "COMMIT"]
    StoreContract.is_whole(store, SESSIONS[0], 4)


def refuse(store: SQLiteStore, first: Callable[[Database], None] = lambda _db: None) -> None:
    """Refuse something because of an event that another block has appended."""
    with store.writing(SESSIONS[0]) as log:
        assert log.head.seq == 1
        first(log._db)
        raise ArithmeticError


def record_while(store: SQLiteStore, refusing: Callable[[], None]) -> list[threading.Thread]:
    """Record an event, and have somebody come along meanwhile who is refused because of it."""
    with store.writing(SESSIONS[0]) as log:
        log.append([row(1)], [], {"p1": 1})
        return queued(store, refusing)


def test_what_a_refusal_rests_on_is_kept_before_it_is_said(store: SQLiteStore) -> None:
    kept: list[int] = []

    def is_refused() -> None:
        with pytest.raises(ArithmeticError):
            refuse(store)
        kept.append(len(list(store.events(SESSIONS[0]))))

    done(record_while(store, is_refused))
    assert kept == [1]


def test_a_refusal_is_not_said_if_what_it_rests_on_could_not_be_kept(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[bool] = []

    def cannot_be_told() -> None:
        with pytest.raises(StoreFull):
            refuse(store, lambda db: commit_fails(monkeypatch, db))
        said.append(True)

    with pytest.raises(StoreFull):
        record_while(store, cannot_be_told)
    soon(lambda: bool(said))
    assert list(store.events(SESSIONS[0])) == []


def test_another_process_gets_its_turn_however_many_come_along(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.sqlite.writer.MOST_TOGETHER", 2)
    with watched(store) as said:
        with store._here.writer.block():
            threads = queued(store, *[lambda: append_next(store, SESSIONS[0])] * 4)
        done(threads)
        assert said == ["BEGIN IMMEDIATE", "COMMIT"] * 3
    StoreContract.is_whole(store, SESSIONS[0], 4)


def test_a_block_that_is_alone_shares_its_commit_with_nobody(store: SQLiteStore) -> None:
    def alone() -> None:
        with store.writing(SESSIONS[0], alone=True) as log:
            assert log.head.seq == 1

    with watched(store) as said:
        with store._here.writer.block():
            threads = queued(
                store, lambda: append_next(store, SESSIONS[0]), alone, lambda: append_next(store, SESSIONS[0])
            )
        done(threads)
        assert said == ["BEGIN IMMEDIATE", "COMMIT"] * 3
    StoreContract.is_whole(store, SESSIONS[0], 2)


class Killed(BaseException):
    """What a greenlet is told to end by."""


@pytest.mark.parametrize("when", ["before its turn", "as its turn comes"])
def test_who_is_killed_in_the_queue_holds_nobody_up(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    class KilledWhileWaiting(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            if threading.current_thread().name != "killed":
                return super().wait(timeout)
            if when == "as its turn comes":
                super().wait(timeout)
            raise Killed

    def is_killed() -> None:
        with pytest.raises(Killed), store._here.writer.block():
            pass

    with store._here.writer.block():
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr("ledger.store.sqlite.writer.threading.Event", KilledWhileWaiting)
            killed = threading.Thread(target=is_killed, name="killed", daemon=True)
            killed.start()
            soon(lambda: not killed.is_alive() or len(store._here.writer._queue) == 1)
        threads = [started(lambda: append_next(store, SESSIONS[0]))]
    done([killed, *threads])
    append_next(store, SESSIONS[0])
    StoreContract.is_whole(store, SESSIONS[0], 2)


BLOCK = ("SAVEPOINT block", "RELEASE block")


@pytest.mark.parametrize(
    ("statements", "fails"),
    [
        *((statements, fails) for statements in [*BLOCK, "BEGIN IMMEDIATE"] for fails in ("at once", "when done")),
        *((f"{statement}, ROLLBACK", fails) for statement in [*BLOCK, "COMMIT"] for fails in ("at once", "when done")),
        ("RELEASE block, ROLLBACK TO block", "at once"),
        ("RELEASE block, ROLLBACK TO block, ROLLBACK", "at once"),
    ],
)
def test_what_cannot_be_begun_or_ended_leaves_nothing_and_the_next_can_write(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch, statements: str, fails: str
) -> None:
    with store._here.writer.block() as db:
        pass
    monkeypatch.setattr(db, "conn", FailingOnce(db.conn, *statements.split(", "), when_done=fails == "when done"))
    is_kept = statements.startswith("COMMIT") and fails == "when done"
    with nullcontext() if is_kept else pytest.raises(StoreFull):
        append_next(store, SESSIONS[0])
    assert len(list(store.events(SESSIONS[0]))) == is_kept
    append_next(store, SESSIONS[0])
    StoreContract.is_whole(store, SESSIONS[0], 1 + is_kept)


def test_when_a_block_cannot_be_taken_back_alone_all_that_share_its_commit_raise(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody goes back to a savepoint that was released."""
    fail_together(
        store, lambda db: monkeypatch.setattr(db, "conn", FailingOnce(db.conn, "RELEASE block", when_done=True))
    )


def test_what_raises_and_cannot_be_taken_back_is_told_to_others_as_the_databases_fault(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one was refused says nothing to the others, whose events are not kept all the same."""
    told: list[bool] = []

    def is_refused() -> None:
        with pytest.raises(StoreFull):
            refuse(store, lambda db: monkeypatch.setattr(db, "conn", FailingOnce(db.conn, "ROLLBACK TO block")))
        told.append(True)

    with pytest.raises(StoreFull):
        record_while(store, is_refused)
    soon(lambda: bool(told))
    assert list(store.events(SESSIONS[0])) == []
    append_next(store, SESSIONS[0])


def test_a_commit_whose_answer_was_lost_is_looked_after(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of write that is on the disk was done, whatever COMMIT said."""
    with store._here.writer.block() as db:
        pass
    wrapped = db.conn

    def lost() -> None:
        monkeypatch.setattr(db, "conn", FailingOnce(wrapped, "COMMIT", when_done=True))

    lost()
    store.open_session(opening("another"), FIRST, link())
    lost()
    store.add_link("another", link(2))
    lost()
    assert store.revoke_link("another", "link2", "2026-11-22T00:00:00Z")
    lost()
    assert store.delete_session("another")
    assert store.session("another") is None


def test_what_another_process_reported_in_the_same_words_is_not_taken_for_ours(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The COMMIT fails and leaves nothing, and before anybody looks, another process has recorded the same event."""
    other = SQLiteStore(store.path)
    with store._here.writer.block() as db:
        pass
    wrapped = db.conn

    class Failing(FailingOnce):
        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            if sql == "COMMIT" and sql in self._statements:
                wrapped.execute("ROLLBACK")
                append_next(other, SESSIONS[0])
            return super().execute(sql, *parameters)

    monkeypatch.setattr(db, "conn", Failing(wrapped, "COMMIT"))
    with pytest.raises(StoreFull):
        append_next(store, SESSIONS[0])
    append_next(store, SESSIONS[0])
    StoreContract.is_whole(store, SESSIONS[0], 2)
    other.close()


def test_a_commit_is_looked_after_also_if_one_of_its_blocks_wrote_nothing(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says nothing of the others that there is no trace of it."""

    def writes_nothing() -> None:
        with store.writing(SESSIONS[1]) as log:
            monkeypatch.setattr(log._db, "conn", FailingOnce(log._db.conn, "COMMIT", when_done=True))

    done(record_while(store, writes_nothing))
    assert list(store.events(SESSIONS[0])) == [row(1)]


def test_a_commit_that_nobody_can_look_after_was_too_busy(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(_db: Database, *_link: str) -> bool:
        raise sqlite3.OperationalError

    monkeypatch.setattr("ledger.store.sqlite.store.is_alive", looked)
    with store._here.writer.block() as db:
        pass
    monkeypatch.setattr(db, "conn", FailingOnce(db.conn, "COMMIT", when_done=True))
    with pytest.raises(StoreBusy):
        store.add_link(SESSIONS[0], link(2))
    append_next(store, SESSIONS[0])


def test_a_moment_that_could_not_end_does_not_last(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that stays at a moment would show everybody the past."""
    for recorded, (statement, when_done) in enumerate([("BEGIN", True), ("ROLLBACK", False), ("ROLLBACK", True)]):
        with store._here.reading() as db:
            pass
        with monkeypatch.context() as patch:
            patch.setattr(db, "conn", FailingOnce(db.conn, statement, when_done=when_done))
            with suppress(StoreFull), store.at_one_moment():
                assert len(list(store.events(SESSIONS[0]))) == recorded
        append_next(store, SESSIONS[0])
        assert len(list(store.events(SESSIONS[0]))) == recorded + 1


def test_a_block_that_raises_leaves_those_it_shares_a_commit_with(store: SQLiteStore) -> None:
    def fail(session_id: str) -> None:
        with suppress(ArithmeticError), store.writing(session_id) as log:
            log.append([row(1)], [], {"p1": 1})
            raise ArithmeticError

    with watched(store) as said:
        with store._here.writer.block():
            threads = queued(
                store,
                lambda: append_next(store, SESSIONS[1]),
                lambda: fail(SESSIONS[2]),
                lambda: append_next(store, SESSIONS[3]),
                lambda: fail(SESSIONS[4]),
            )
        done(threads)
        assert said == ["BEGIN IMMEDIATE", "COMMIT"]
    for number, events in enumerate([0, 1, 0, 1, 0]):
        assert len(list(store.events(SESSIONS[number]))) == events


def fail_together(
    store: SQLiteStore,
    spoil: Callable[[Database], None],
    raised_by_all: type[Exception] = StoreFull,
    says: str | None = None,
) -> None:
    """Let three blocks share a commit, spoil the last, and make sure that all of them raise and nothing is kept."""
    raised: list[str] = []
    threads: list[threading.Thread] = []

    def write(session_id: str, then: Callable[[Database], None]) -> None:
        with store.writing(session_id) as log:
            log.append([row(1)], [], {"p1": 1})
            then(log._db)

    def fail(session_id: str, then: Callable[[Database], None]) -> None:
        with pytest.raises(raised_by_all, match=says):
            write(session_id, then)
        raised.append(session_id)

    def let_others_follow(_db: Database) -> None:
        threads.extend(queued(store, lambda: fail(SESSIONS[1], lambda _db: None), lambda: fail(SESSIONS[2], spoil)))

    fail(SESSIONS[0], let_others_follow)
    done(threads)
    assert sorted(raised) == SESSIONS[:3]
    assert [len(list(store.events(session_id))) for session_id in SESSIONS] == [0] * 6
    for session_id in SESSIONS:
        append_next(store, session_id)


def test_when_a_commit_fails_all_of_its_blocks_raise(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_together(store, lambda db: commit_fails(monkeypatch, db))


@pytest.mark.parametrize("why", [StoreFull("no room"), sqlite3.OperationalError("interrupted")], ids=repr)
def test_when_sqlite_gives_a_transaction_up_all_of_its_blocks_raise(store: SQLiteStore, why: Exception) -> None:
    def spoil(db: Database) -> None:
        db.execute("ROLLBACK")
        raise why

    fail_together(store, spoil, type(why), str(why))


def test_nobody_comes_along_any_more_once_a_transaction_is_given_up(store: SQLiteStore) -> None:
    written: list[str] = []
    threads: list[threading.Thread] = []

    def write() -> None:
        append_next(store, SESSIONS[1])
        written.append(SESSIONS[1])

    def fail() -> None:
        with store.writing(SESSIONS[0]) as log:
            threads.extend(queued(store, write))
            log._db.execute("ROLLBACK")
            raise StoreFull

    with pytest.raises(StoreFull):
        fail()
    done(threads)
    assert written == [SESSIONS[1]]
    StoreContract.is_whole(store, SESSIONS[1], 1)
