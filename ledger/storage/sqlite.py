"""SQLite, through sqlite-utils: one file, in write-ahead mode, synced to the disk at every commit."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import stat
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlite_utils import Database, Migrations

from ledger.cooperation import yielding
from ledger.storage.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnavailable
from ledger.storage.group_commit import GroupCommit, locked
from ledger.storage.schema import BALANCES, MIGRATIONS, TABLES, refuse_newer
from ledger.storage.store import HEAD, Query, Row, Store, WasCommitted
from ledger.storage.stored import ORPHAN, Condition, Damage

APPLICATION_ID = 0x46756461
"""Stands in the header of every database of this service: "Fuda"."""

MANY, WRITE_SLICE_SECONDS = 100, 0.02
"""How long an insert of many rows computes before other requests run. Other writers wait for it, so it is no usual
2 ms: beside eight requests that compute, an import of 19,000 events held them up for 1.7 s."""

PENDING_BYTE, LOCK_BYTES = 0x40000000, 512
"""The bytes that every connection to a database locks, by SQLite's file format."""

MIN_FREE_BYTES = 64 * 1024
"""With less free space than this SQLite cannot open a database, and calls that an I/O error."""

MAGIC = b"SQLite format 3\0"

ANOTHER = "set LEDGER_DATABASE to another file"
A_BACKUP = f"put a backup in its place (`fuda-ledger restore … --force`), or {ANOTHER}"
A_RIGHT = f"let the user that the service runs as write the file and in its folder, or {ANOTHER}"

migrations = Migrations("fuda-ledger")


@migrations(name=MIGRATIONS[0])
def m001_sessions(db: Database) -> None:
    for name, table in TABLES.items():
        made = db.table(name).create(
            dict(table.columns),
            pk=table.key if len(table.key) > 1 else table.key[0],
            not_null=set(table.columns) - table.nullable - set(table.key),
            foreign_keys=[("session_id", "sessions", "id")] if table.session == "session_id" else [],
        )
        for columns in table.unique:
            made.create_index(columns, unique=True)
    db.create_view("balances", BALANCES)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def query(db: Database, statement: str, **parameters: Any) -> list[Row]:
    return db.execute(statement, parameters).fetchall()


class SQLiteConnection:
    """A connection within a transaction."""

    def __init__(self, db: Database, session_id: str | None) -> None:
        self.db = db
        self.query = partial(query, db)
        self.head = next(iter(self.query(HEAD, id=session_id)), None) if session_id else None

    def execute(self, statement: str, **parameters: Any) -> None:
        self.db.execute(statement, parameters)

    def insert(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        if rows:  # `insert_all` looks its columns up every time: an event takes 0.46 ms with it, and 0.34 without
            statement = f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(rows[0]))})"
            self.db.conn.executemany(statement, rows if len(rows) < MANY else yielding(rows, WRITE_SLICE_SECONDS))


class SQLite:
    """An `Engine` on one file. Connections belong to one process: none may be open when it forks."""

    poll_seconds = 0.02

    def __init__(self, path: str, busy_seconds: float) -> None:
        self.path = Path(os.path.realpath(path))  # SQLite's files and the lock file lie beside a link's target
        self._busy_seconds = busy_seconds
        self._idle: deque[Database] = deque()
        self._lock_file = Path(f"{self.path}-lock")
        # A writer polls, so that other greenlets run meanwhile; SQLite's own waiting would block them.
        self._writer = GroupCommit(partial(connect, self.path, 0), self._lock_file, busy_seconds)
        # The last connection that is closed brings the write-ahead log into the file, also when the service ends.
        weakref.finalize(self, close_all, self._idle, self._writer)

    # --- reading and writing ----------------------------------------------------------------------------------------

    @contextmanager
    def _connection(self) -> Iterator[Database]:
        """Give an idle connection, or a new one; after an error it is closed."""
        with translated(self.path):
            db = self._idle.pop() if self._idle else connect(self.path, self._busy_seconds)
            try:
                yield db
            except BaseException:
                db.close()
                raise
            self._idle.append(db)

    def query(self, statement: str, **parameters: Any) -> list[Row]:
        with self._connection() as db:
            return query(db, statement, **parameters)

    @contextmanager
    def snapshot(self) -> Iterator[Query]:
        with self._connection() as db:
            db.execute("BEGIN")
            query(db, "SELECT 1 FROM sessions LIMIT 1")  # a snapshot begins with the first read
            yield partial(query, db)
            db.execute("ROLLBACK")

    @contextmanager
    def transaction(self, was_committed: WasCommitted, session_id: str | None = None) -> Iterator[SQLiteConnection]:
        with translated(self.path), self._writer.transaction(lambda db: was_committed(partial(query, db))) as db:
            yield SQLiteConnection(db, session_id)

    def close(self) -> None:
        close_all(self._idle, self._writer)

    # --- the file ---------------------------------------------------------------------------------------------------

    def exists(self) -> bool:
        return os.path.lexists(self.path)

    def prepare(self) -> None:
        with translated(self.path):
            if not self.exists():
                make_folder(self.path.parent)
                self.path.touch(0o600)
            if not self._lock_file.exists():
                refuse_unusable(self.path)  # no file is made beside another program's
            with locked(self._lock_file, time.monotonic() + self._busy_seconds):
                refuse_unusable(self.path)
                with suppress(OSError):  # if root makes it, the service's user needs it, too
                    shutil.copymode(self.path, self._lock_file)
                    os.chown(self._lock_file, self.path.stat().st_uid, self.path.stat().st_gid)
                with closing(connect(self.path, self._busy_seconds)) as db:
                    db.execute("PRAGMA journal_mode = WAL")
                    db.execute("BEGIN IMMEDIATE")
                    refuse_newer(done.name for done in migrations.applied(db))
                    migrations.apply(db)
                    db.execute("COMMIT")

    def is_ready(self) -> bool:
        with suppress(StoreError), self._connection() as db:
            return not migrations.pending(db)
        return False

    def condition(self) -> Condition:
        notes, warnings, pending = list[str](), list[str](), list[str]()
        if sqlite3.sqlite_version_info < (3, 51, 3):
            notes.append(
                f"SQLite {sqlite3.sqlite_version} has a rare WAL-reset race, gone from 3.51.3 on: keep checked backups"
            )
        folder = next(folder for folder in self.path.parents if os.path.exists(folder))  # noqa: PTH110 - a Path raises
        exists, size = self.exists(), None
        try:
            if not exists and not os.access(folder, os.W_OK, effective_ids=True):
                warnings.append(f"no file can be made in {folder}: {A_RIGHT}")
            if exists:
                with translated(self.path):
                    refuse_unusable(self.path)
                    size, mode = self.path.stat().st_size, self.path.stat().st_mode
                    with read_only(self.path) as db:
                        refuse_newer(done.name for done in migrations.applied(db))
                        pending = [migration.name for migration in migrations.pending(db)]
                if mode & 0o077:
                    notes.append(f"others on this machine can read the database, or write it: chmod 600 {self.path}")
        except StoreError as error:
            warnings.append(str(error) or type(error).__name__)
        free = shutil.disk_usage(folder).free
        return Condition("sqlite", sqlite3.sqlite_version, exists, size, free, pending, warnings, notes)

    def damage(self) -> Sequence[Damage]:
        try:
            pages, orphans = self.query("PRAGMA integrity_check"), self.query("PRAGMA foreign_key_check")
        except StoreError as error:
            return [Damage("file", "all", str(error))]
        found = [Damage("file", "all", what) for (what,) in pages if what != "ok"]
        return [*found, *(Damage(table, row or "all", ORPHAN) for table, row, *_ in orphans)]

    def clean_up(self) -> None:
        """Checkpoint the write-ahead log and truncate it; `secure_delete` has overwritten the rows in the file."""
        with suppress(StoreError), translated(self.path), closing(connect(self.path, 0)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # --- backups ----------------------------------------------------------------------------------------------------

    def backup(self, to: str) -> None:
        target = Path(to).absolute()
        if os.path.lexists(target) or str(target).startswith(f"{self.path}-"):
            raise StoreUnavailable(f"{to} is there already, or would be taken for a file of the database's own")
        with self._connection() as db, translated(target), new_file(target) as fresh:
            db.execute("VACUUM INTO ?", [str(fresh)])
            put_in_place(fresh, target)

    def restore(self, backup: str, check: Callable[[Store], None]) -> str | None:
        self.close()
        if not os.path.lexists(backup):
            raise StoreUnavailable(f"there is no database at {backup}")
        with translated(Path(backup)):
            refuse_unusable(Path(backup), is_to_be_written=False)
        with translated(self.path):
            if self.exists():
                refuse_unusable(self.path, may_be_damaged=True)
            make_folder(self.path.parent)
            with new_file(self.path) as fresh:
                with read_only(Path(backup)) as source:
                    source.execute("VACUUM INTO ?", [str(fresh)])
                engine = SQLite(str(fresh), self._busy_seconds)
                engine.prepare()
                with closing(engine):
                    check(Store(engine))
                if not self.exists():
                    put_in_place(fresh, self.path)
                    return None
                return str(self._exchange(fresh))

    def _exchange(self, fresh: Path) -> Path:
        """Put a file in the database's place; give the path of the old one."""
        with suppress(sqlite3.Error), closing(sqlite3.connect(self.path, timeout=0)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        aside = self.path.with_name(f"{self.path.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
        with self.path.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, LOCK_BYTES, PENDING_BYTE)
            except (BlockingIOError, PermissionError) as error:
                raise StoreUnavailable(
                    f"somebody has {self.path} open: stop the service, and whatever else works on it, and try again"
                ) from error
            with suppress(PermissionError):
                os.chown(fresh, self.path.stat().st_uid, self.path.stat().st_gid)
            try:
                aside.hardlink_to(self.path)  # so that the path has a database at every moment
            except OSError:  # a disk without hard links
                self.path.rename(aside)
            for suffix in ("-wal", "-shm"):
                with suppress(FileNotFoundError):
                    Path(f"{self.path}{suffix}").rename(f"{aside}{suffix}")
            put_in_place(fresh, self.path)
        return aside


def close_all(idle: deque[Database], writer: GroupCommit) -> None:
    while idle:
        idle.pop().close()
    writer.close()


def connect(path: Path, busy_seconds: float, *, mode: str = "mode=rw") -> Database:
    """Open a connection for one thread at a time. A missing file is not created."""
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {pragma}")
        return Database(connection, strict=True)
    except sqlite3.Error:
        connection.close()
        raise


def read_only(path: Path) -> closing[Database]:
    """Open a database without leaving files beside it, which SQLite otherwise makes even for a reader."""
    mode = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    return closing(connect(path, 1, mode=mode))  # another process may be recovering the write-ahead log


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, for their owner alone; `Path.mkdir` gives parents the usual rights."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(0o700, exist_ok=True)


@contextmanager
def new_file(beside: Path) -> Iterator[Path]:
    """Give a temporary file for a database that is being made."""
    fresh = beside.with_name(f".{beside.name}.new-{os.getpid()}")
    try:
        fresh.touch(0o600)
        yield fresh
    finally:
        for suffix in ("", "-wal", "-shm", "-lock"):
            Path(f"{fresh}{suffix}").unlink(missing_ok=True)


def put_in_place(fresh: Path, path: Path) -> None:
    """Give a file that has no connections its name, durably."""
    with closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sync(fresh)
    fresh.rename(path)
    sync(path.parent)


def sync(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.close(file)


def refuse_unusable(path: Path, *, is_to_be_written: bool = True, may_be_damaged: bool = False) -> None:
    """Make sure that a file is a database of this service, or empty, and writable. Raises StoreUnavailable."""
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a folder: {ANOTHER}")
    if not stat.S_ISREG(path.stat().st_mode):
        raise StoreUnavailable(f"{path} is no database: {ANOTHER}")
    with path.open("rb") as file:
        magic = file.read(len(MAGIC))
    if magic not in {b"", MAGIC} and not may_be_damaged:
        raise StoreUnavailable(f"{path} is no database: {A_BACKUP}")
    if is_to_be_written and not all(os.access(place, os.W_OK, effective_ids=True) for place in (path, path.parent)):
        raise StoreUnavailable(f"{path} cannot be written: {A_RIGHT}")
    with suppress(*[sqlite3.Error] if may_be_damaged else []), read_only(path) as db:
        (owner,) = db.execute("PRAGMA application_id").fetchone()
        if owner != APPLICATION_ID and db.table_names():
            raise StoreUnavailable(f"{path} is another program's database, and is left as it is: {ANOTHER}")


# --- errors ---------------------------------------------------------------------------------------------------------


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise errors of SQLite and of the system as a StoreError, with what to do about them."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        name = getattr(error, "sqlite_errorname", type(error).__name__)  # the message may quote a person's words
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise StoreBusy from error
        if is_disk_full(error, code, path):
            raise StoreFull(
                f"The disk that {path.parent} is on is full: make room on it, and try again; what was kept is still"
                " there."
            ) from error
        is_not_utf8 = str(error).startswith("Could not decode")  # SQLite has no code for that
        if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB} or is_not_utf8:
            raise StoreDamaged(f"{path} is damaged ({name}): {A_BACKUP}") from error
        if code == sqlite3.SQLITE_ERROR:
            tables = f"tables that are not as this release knows them ({error})"
            raise StoreUnavailable(f"{path} has {tables}: {A_BACKUP}") from error
        if isinstance(error, sqlite3.OperationalError | OSError):
            why = error.strerror if isinstance(error, OSError) else error
            raise StoreUnavailable(f"{path} cannot be opened ({why}): {A_RIGHT}") from error
        raise


def is_disk_full(error: sqlite3.Error | OSError, code: int, path: Path) -> bool:
    """Say whether an error means that the disk is full: SQLite often calls that an I/O error."""
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    if code not in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}:
        return code == sqlite3.SQLITE_FULL
    with suppress(OSError):
        return shutil.disk_usage(path.parent).free < MIN_FREE_BYTES
    return False
