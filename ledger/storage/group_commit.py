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
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
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


@dataclass
class Group:
    """The writers that share a transaction; `error` says why none of it was committed."""

    db: Database
    size: int = 0
    checks: list[WasCommitted] = field(default_factory=list)
    error: Exception | None = None
    over: threading.Event = field(default_factory=threading.Event)


class GroupCommit:
    """The one connection of a process that writes, opened at the first write."""

    def __init__(self, connect: Callable[[], Database], lock_file: Path, busy_seconds: float) -> None:
        self._connect = connect
        self._lock_file = lock_file
        self._busy_seconds = busy_seconds
        self._db: Database | None = None
        self._group: Group | None = None
        self._turn = threading.Lock()  # its holder alone uses `_db` and `_group`
        self._waiting = deque[None]()  # one for each writer that waits for the turn; append and pop are atomic

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
        self._waiting.append(None)
        try:
            self._turn.acquire()
        except BaseException:  # this greenlet is ended, and the turn may have been passed on to it
            if self._turn.acquire(blocking=False):
                self._commit()
            raise
        finally:
            self._waiting.pop()
        try:
            if self._group is None:
                time.sleep(PAUSE_SECONDS)  # writers that are about to wait can join the group
                db = self._db = self._db or self._connect()
                with locked(self._lock_file, deadline):
                    retry_until(deadline, partial(db.conn.execute, "BEGIN IMMEDIATE"))
                self._group = Group(db)
        except BaseException:
            self._turn.release()
            raise
        self._group.size += 1
        return self._group

    def _leave(self, group: Group) -> None:
        """Pass the turn on and wait for the commit, or make it."""
        if self._waiting and group.size < MAX_WRITERS and group.db.conn.in_transaction:
            self._turn.release()
            group.over.wait()  # no timeout: in gevent 26.9 an Event that is set just then loses some of its waiters
            return
        self._commit()

    def _commit(self) -> None:
        """Commit for all writers of the open group, if there is one, and release the turn."""
        group, self._group, began = self._group, None, time.perf_counter()
        if group is None:
            self._turn.release()
            return
        try:
            if group.error is None:
                group.db.conn.execute("COMMIT")
                COMMIT_SECONDS.observe(time.perf_counter() - began)
                COMMIT_WRITES.observe(group.size)
        except sqlite3.Error as error:
            self.close()  # which rolls back what is not committed
            group.error = StoreBusy()  # unless a check finds out whether it has committed after all
            with suppress(sqlite3.Error):
                db = self._db = self._connect()
                group.error = None if any(was_committed(db) for was_committed in group.checks) else error
        finally:
            group.over.set()
            self._turn.release()

    def close(self) -> None:
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
