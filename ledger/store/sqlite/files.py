"""The database as a file: where it is, how it stands there, copied, and put in another's place."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from sqlite_utils import Database

from ledger.store import Condition, DatabaseUnusable, Progress, StoreBusy, StoreFull, StoreIsNewer, unseen
from ledger.store.address import Address, BadAddress
from ledger.store.sqlite.figures import own_files
from ledger.store.sqlite.forgetting import is_pending
from ledger.store.sqlite.migrations import MIGRATIONS, refuse_newer
from ledger.store.sqlite.troubles import is_for_want_of_room, no_room_for
from ledger.store.sqlite.usable import (
    ANOTHER,
    is_of_another_program,
    make_file,
    make_folder,
    make_sure_it_is_ours,
    make_sure_it_is_usable,
    reasons_given,
    to_look_at,
)

SCHEME = "sqlite:///"

PAGES_A_STEP = 1_000
"""How many pages a copy takes between telling how far it is."""

SOUND_RELEASE = (3, 51, 3)
"""From here on SQLite has no WAL-reset race any more."""


FIRST_LOCKED_BYTE, LOCKED_BYTES = 0x40000000, 512
"""Where the locks are in a file of SQLite's, also in one that is shorter."""

LEFTOVERS = ("-wal", "-shm")

NOT_THE_OWNER = 0o077
"""The rights of all others."""


def path_of(address: Address) -> Path:
    """Give the file that an address names. Raises BadAddress for one of another engine."""
    if not address.whole.startswith(SCHEME):
        raise BadAddress(f"{address.shown!r} is no file of SQLite's")
    return Path(address.whole.removeprefix(SCHEME))


def condition_of(path: Path) -> Condition:
    """Say how large a database is, how much room is left, whether its schema is the newest, and what is wrong."""
    notes = []
    if sqlite3.sqlite_version_info < SOUND_RELEASE:
        notes.append(
            f"SQLite {sqlite3.sqlite_version} has a rare WAL-reset race, gone from 3.51.3 on: keep checked backups"
        )
    # os.path says of what may not even be looked at that it is not there, where a Path raises.
    home = next(folder for folder in path.resolve().parents if os.path.exists(folder))  # noqa: PTH110
    exists, free_bytes, warnings = os.path.exists(path), shutil.disk_usage(home).free, list(closed(home))  # noqa: PTH110
    seen = Condition("sqlite", sqlite3.sqlite_version, exists, free_bytes=free_bytes, warnings=warnings, notes=notes)
    if not exists:
        return seen
    pending = []
    try:
        make_sure_it_is_usable(path)
        with reasons_given(path), to_look_at(path) as connection:
            pending = [migration.name for migration in MIGRATIONS.pending(Database(connection))]
            refuse_newer(Database(connection))
            if not pending and is_pending(Database(connection)):
                notes.append("what was erased or deleted is still in the database's files until the service clears it")
    except DatabaseUnusable as error:
        warnings.append(str(error))
    except StoreIsNewer as error:
        warnings.append(f"a newer release has changed the database, and this one leaves it as it is: {error}")
    if path.stat().st_mode & NOT_THE_OWNER:
        notes.append(f"others on this machine can read the database, or write it: chmod 600 {path}")
    return seen._replace(bytes=path.stat().st_size, pending_migrations=pending, warnings=warnings)


def closed(folder: Path) -> Iterator[str]:
    """Say what keeps files and folders from being made in a folder. It is tried with a file that does not stay."""
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        yield (
            f"no file can be made in {folder} ({error.strerror}), so the service cannot keep its database there:"
            " let the user that it runs as write there, or set LEDGER_DATABASE to another place"
        )


def copied(source: sqlite3.Connection, to: Path, progress: Progress = unseen) -> None:
    """Copy a database; if it is in use, within a transaction."""
    # A moment begins with the first look; without one, each write by others would start the copy anew.
    source.execute("SELECT 1 FROM sqlite_schema").fetchone()
    make_file(to)
    with closing(sqlite3.connect(to)) as copy:
        source.backup(copy, pages=PAGES_A_STEP, progress=lambda _status, left, total: progress(left, total))


def copied_in_one_step(source: sqlite3.Connection, to: Path, progress: Progress = unseen) -> None:
    """Copy a database to a file that is not there yet: it is there with all that is in it, or not at all.

    Raises StoreFull, OSError, sqlite3.Error.
    """
    fresh = to.with_name(f".{to.name}.copying-{os.getpid()}")
    try:
        remove(fresh)
        copied(source, fresh, progress)
        put_on_the_disk(fresh)
        give_a_name(fresh, to)
    except (OSError, sqlite3.Error) as error:
        if is_for_want_of_room(error, fresh):
            raise StoreFull(no_room_for(to)) from error
        raise
    finally:
        remove(fresh)


def give_a_name(fresh: Path, to: Path) -> None:
    """Call a file by another name, in whose place nothing is, for good. Raises OSError."""
    try:
        to.hardlink_to(fresh)
    except FileExistsError:
        raise
    except OSError:  # this disk knows no second names
        fresh.rename(to)
    folder = os.open(to.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def put_in_place(backup: Path, path: Path, make_ready: Callable[[Path], None]) -> Path | None:
    """Put a copy of a backup in a database's place; give the file that what was there is kept as, if anything was.

    `make_ready` brings the copy up to date, raises if it may not take the place, and leaves nothing open. The exchange
    is one step, and nobody has the database open meanwhile. Raises DatabaseUnusable, StoreFull.
    """
    fresh = path.with_name(f"{path.name}.restoring-{os.getpid()}")  # nobody else's who restores at the same time
    make_sure_it_is_ours(backup)
    with reasons_given(path):
        make_folder(path.parent)
        refuse_to_replace(path)
        remove(fresh)
        try:
            take_a_copy(backup.resolve(), fresh)
            make_ready(fresh)
            put_on_the_disk(fresh)
            if not path.exists():
                for leftover in LEFTOVERS:
                    path.with_name(path.name + leftover).unlink(missing_ok=True)
                fresh.rename(path)
                return None
            bring_the_wal_home(path)
            with nobody_else_has(path) as file:
                return exchanged(file, fresh, path)
        finally:
            remove(fresh)


def remove(database: Path) -> None:
    """Remove a database and all that lies beside it. Raises OSError."""
    for file in own_files(database):
        file.unlink(missing_ok=True)


def take_a_copy(backup: Path, fresh: Path) -> None:
    """Copy a backup to a new file, and leave it and its folder as they are. Raises DatabaseUnusable, OSError.

    Who has it open in SQLite, or left it so, has a -shm beside it, and SQLite can copy what stands at one moment. Else
    SQLite would make such files to read its log, so what there is of them is copied, and read over there.
    """
    if Path(f"{backup}-shm").exists():
        with to_look_at(backup) as source:
            copied(source, fresh)
        return
    for name in ("", "-wal", "-journal"):
        source_file, to = Path(f"{backup}{name}"), Path(f"{fresh}{name}")
        if source_file.exists():
            make_file(to)
            shutil.copyfile(source_file, to)


def put_on_the_disk(fresh: Path) -> None:
    """See to it that all of a database that nobody has open lies in its one file, and on the disk.

    Raises StoreBusy, OSError, sqlite3.Error.
    """
    with closing(sqlite3.connect(fresh)) as connection:
        is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if is_busy:
        raise StoreBusy
    with fresh.open("rb") as file:
        os.fsync(file.fileno())


def refuse_to_replace(path: Path) -> None:
    """Make sure that what lies at a path may be put aside: a database of ours, or one that cannot be read any more.

    Raises DatabaseUnusable, OSError.
    """
    with suppress(sqlite3.Error):
        if path.is_dir() or (path.exists() and is_of_another_program(path)):
            raise DatabaseUnusable(f"{path} is no database of ours, and is left as it is: {ANOTHER}")


def exchanged(file: BinaryIO, fresh: Path, path: Path) -> Path:
    """Put a new file in the place of one that is open here; give the name that the old one has from now on."""
    aside = path.with_name(f"{path.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    owner = os.fstat(file.fileno())
    with suppress(PermissionError):
        os.chown(fresh, owner.st_uid, owner.st_gid)  # root may restore what is another user's
    try:
        aside.hardlink_to(path)
    except OSError:  # this disk knows no second names
        make_file(aside)
        with aside.open("wb") as copy:
            shutil.copyfileobj(file, copy)
    for leftover in LEFTOVERS:
        left = path.with_name(path.name + leftover)
        if left.exists() and left.stat().st_size and leftover == "-wal":  # of a database that SQLite cannot read
            left.rename(f"{aside}{leftover}")
        left.unlink(missing_ok=True)
    fresh.replace(path)
    return aside


def bring_the_wal_home(path: Path) -> None:
    """Bring the write-ahead log into a database that nobody has open, if SQLite can read it at all."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def nobody_else_has(path: Path) -> Iterator[BinaryIO]:
    """Keep a database's file open so that no other process has it open. Raises DatabaseUnusable.

    Whoever has a database open in write-ahead mode shares a lock on certain bytes of it, for as long as they have it;
    so says SQLite's file format, whatever is in the file. Such locks are a process's own: in this one nobody may open
    the file meanwhile, as closing it would end the lock.
    """
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, LOCKED_BYTES, FIRST_LOCKED_BYTE)
        except (BlockingIOError, PermissionError) as error:
            raise DatabaseUnusable(
                f"somebody has {path} open: stop the service, and whatever else works on it, and try again"
            ) from error
        yield file
