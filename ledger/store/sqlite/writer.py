"""The one connection of a process that writes, and whose turn it is.

SQLite lets one write at a time, but not in turn: who finds it busy sleeps and asks again, ever more rarely, while a
process that has just written asks at once and is in again. So writers queue here before they ask SQLite, twice:

* Threads queue in the order in which they came.
* The first of them queues for its process at a lock on a file beside the database. Who holds that lock is next, and
  lets go of it when its transaction has begun. A process that has just written thus finds the next one before it.

Threads that waited meanwhile come along: blocks of several sessions share one transaction, each in a savepoint of its
own, and all of them end when it is committed, so they wait for the disk once. Two blocks of one session never share
one: whatever a block can read of its session is safe on the disk.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from ledger.store import StoreBusy, StoreFull

POLL_SECONDS = 0.0005
"""How long the one thread of a process that asks for the lock or for SQLite sleeps before it asks again."""


class Gate:
    """The lock on a file beside the database that one process at a time can hold."""

    def __init__(self, database: Path) -> None:
        # Flocks need no right to write, and root may have been the first to come.
        self._file = os.open(f"{database}-lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)

    @contextmanager
    def held(self, until: float) -> Iterator[None]:
        """Hold the lock; wait for it until some time on the monotonic clock. Raises StoreBusy."""
        wait_for(self._is_ours, until)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _is_ours(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


class _Place:
    """A thread's place in the queue."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.called = threading.Event()


class _Group:
    """Blocks that share a transaction. If it failed, `trouble` says how, and nothing is left of any of them."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.sessions: set[str] = set()
        self.trouble: BaseException | None = None
        self.over = threading.Event()

    def commit(self) -> None:
        """Put all of it on the disk, or nothing."""
        try:
            with trouble_named():
                self.db.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - every block of the group raises it
            self.trouble = error
            if self.db.conn.in_transaction:
                self.db.execute("ROLLBACK")


class Writer:
    """A process's way to write. Its connection is opened when it is first needed."""

    def __init__(self, database: Path, connect: Callable[[], Database], busy_seconds: float) -> None:
        self._database = database
        self._connect = connect
        self._busy_seconds = busy_seconds
        self._open: tuple[Gate, Database] | None = None
        self._mutex = threading.Lock()
        self._taken = False
        self._queue: deque[_Place] = deque()
        self._group: _Group | None = None

    @contextmanager
    def block(self, session_id: str) -> Iterator[Database]:
        """Write about a session: kept when the block ends, or not at all if it raises. Raises StoreBusy, StoreFull."""
        group = self._enter(session_id)
        try:
            with trouble_named(), group.db.atomic():
                yield group.db
        except BaseException as error:
            if not group.db.conn.in_transaction:  # SQLite has given up the others' blocks with this one
                group.trouble = error
            raise
        finally:
            self._leave(group)
        if group.trouble is not None:
            raise type(group.trouble)(*group.trouble.args) from group.trouble

    def _enter(self, session_id: str) -> _Group:
        """Wait for this thread's turn; begin a transaction, or join the one that is going on."""
        until = time.monotonic() + self._busy_seconds
        place = _Place(session_id)
        with self._mutex:
            if self._taken:
                self._queue.append(place)
            else:
                self._taken = True
                place.called.set()
        if not place.called.wait(until - time.monotonic()):
            with self._mutex:
                if not place.called.is_set():
                    self._queue.remove(place)
                    raise StoreBusy
        if self._group is None:
            try:
                self._group = _Group(self._begun(until))
            except BaseException:
                self._call_next()
                raise
        self._group.sessions.add(session_id)
        return self._group

    def _begun(self, until: float) -> Database:
        """Begin a transaction as soon as it is this process's turn."""
        gate, db = self._open = self._open or self._opened()
        with gate.held(until), trouble_named():
            wait_for(lambda: has_begun(db), until)
        return db

    def _opened(self) -> tuple[Gate, Database]:
        db = self._connect()
        try:
            return Gate(self._database), db
        except OSError:
            db.close()
            raise

    def _leave(self, group: _Group) -> None:
        """Let the next in the queue come along and wait until all is on the disk, or see to it oneself."""
        with self._mutex:
            joined = bool(self._queue) and self._queue[0].session_id not in group.sessions and group.trouble is None
            if joined:
                self._queue.popleft().called.set()
        if joined:
            group.over.wait()
            return
        try:
            if group.trouble is None:
                group.commit()
        finally:
            self._group = None
            group.over.set()
            self._call_next()

    def _call_next(self) -> None:
        with self._mutex:
            if self._queue:
                self._queue.popleft().called.set()
            else:
                self._taken = False

    @property
    def is_open(self) -> bool:
        """Whether it has a connection."""
        return self._open is not None

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            gate, db = self._open
            self._open = None
            db.close()
            gate.close()


def wait_for(happens: Callable[[], bool], until: float) -> None:
    """Ask for something until it happens. Raises StoreBusy if it has not by some time on the monotonic clock."""
    while not happens():
        if time.monotonic() >= until:
            raise StoreBusy
        time.sleep(POLL_SECONDS)


def has_begun(db: Database) -> bool:
    """Begin a transaction, unless another process is at it."""
    try:
        db.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if is_busy(error):
            return False
        raise
    return True


@contextmanager
def trouble_named() -> Iterator[None]:
    """Give SQLite's busy and full the names that the house knows."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if is_busy(error):
            raise StoreBusy from error
        if primary_code(error) == sqlite3.SQLITE_FULL:
            raise StoreFull from error
        raise


def is_busy(error: sqlite3.OperationalError) -> bool:
    """Say whether SQLite only asks for patience."""
    return primary_code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def primary_code(error: sqlite3.OperationalError) -> int:
    """Give SQLite's code for a kind of error, 0 if the error is not SQLite's own."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
