"""Where tests keep their databases: a path names one, whichever engine is tried (`pytest --engine=postgresql`).

    app = create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db")})

With SQLite the database is the file of that name; with PostgreSQL a schema stands for the path, in the server that all
of a run share. What a test has to do behind the service's back, as somebody with the engine's own shell, is here as
well. A test of what only SQLite has is marked so, with the reason: `@pytest.mark.sqlite("its file is damaged")`.
"""

from __future__ import annotations

import atexit
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ledger.storage.address import open_store
from ledger.storage.store import Store
from tests.postgres import OWNER, shared

if TYPE_CHECKING:
    import psycopg

ENGINES = ("sqlite", "postgresql")

tried = {"engine": "sqlite"}
"""The engine that is tried; `--engine` says which."""

Where = Path | str
"""Where a database is, as `LEDGER_DATABASE` has it."""

_schemas: dict[Path, str] = {}
"""The schemas that stand for paths, as far as this process has made them."""


def is_sqlite() -> bool:
    return tried["engine"] == "sqlite"


def kept_at(path: Path) -> Where:
    """Say where the database is that is called by a path; it is the same each time."""
    if is_sqlite():
        return path
    if path not in _schemas:
        name = re.sub(r"[^a-z0-9]", "_", path.stem.lower())[:30]
        _schemas[path] = f"{name}_{sha256(bytes(path.absolute())).hexdigest()[:12]}"
    return shared().schema(_schemas[path])


@cache
def scratch() -> Store:
    """Give a store in the machine's memory, for sessions that are looked at where they are recorded."""
    memory = Path("/dev/shm")  # noqa: S108 - it is no place for files, but for what is gone with the machine
    folder = mkdtemp(prefix="fuda-ledger-", dir=memory if memory.is_dir() else None)
    atexit.register(shutil.rmtree, folder)
    store = open_store(Path(folder) / "ledger.db")
    store.engine.prepare()
    return store


def let_go(folder: Path) -> None:
    """Drop what stands for paths in a folder, as far as nobody is at work there any more."""
    if gone := [path for path in _schemas if path.is_relative_to(folder)]:
        shared().drop(*map(_schemas.pop, gone))


def _connected(path: Path) -> psycopg.Connection:
    """Connect to the schema that stands for a path, as who may do everything there."""
    connection: psycopg.Connection = _psycopg().connect(str(kept_at(path)), user=OWNER)
    return connection


def _psycopg() -> ModuleType:
    return import_module("psycopg")  # only who tries PostgreSQL has to have it


def by_hand(path: Path, statement: str, *values: Any) -> list[Any]:
    """Do something in a database as somebody with a shell does, and give what comes of it. `?` stands for a value."""
    if is_sqlite():
        with closing(sqlite3.connect(path)) as db, db:
            return db.execute(statement, values).fetchall()
    with _connected(path) as there:
        done = there.execute(statement.replace("?", "%s").encode(), values or None)
        return done.fetchall() if done.description else []


def copied(path: Path, to: Path) -> None:
    """Lay all that is kept in a database over what is in another, under whoever uses it."""
    if is_sqlite():
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(to)) as new:
            old.backup(new)
        return
    open_store(kept_at(to)).engine.prepare()
    kept_at(path)
    with _connected(to) as db:
        db.execute("SET session_replication_role = replica")  # no table waits for what others have to have first
        for name in tables(path):
            db.execute(f'TRUNCATE "{name}" CASCADE'.encode())
        for name in tables(path):
            db.execute(f'INSERT INTO "{name}" SELECT * FROM "{_schemas[path]}"."{name}"'.encode())  # noqa: S608


class Shell:
    """A shell of the engine's own, in which nothing but the uniqueness of rows keeps a hand from what it does."""

    def __init__(self, path: Path) -> None:
        self._db: Any
        if is_sqlite():
            self._db = sqlite3.connect(path, isolation_level=None)
            self.refused: type[Exception] = sqlite3.IntegrityError
            for setting in ("synchronous = OFF", "foreign_keys = OFF", "ignore_check_constraints = ON"):
                self._db.execute(f"PRAGMA {setting}")
        else:
            self._db = _connected(path)
            self._db.autocommit = True
            self.refused = _psycopg().IntegrityError
            self._db.execute("SET session_replication_role = replica")
            for table, name in self._db.execute(CHECKS).fetchall():
                self._db.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
            for table in tables(path):
                self._db.execute(f'ALTER TABLE "{table}" ADD COLUMN rowid bigserial')

    def does(self, statement: str, *values: Any) -> tuple[list[Any], int]:
        """Do something, keep it, and give what was found and how many rows were changed; as SQLite writes it."""
        if is_sqlite():
            done = self._db.execute(statement, values)
            return done.fetchall(), done.rowcount
        statement = statement.replace("%", "%%").replace("?", "%s").replace("x''", "''::bytea")
        given = [value if isinstance(value, bytes | None) else str(value) for value in values]
        done = self._db.execute(statement, given)
        return done.fetchall() if done.description else [], done.rowcount

    def close(self) -> None:
        self._db.close()


CHECKS = (
    "SELECT conrelid::regclass, conname FROM pg_constraint"
    " WHERE contype = 'c' AND connamespace = current_schema()::regnamespace"
)


def tables(path: Path) -> list[str]:
    """Give the names of all tables of a database."""
    if is_sqlite():
        return [name for (name,) in by_hand(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return [name for (name,) in by_hand(path, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")]


def rows_of(path: Path) -> Mapping[str, int]:
    """Say how many rows every table has."""
    return {name: by_hand(path, f'SELECT count(*) FROM "{name}"')[0][0] for name in tables(path)}  # noqa: S608


def bytes_of(path: Path) -> bytes:
    """Give all that is kept in a database: what is in its files, or in its tables where files are the server's."""
    if is_sqlite():
        return b"".join(file.read_bytes() for file in path.parent.iterdir() if file.is_file())
    kept = b""
    with _connected(path) as db:
        for name in tables(path):
            with db.cursor().copy(f'COPY "{name}" TO STDOUT (FORMAT binary)'.encode()) as rows:
                kept += b"".join(map(bytes, rows))
    return kept


@contextmanager
def nobody_writes(path: Path, session_id: str | None = None) -> Iterator[None]:
    """Keep everybody from writing in a database while the block goes on; in a session, where that is possible."""
    if is_sqlite():
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            yield
            db.execute("ROLLBACK")
        return
    with _connected(path) as db:
        if session_id is None:
            names = ", ".join(f'"{name}"' for name in tables(path))
            db.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE".encode())
        else:
            db.execute("SELECT 1 FROM sessions WHERE id = %s FOR UPDATE", [session_id])
        yield
        db.rollback()
