"""The one connection of a process that writes, and whose turn it is.

SQLite lets one write at a time, but not in turn: who finds it busy sleeps and asks again, ever more rarely, while a
process that has just written asks at once and is in again. So writers queue here before they ask SQLite, twice:

* Threads queue in the order in which they came.
* The first of them queues for its process at a lock on a file beside the database. Who holds that lock is next, and
  lets go of it when its transaction has begun. A process that has just written thus finds the next one before it.

Threads that waited meanwhile come along: their blocks share one transaction, each in a savepoint of its own, and all of
them end when it is committed, so they wait for the disk once. A block sees what those before it have written, also of
its own session. Therefore none of them ends before that is safe on the disk, however it ends: what a refusal rests on
has been kept by then, and if it could not be kept, the block raises why.

What raises is taken back, also when SQLite had done it and only failed to say so. A block that cannot be taken back
alone takes its whole transaction along; a COMMIT that raises is looked after, for what it was to keep may be on the
disk all the same; if it was not kept, what it left in the write-ahead log is overwritten, or the next start after a
kill would find it there; and a connection that cannot be freed of its transaction is closed, which ends that, too.
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
from functools import partial
from pathlib import Path

from sqlite_utils import Database

from ledger.budget import give_way
from ledger.meters import COMMIT_SECONDS, COMMIT_WRITES
from ledger.store import DatabaseExchanged, DatabaseUnusable, StoreBusy, StoreFull, StoreTrouble
from ledger.store.sqlite.identity import Identity
from ledger.store.sqlite.troubles import is_busy, is_for_want_of_room, no_room_for, raise_translated

POLL_SECONDS = 0.0005
"""How long the one thread of a process that asks for the lock or for SQLite sleeps before it asks again."""

MOST_TOGETHER = 64
"""How many blocks may share a transaction before another process gets its turn."""


class Gate:
    """The lock on a file beside the database that one process at a time can hold."""

    def __init__(self, database: Path) -> None:
        try:
            self._file = os.open(f"{database}-lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if is_for_want_of_room(error, database):
                raise StoreFull(no_room_for(database)) from error
            why = f"{error.filename} cannot be opened ({error.strerror}): let whoever uses the database read it"
            raise DatabaseUnusable(why) from error
        with suppress(OSError):  # root may have been the first to come, and who may use the database has to get in, too
            owner = database.stat()
            os.fchmod(self._file, owner.st_mode & 0o666)
            os.fchown(self._file, owner.st_uid, owner.st_gid)

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


IsKept = Callable[[Database], bool]
"""Says whether what a block wrote lies in the database; not so, if it wrote nothing."""


def leaves_no_trace(_db: Database) -> bool:
    """Be taken for lost if that is in doubt, as what may as well be written once more."""
    return False


class _Group:
    """Blocks that share a transaction. If it failed, `trouble` says how, and nothing is left of any of them."""

    def __init__(self, db: Database, most: int, identity: Identity, database: Path) -> None:
        self.db = db
        self._database = database
        self._identity = identity
        self.blocks = 0
        self.most = most
        self.trouble: BaseException | None = None
        self.has_left_frames = False
        self.over = threading.Event()
        self._traces: list[IsKept] = []

    @contextmanager
    def savepoint(self, is_kept: IsKept) -> Iterator[None]:
        """Keep what one block writes, or nothing of it if it raises."""
        try:
            try:
                self.db.conn.execute("SAVEPOINT block")
                yield
                self.db.conn.execute("RELEASE block")
            except sqlite3.DatabaseError as error:
                raise_translated(error, self._database)
        except BaseException as error:
            self._take_back(error)
            raise
        self._traces.append(is_kept)

    def _take_back(self, error: BaseException) -> None:
        """Take back what a block wrote that raised this, or else give all blocks up, and say why.

        Whatever raised may have had its effect before: a savepoint that was released is not there to go back to.
        """
        try:
            try:
                self.db.conn.execute("ROLLBACK TO block")
                self.db.conn.execute("RELEASE block")
            except sqlite3.DatabaseError as left:
                raise_translated(left, self._database)
        except BaseException as left:  # noqa: BLE001 - every block of the group raises it
            self.trouble = error if isinstance(error, (StoreTrouble, sqlite3.Error)) else left
        if isinstance(error, DatabaseExchanged):  # what others have written rests on a log that is not there
            self.trouble = error

    def end(self) -> None:
        """Put all of it on the disk. What could not be put there is still to be rolled back."""
        if self.trouble is None:
            began = time.perf_counter()
            try:
                try:
                    self.db.conn.execute("COMMIT")
                except sqlite3.DatabaseError as error:
                    raise_translated(error, self._database)
            except Exception as error:  # noqa: BLE001 - every block of the group raises it
                self.trouble = self._unless_kept(error)
                self.has_left_frames = self.trouble is not None
            except BaseException as error:  # noqa: BLE001 - it is time to stop, and nobody is answered
                self.trouble = error
            if self.trouble is None:
                COMMIT_SECONDS.saw(time.perf_counter() - began)
                COMMIT_WRITES.saw(self.blocks)
        try:
            self._identity.check()  # what was kept in a file that is not the database any more is not acknowledged
        except DatabaseExchanged as error:
            self.trouble = error

    def _unless_kept(self, error: Exception) -> Exception | None:
        """Give what a COMMIT raised, unless all was kept. Who cannot even look says that it is busy."""
        if self.db.conn.in_transaction:
            return error
        try:
            return None if any(is_kept(self.db) for is_kept in self._traces) else error
        except sqlite3.Error:
            return StoreBusy()


class Writer:
    """A process's way to write. Its connection is opened when it is first needed."""

    def __init__(
        self, database: Path, connect: Callable[[], Database], busy_seconds: float, identity: Identity
    ) -> None:
        self._identity = identity
        self._database = database
        self._connect = connect
        self._busy_seconds = busy_seconds
        self._open: tuple[Gate, Database] | None = None
        self._mutex = threading.Lock()
        self._taken = False
        self._queue: deque[threading.Event] = deque()
        self._group: _Group | None = None

    @contextmanager
    def block(
        self, is_kept: IsKept = leaves_no_trace, *, alone: bool = False, patient: bool = True
    ) -> Iterator[Database]:
        """Write: kept when the block ends, or not at all if it raises. Raises StoreBusy, StoreFull.

        A block that is alone shares its transaction with no other, one that is not patient waits for nobody. `is_kept`
        is asked if a COMMIT leaves that in doubt.
        """
        group = self._enter(self._busy_seconds if patient else 0, alone=alone)
        try:
            with group.savepoint(is_kept):
                yield group.db
        finally:
            self._leave(group)
            if group.trouble is not None:
                raise type(group.trouble)(*group.trouble.args) from group.trouble

    def _enter(self, seconds: float, *, alone: bool) -> _Group:
        """Wait for this thread's turn; begin a transaction, or join the one that is going on."""
        until = time.monotonic() + seconds
        called = threading.Event()
        with self._mutex:
            if self._taken:
                self._queue.append(called)
            else:
                self._taken = True
                called.set()
        try:
            is_called = called.wait(until - time.monotonic())
        except BaseException:
            if not self._left_the_queue(called):
                self._pass_on()
            raise
        if not is_called and self._left_the_queue(called):
            raise StoreBusy
        try:
            if alone and self._group is not None:
                self._end(self._group)
            most = 1 if alone else MOST_TOGETHER
            self._group = self._group or _Group(self._begun(until), most, self._identity, self._database)
        except BaseException:
            self._pass_on()
            raise
        self._group.blocks += 1
        return self._group

    def _left_the_queue(self, called: threading.Event) -> bool:
        """Wait no longer; False if it is our turn already."""
        with self._mutex:
            if called.is_set():
                return False
            self._queue.remove(called)
            return True

    def _pass_on(self) -> None:
        """Make nothing of one's turn."""
        if self._group is not None:
            self._leave(self._group)
        else:
            self._call_next()

    def _begun(self, until: float) -> Database:
        """Begin a transaction as soon as it is this process's turn; who is about to write may come along."""
        give_way()
        self._identity.check()
        try:
            gate, db = self._open = self._open or self._opened()
            try:
                with gate.held(until):
                    wait_for(partial(has_begun, db), until)
                self._identity.check()
            except BaseException:
                if not is_free(db):
                    self.close()
                raise
        except sqlite3.DatabaseError as error:
            raise_translated(error, self._database)
        return db

    def _opened(self) -> tuple[Gate, Database]:
        db = self._connect()
        try:
            return Gate(self._database), db
        except StoreTrouble:
            db.close()
            raise

    def _leave(self, group: _Group) -> None:
        """Let the next in the queue come along and wait until all is on the disk, or see to it oneself."""
        with self._mutex:
            joined = bool(self._queue) and group.blocks < group.most and group.trouble is None
            if joined:
                self._queue.popleft().set()
        if joined:
            group.over.wait()
            return
        try:
            self._end(group)
        finally:
            self._call_next()

    def _end(self, group: _Group) -> None:
        """End a transaction, and with it all blocks that share it."""
        try:
            group.end()
        finally:
            if not is_free(group.db):
                self.close()  # the next to write opens another connection
            if group.has_left_frames and self._open is not None:
                overwrite_frames(group.db)
                if not is_free(group.db):
                    self.close()
            self._group = None
            group.over.set()

    def _call_next(self) -> None:
        with self._mutex:
            if self._queue:
                self._queue.popleft().set()
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
        db.conn.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if is_busy(error):
            return False
        raise
    return True


def overwrite_frames(db: Database) -> None:
    """Write a transaction that changes nothing over what one left in the write-ahead log whose COMMIT has failed.

    That one's pages lie there with a valid end when only the disk's sync has failed, behind where the log ends for all
    processes; only a restart would take them for committed. If another process is writing, it overwrites them.
    """
    mark = os.urandom(16)
    with suppress(sqlite3.Error):
        db.conn.execute("BEGIN IMMEDIATE")
        db.conn.execute("INSERT INTO forgetting (mark) VALUES (?)", [mark])
        db.conn.execute("DELETE FROM forgetting WHERE mark = ?", [mark])
        db.conn.execute("COMMIT")


def is_free(db: Database) -> bool:
    """Let a connection be in no transaction, or else close it, which ends that, too."""
    if db.conn.in_transaction:
        with suppress(sqlite3.Error):
            db.conn.execute("ROLLBACK")
    if db.conn.in_transaction:
        db.close()
        return False
    return True
