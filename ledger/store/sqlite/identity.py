"""Which file the database is: it is noticed if another takes its place, or if it is removed, while it is open.

A process goes on with the file that it has opened, whatever is put in its place, and would acknowledge what nobody
finds later. So what lies at the path is looked at whenever a connection is lent, when a transaction begins, and after
it was committed, before anybody is told so: a microsecond each. Once it is another file, this process does nothing
any more but say so. To go on with the other file would be to tell two histories as one: who has read or recorded in
the first would find the second under the same address. Only people know which of them is right.

The write-ahead log and its index (`-wal`, `-shm`) are part of the database: SQLite keeps them as long as any process
has the database open, and makes new ones if they were removed, which the processes that have the old ones never see.
So they are looked at as well, from the moment a process has the database open. What was committed to a log that was
removed is copied into the database file at once, as long as no other process has written to a new log.

What is copied into the very file (`cp backup.db ledger.db`) does not show there. Who finds that the log has gone back
says so (`lose`), and then it is the same for all who were forked from one process: they share a byte that says it. They
share one for a removed log, too: a worker that starts later would find nothing wrong.
"""

from __future__ import annotations

import logging
import mmap
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ledger.store import DatabaseExchanged

SOUND, EXCHANGED, REMOVED = range(3)
"""What the byte says that processes share: nothing is wrong, other contents were found, or the log was removed."""

BESIDE = ("-wal", "-shm")
"""The files that SQLite keeps beside a database while any process has it open."""


class _Handed(NamedTuple):
    """The file that those processes work with that are forked from one, and a byte that all of them see."""

    file: FileNumber
    state: mmap.mmap


_handed_on: dict[str, _Handed] = {}
"""What was handed on, by path."""


FileNumber = tuple[int, int]
"""A file's device, and its number there."""


def found_at(*paths: str) -> list[FileNumber | None]:
    """Say which files lie at some paths; None where there is none."""
    files = list[FileNumber | None]()
    for path in paths:
        try:
            found = os.stat(path)  # noqa: PTH116 - a Path takes three times as long
        except OSError:
            files.append(None)
        else:
            files.append((found.st_dev, found.st_ino))
    return files


def hand_on(path: Path, named: Path) -> None:
    """Let who is forked from this process work with the file that is there now, and with no other.

    `named` is what the database is called, perhaps a link to it.
    """
    (file,) = found_at(str(path.absolute()))
    if file is not None:
        _handed_on[str(named.absolute())] = _Handed(file, mmap.mmap(-1, 1))


class Identity:
    """The file that a process works with: the one it was handed on, or else the first that it finds.

    `named` is what the database is called: the file itself, or a link, which may be pointed elsewhere. `part` is called
    once it is noticed that this is the database no more, until it has done what there is to do.
    """

    def __init__(self, path: Path, named: Path, part: Callable[[], bool]) -> None:
        self._path = str(path.absolute())
        self._named = str(named.absolute())
        self._beside = tuple(self._path + suffix for suffix in BESIDE)
        self._part = part
        self.forget()

    def forget(self) -> None:
        """Begin anew: nothing is open any more."""
        handed = _handed_on.get(self._named)
        self._file = handed and handed.file
        self._state: mmap.mmap | bytearray = handed.state if handed else bytearray([SOUND])
        self._files_beside: list[FileNumber | None] = [None] * len(BESIDE)
        self._is_lost = self._has_parted = False

    def is_open(self) -> None:
        """Note which files SQLite has beside the database, which this process has open from now on."""
        self._files_beside = found_at(*self._beside)

    def lose(self) -> None:
        """Take what lies in the file for something else than what was there; so do all who were handed the same file.

        They do not part with it: what is left in the write-ahead log belongs to what is there no more.
        """
        if self._state[0] != EXCHANGED:
            self._state[0] = EXCHANGED
            logging.getLogger(__name__).error(
                "What is in the database was exchanged while the service ran, by copying over it perhaps: sessions have"
                " gone back, or have another past. Nothing more is read or kept until the service is started again;"
                " stop it, and restore a backup"
            )

    def check(self) -> None:
        """Make sure that the database is still the one that was opened. Raises DatabaseExchanged, from then on."""
        if self._state[0] == EXCHANGED:
            raise DatabaseExchanged
        if not self._is_lost and self._state[0] == SOUND:
            found = found_at(self._named, *self._beside)
            if found == [self._file, *self._files_beside]:
                return
            if self._file is None:
                (self._file,) = found_at(self._path)
            if found[0] != self._file:
                logging.getLogger(__name__).error(
                    "Another file was put in the place of the database, or it was removed, while the service ran:"
                    " nothing more is read or kept until the service is started again"
                )
            elif is_removed := self._removed():
                self._state[0] = REMOVED
                logging.getLogger(__name__).error(
                    "%s was removed or replaced while the service ran: nothing more is read or kept until the service"
                    " is started again. %s",
                    " and ".join(is_removed),
                    "What was recorded before is copied into the database itself"
                    if self._is_writable_alone()
                    else "Another program has written meanwhile, and what was recorded last may be missing: look for"
                    " damage with `fuda-ledger verify`",
                )
            else:
                return
            self._is_lost = True
        if not self._has_parted and self._is_writable_alone():
            self._has_parted = self._part()
        raise DatabaseExchanged

    def _removed(self) -> list[str]:
        """List the files beside the database that are not those that this process has open."""
        files = zip(self._beside, self._files_beside, found_at(*self._beside), strict=True)
        return [path for path, opened, found in files if opened is not None and found != opened]

    def _is_writable_alone(self) -> bool:
        """Say whether no other process can have written to a log of its own, in the place of one that was removed."""
        return not any(Path(path).exists() and Path(path).stat().st_size for path in self._removed())
