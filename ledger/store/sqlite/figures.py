"""How large a database is, and when it was backed up last: what a file system says, without asking SQLite.

When a backup was made is noted in a small file beside the database, not in it: it is about this database, so it is in
no copy, and who may only read the database may still back it up.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from ledger.store import Figures, timestamp
from ledger.store.sqlite.usable import make_file


def figures_of(path: Path) -> Figures:
    """Give what can be seen of a database; what cannot is left out."""
    noted = None
    with suppress(OSError, ValueError):
        said = note_of(path).read_text("ascii").strip()
        noted = timestamp(datetime.strptime(said, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC))
    return Figures(size_of(path), size_of(Path(f"{path}-wal")) or 0, free_bytes_beside(path), noted)


def free_bytes_beside(path: Path) -> int | None:
    """Give how many bytes are free on a file's disk, if that can be seen."""
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return None


def size_of(path: Path) -> int | None:
    """Give how many bytes a file has, if it is there."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def note_of(path: Path) -> Path:
    """Say where it is noted when a database was backed up last: in a file that nobody would call a backup so."""
    return path.with_name(f".{path.name}.backed-up-at")


def own_files(path: Path) -> set[Path]:
    """Give the files that are a database, or belong to it."""
    beside = (Path(f"{path}{name}") for name in ("", "-wal", "-shm", "-journal", "-lock"))
    return {each.resolve() for each in (*beside, note_of(path))}


def note_backup(path: Path, at: str) -> None:
    """Note when a database was backed up; who reads it finds the whole note or the one before. Raises OSError.

    The note is the database's owner's, like all that lies beside it, also if it is root who makes the backup.
    """
    fresh, owner = Path(f"{note_of(path)}.{os.getpid()}"), path.stat()
    try:
        make_file(fresh)
        fresh.write_text(f"{at}\n", "ascii")
        if os.geteuid() == 0:
            os.chown(fresh, owner.st_uid, owner.st_gid)
        fresh.replace(note_of(path))
    finally:
        fresh.unlink(missing_ok=True)
