"""The database as a file: where it is, how it stands there, copied, and put in another's place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile

from sqlite_utils import Database

from ledger.store import Condition, DatabaseUnusable, Progress, StoreIsNewer, unseen
from ledger.store.address import Address, BadAddress
from ledger.store.sqlite.migrations import MIGRATIONS, refuse_newer
from ledger.store.sqlite.usable import (
    make_file,
    make_sure_it_is_usable,
    reasons_given,
    to_look_at,
)

SCHEME = "sqlite:///"

PAGES_A_STEP = 1_000
"""How many pages a copy takes between telling how far it is."""

SOUND_RELEASE = (3, 51, 3)
"""From here on SQLite has no WAL-reset race any more."""


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


def put_in_place(backup: Path, path: Path) -> Path | None:
    """Put a copy of a backup in a database's place; give the file that what was there is kept as, if anything was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh, aside = path.with_name(f"{path.name}.restoring"), None
    with closing(sqlite3.connect(backup)) as source:
        copied(source, fresh)
    if path.exists():
        aside = path.with_name(f"{path.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        try:
            with closing(sqlite3.connect(path)) as source:
                copied(source, aside)
        except sqlite3.DatabaseError:  # what SQLite cannot read is kept as it is
            shutil.copyfile(path, aside)
    for leftover in ("", "-wal", "-shm"):
        path.with_name(path.name + leftover).unlink(missing_ok=True)
    fresh.rename(path)
    return aside
