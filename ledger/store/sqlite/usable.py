"""Whether a file can be the database, before anything is written to it; and what to do if it cannot.

Another program's database is never touched: ours says in its header whose it is (`PRAGMA application_id`), and one of
an early release, which did not, has our list of migrations. What SQLite finds wrong with a file is put into a sentence
for whoever runs the service. New files are readable by their owner alone, for they hold people's names and the hashes
of their keys.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ledger.store import DatabaseUnusable, StoreBusy, StoreFull
from ledger.store.sqlite.troubles import DAMAGE, OUT_OF_REACH, is_busy, is_for_want_of_room, no_room_for, primary_code

OURS = 0x46756461
"""What the header of a database of ours says: "Fuda"."""

MAGIC, HEADER_BYTES, AT_OWNER = b"SQLite format 3\0", 100, slice(68, 72)

ANOTHER = "set LEDGER_DATABASE to another file"
A_BACKUP = f"put a backup in its place (`fuda-ledger restore … --force`), or {ANOTHER}"
A_RIGHT = f"let the user that the service runs as write the file and in its folder, or {ANOTHER}"

TABLES = {"sessions", "events", "words", "entries", "balances", "links", "replies", "made", "forgetting"}
"""What our tables are called."""

OWNER_ONLY, OWNERS_FOLDER = 0o600, 0o700


def make_place_for(path: Path) -> None:
    """Make the folder and the file of a database, if they are not there. Raises DatabaseUnusable."""
    with reasons_given(path):
        if not path.is_dir():
            make_folder(path.parent)
            make_file(path)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, for its owner alone, if it is not there. Raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(OWNERS_FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Make a file that only its owner can read, if there is none. Raises OSError."""
    os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))


def make_sure_it_is_usable(path: Path) -> None:
    """Look whether a file is a database of ours, or empty, and may be written; nothing is. Raises DatabaseUnusable."""
    make_sure_it_is_ours(path)
    if not all(os.access(place, os.W_OK, effective_ids=True) for place in (path, path.parent)):
        raise DatabaseUnusable(f"{path} cannot be written: {A_RIGHT}")


def make_sure_it_is_ours(path: Path) -> None:
    """Look whether a file is a database of ours, or empty. Raises DatabaseUnusable."""
    with reasons_given(path):
        if path.is_dir():
            raise DatabaseUnusable(f"{path} is a folder: {ANOTHER}")
        if not stat.S_ISREG(path.stat().st_mode):
            raise DatabaseUnusable(f"{path} is no database: {ANOTHER}")
        if not is_empty_or_sqlites(path):
            raise DatabaseUnusable(f"{path} is no database: {A_BACKUP}")
        if is_of_another_program(path):
            theirs = in_the_way(path)
            named = f" (a {' and a '.join(theirs)} that is not ours)" if theirs else ""
            raise DatabaseUnusable(f"{path} is another program's database{named}, and is left as it is: {ANOTHER}")


def header_of(path: Path) -> bytes:
    """Read what stands at the beginning of every file of SQLite's. Raises OSError."""
    with path.open("rb") as file:
        return file.read(HEADER_BYTES)


def is_empty_or_sqlites(path: Path) -> bool:
    """Say whether SQLite would take a file for a database. Raises OSError."""
    header = header_of(path)
    return not header or (header.startswith(MAGIC) and len(header) == HEADER_BYTES)


def is_of_another_program(path: Path) -> bool:
    """Say whether a database is somebody else's: it says so, or it says nothing and has tables, but not our list.

    Raises OSError, and sqlite3.Error if that cannot be read.
    """
    header = header_of(path)
    owner = int.from_bytes(header[AT_OWNER], "big")
    if owner or not header.startswith(MAGIC):
        return owner != OURS and header.startswith(MAGIC)
    with to_look_at(path) as db:
        (owner,) = db.execute("PRAGMA application_id").fetchone()  # the log beside the file may have another header
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")}
        if owner == OURS or not tables:
            return owner not in {0, OURS}
        ours = "SELECT 1 FROM _sqlite_migrations WHERE migration_set = 'fuda-ledger'"
        return "_sqlite_migrations" not in tables or db.execute(ours).fetchone() is None


def in_the_way(path: Path) -> list[str]:
    """Name what another program's database has under the name of a table of ours."""
    found = "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
    with suppress(sqlite3.Error), to_look_at(path) as db:
        return [f"{kind} called {name}" for kind, name in db.execute(found) if name in TABLES]
    return []


@contextmanager
def to_look_at(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database without leaving anything beside it: SQLite makes files even for who only reads.

    If nobody has made them, nobody is writing either, and it can be read as it lies there. Raises sqlite3.Error.
    """
    how = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as connection:
        yield connection


@contextmanager
def reasons_given(path: Path) -> Iterator[None]:
    """Say of what the system or SQLite raises about a file what is wrong and what to do.

    Raises DatabaseUnusable, StoreBusy, StoreFull.
    """
    try:
        yield
    except OSError as error:
        if is_for_want_of_room(error, path):
            raise StoreFull(no_room_for(path)) from error
        raise DatabaseUnusable(f"{path} cannot be opened ({error.strerror}): {A_RIGHT}") from error
    except sqlite3.Error as error:
        if is_busy(error):
            raise StoreBusy from error
        if is_for_want_of_room(error, path):
            raise StoreFull(no_room_for(path)) from error
        raise DatabaseUnusable(f"{path} {fault_of(error)}") from error


def fault_of(error: sqlite3.Error) -> str:
    """Say what SQLite found wrong with a database, and what to do."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_READONLY:
        return f"cannot be written: {A_RIGHT}"
    if code in OUT_OF_REACH:
        return f"cannot be opened ({error}): {A_RIGHT}"
    if code in DAMAGE:
        return f"is damaged ({error}): {A_BACKUP}"
    return f"has tables that are not as this release knows them ({error}): {A_BACKUP}"
