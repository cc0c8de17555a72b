"""What SQLite and the system raise about a database, and the names that the house has for it."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from pathlib import Path
from typing import NoReturn

from ledger.store import DatabaseDamaged, DatabaseUnusable, StoreBusy, StoreFull

DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
OUT_OF_REACH = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_IOERR,
}
"""SQLite's codes for a file that is broken, and for one that cannot be read or written."""

LEAST_ROOM_BYTES = 64 * 1024
"""On a disk with less than this, SQLite has no room for the 32 KiB beside a database that it needs to open it."""

NO_TEXT = "Could not decode"
"""How Python begins to say that a text is no UTF-8, as nobody writes; SQLite has no code for that."""


def raise_translated(error: sqlite3.DatabaseError, database: Path) -> NoReturn:
    """Raise an error of SQLite's with a database as the one that all stores have for it, or as it is."""
    if is_busy(error):
        raise StoreBusy from error
    code = primary_code(error)
    if is_for_want_of_room(error, database):
        raise StoreFull(no_room_for(database)) from error
    if code in DAMAGE or str(error).startswith(NO_TEXT):
        # not its text, in which there may be what could not be read
        raise DatabaseDamaged(getattr(error, "sqlite_errorname", "a text cannot be read")) from error
    if code in OUT_OF_REACH:
        raise DatabaseUnusable(str(error)) from error
    raise error


def is_for_want_of_room(error: sqlite3.Error | OSError, database: Path) -> bool:
    """Say whether something failed because the disk is full: SQLite often calls that an error of the disk."""
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    code = primary_code(error)
    if code not in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}:
        return code == sqlite3.SQLITE_FULL
    try:
        return shutil.disk_usage(database.parent).free < LEAST_ROOM_BYTES
    except OSError:
        return False


def no_room_for(database: Path) -> str:
    """Say which disk is full, and what to do."""
    return (
        f"The disk that {database.parent} is on is full: make room on it, and try again; what was kept is still there."
    )


def is_busy(error: sqlite3.Error) -> bool:
    """Say whether SQLite only asks for patience."""
    return primary_code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def primary_code(error: sqlite3.Error) -> int:
    """Give SQLite's code for a kind of error, 0 if the error is not SQLite's own."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
