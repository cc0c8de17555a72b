"""The connections of one process: some for reading, lent to one thread at a time, and one that writes."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlite_utils import Database

from ledger.store import DatabaseExchanged
from ledger.store.sqlite.forgetting import is_cut_off, is_off_the_disk
from ledger.store.sqlite.identity import Identity
from ledger.store.sqlite.news import News
from ledger.store.sqlite.sums import teach
from ledger.store.sqlite.troubles import raise_translated
from ledger.store.sqlite.writer import Writer, is_free


class Connections:
    """What one process has: connections for reading, lent to one thread at a time, and its writer."""

    def __init__(self, path: Path, named: Path, busy_seconds: float) -> None:
        self.pid = os.getpid()
        self.identity = Identity(path, named, self._brings_the_wal_home)
        self.writer = Writer(path, lambda: self._opened(0), busy_seconds, self.identity)
        self.news = News(self.reading)
        self._path = path
        self._busy_seconds = busy_seconds
        self._idle: deque[Database] = deque()
        self._anchor: Database | None = None
        self._mutex = threading.Lock()
        self._lent: set[Database] = set()
        self._of_this_thread = threading.local()

    @property
    def are_open(self) -> bool:
        """Whether there are any."""
        return bool(self._anchor or self._idle or self._lent or self.writer.is_open)

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """Lend a connection. It comes back without a transaction, or what it reads would stand still for ever."""
        lent: Database | None = getattr(self._of_this_thread, "moment", None)
        try:
            if lent is not None:
                yield lent
                return
            self.identity.check()
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._opened(self._busy_seconds)
            self._lent.add(db)
            try:
                yield db
            finally:
                self._lent.discard(db)
                if is_free(db):
                    self._idle.append(db)
        except sqlite3.DatabaseError as error:
            raise_translated(error, self._path)

    def _opened(self, busy_seconds: float) -> Database:
        """Open a connection to the very file that this process works with. Raises DatabaseExchanged.

        The first comes with another, which stays open until all are closed: SQLite removes the files beside a database
        when the last process closes its last connection, and so they stay the same as long as this process works.
        """
        self.identity.check()
        with self._mutex:
            if self._anchor is None:
                self._anchor = self._anchored()
        db = connect(self._path, busy_seconds)
        try:
            self.identity.check()
        except DatabaseExchanged:
            db.close()
            raise
        return db

    def _anchored(self) -> Database:
        """Open the connection that is never lent. It reads once: from then on SQLite has its files beside it."""
        anchor = connect(self._path, self._busy_seconds)
        try:
            anchor.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            anchor.close()
            raise
        self.identity.is_open()
        return anchor

    def _brings_the_wal_home(self) -> bool:
        """Bring the write-ahead log into a file that is the database no more, so that this is whole wherever it is now.

        What was left in the log would be taken for the new database's, beside which it lies. False if somebody reads.
        """
        try:
            db = self._idle.pop()
        except IndexError:
            return False
        try:
            db.conn.execute("PRAGMA busy_timeout = 0")
            return is_cut_off(db)
        except sqlite3.Error:
            return False
        finally:
            self._idle.append(db)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Lend this thread the same connection again and again, in one transaction."""
        with self.reading() as db:
            db.execute("BEGIN")
            self._of_this_thread.moment = db
            try:
                yield
            finally:
                self._of_this_thread.moment = None

    def forget_for_good(self) -> bool:
        """Try to bring what was forgotten off the disk; False if somebody is in the way."""
        try:
            with closing(self._opened(0)) as db:
                return is_off_the_disk(db)
        except sqlite3.DatabaseError as error:
            raise_translated(error, self._path)

    def close(self) -> None:
        """Close them, unless they are another process's."""
        if self.pid == os.getpid():
            if self._idle:
                with suppress(DatabaseExchanged):
                    self.identity.check()
            while self._idle:
                self._idle.pop().close()
            self.writer.close()
            if self._anchor is not None:
                self._anchor.close()
                self._anchor = None
            self.identity.forget()


class StrictDatabase(Database):
    """A database of which it is known that it has STRICT tables.

    sqlite-utils finds out by making one, and takes whatever fails then for a no, also what ends the transaction
    in which the schema is made, of which some would then stay.
    """

    @property
    def supports_strict(self) -> bool:
        """Say yes, as of SQLite 3.37 and later."""
        return sqlite3.sqlite_version_info >= (3, 37)


def connect(path: Path, busy_seconds: float) -> Database:
    """Open a connection that one thread at a time may use."""
    # mode=rw: what is not there is not made, least of all while somebody puts another file in its place
    file = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(file, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {pragma}")
        teach(connection)
        return StrictDatabase(connection, strict=True)
    except sqlite3.Error:
        connection.close()
        raise
