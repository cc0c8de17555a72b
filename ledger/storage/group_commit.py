"""Group commit: writers of a process that wait at the same time share one transaction, and so one fsync.

A writer takes the turn, begins a transaction unless one is open, and runs in a savepoint of its own. If others wait by
then, it passes the turn on and waits for the commit; the last one commits for all, and a failed commit fails for all.
A refused writer (its block raises) waits as well, since its refusal may rest on what another one wrote; then it gets
its refusal, even if the commit has failed.

SQLite's busy handler is unfair between processes: of two that write all the time, one got 630 commits and the other 16.
So a process holds a lock file while it begins a transaction. After a commit, the next process is waiting there.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sqlite_utils import Database

from ledger.cooperation import PAUSE_SECONDS
from ledger.serving.metrics import COMMIT_SECONDS, COMMIT_WRITES
from ledger.storage.errors import StoreBusy

POLL_SECONDS = 0.0005
"""How long a writer sleeps between two attempts while another process is in the way."""

MAX_WRITERS = 64
"""How many writers may share a transaction, before another process gets its turn."""

WasCommitted = Callable[[Database], bool]
"""Checks on another connection whether a transaction is committed whose COMMIT has failed."""


class Group:
    """The writers that share a transaction; `error` says why none of it was committed."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.size = 0
        self.checks: list[WasCommitted] = []
        self.error: Exception | None = None
        self.over = threading.Event()


class GroupCommit:
    """The one connection of a process that writes, opened at the first write."""

    def __init__(self, connect: Callable[[], Database], lock_file: Path, busy_seconds: float) -> None:
        self._connect = connect
        self._lock_file = lock_file
        self._busy_seconds = busy_seconds
        self._db: Database | None = None
        self._group: Group | None = None
        self._turn = threading.Lock()
        self._mutex = threading.Lock()
        self._waiting = 0

    @contextmanager
    def transaction(self, was_committed: WasCommitted) -> Iterator[Database]:
        """Write: committed when the block ends, or not at all if it raises. Raises StoreBusy and SQLite's errors."""
        group = self._join()
        try:
            with group.db.atomic():
                yield group.db
            group.checks.append(was_committed)
        except sqlite3.Error as error:
            if not group.db.conn.in_transaction:  # some errors end the whole transaction
                group.error = error
            raise
        finally:
            self._leave(group)
        if group.error is not None:
            raise group.error

    def _join(self) -> Group:
        """Wait for the turn; begin a transaction, or join the one that is open."""
        deadline = time.monotonic() + self._busy_seconds
        with self._mutex:
            self._waiting += 1
        try:
            self._turn.acquire()
        except BaseException:  # this greenlet is ended, and the turn may have been passed on to it
            if self._turn.acquire(blocking=False):
                self._commit(self._group)
            raise
        finally:
            with self._mutex:
                self._waiting -= 1
        try:
            group = self._group = self._group or Group(self._begin(deadline))
        except BaseException:
            self._turn.release()
            raise
        group.size += 1
        return group

    def _begin(self, deadline: float) -> Database:
        """Begin a transaction when it is this process's turn."""
        time.sleep(PAUSE_SECONDS)  # writers that are about to wait can join the group
        db = self._db = self._db or self._connect()
        with locked(self._lock_file, deadline):
            retry_until(deadline, partial(db.conn.execute, "BEGIN IMMEDIATE"))
        return db

    def _leave(self, group: Group) -> None:
        """Pass the turn on and wait for the commit, or make it."""
        if self._waiting and group.size < MAX_WRITERS and group.db.conn.in_transaction:
            self._turn.release()
            group.over.wait()  # no timeout: in gevent 26.9 an Event that is set just then loses some of its waiters
            return
        self._commit(group)

    def _commit(self, group: Group | None) -> None:
        """Commit for all writers of the group, if one is open, and release the turn."""
        try:
            if group is not None:
                self._end(group)
        finally:
            self._turn.release()

    def _end(self, group: Group) -> None:
        began = time.perf_counter()
        try:
            if group.error is None:
                group.db.conn.execute("COMMIT")
                COMMIT_SECONDS.observe(time.perf_counter() - began)
                COMMIT_WRITES.observe(group.size)
        except sqlite3.Error as error:
            self.close()  # which rolls back what is not committed
            group.error = StoreBusy()  # if the check does not come to an end
            group.error = self._unless_committed(group, error)
        finally:
            self._group = None
            group.over.set()

    def _unless_committed(self, group: Group, error: Exception) -> Exception | None:
        """Check once whether a failed COMMIT has committed after all; StoreBusy if that cannot be known."""
        try:
            db = self._db = self._connect()
            return None if any(is_kept(db) for is_kept in group.checks) else error
        except sqlite3.Error:
            return StoreBusy()

    def close(self) -> None:
        """Close the connection."""
        if self._db is not None:
            db, self._db = self._db, None
            with suppress(sqlite3.Error):
                db.close()


@contextmanager
def locked(lock_file: Path, deadline: float) -> Iterator[None]:
    """Hold a lock file, made if missing. Raises StoreBusy at the deadline (monotonic seconds)."""
    file = os.open(lock_file, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        retry_until(deadline, partial(fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB))
        yield
    finally:
        os.close(file)  # which releases the lock


def retry_until(deadline: float, attempt: Callable[[], object]) -> None:
    """Repeat an attempt while another process is in the way. Raises StoreBusy at the deadline (monotonic seconds)."""
    while True:
        try:
            attempt()
        except BlockingIOError:
            pass
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        else:
            return
        if time.monotonic() >= deadline:
            raise StoreBusy
        time.sleep(POLL_SECONDS)
