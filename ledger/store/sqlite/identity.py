"""Which file the database is: it is noticed if another takes its place, or if it is removed, while it is open.

A process goes on with the file that it has opened, whatever is put in its place, and would acknowledge what nobody
finds later. So what lies at the path is looked at whenever a connection is lent, when a transaction begins, and after
it was committed, before anybody is told so: a microsecond each. Once it is another file, this process does nothing
any more but say so. To go on with the other file would be to tell two histories as one: who has read or recorded in
the first would find the second under the same address. Only people know which of them is right.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from ledger.store import DatabaseExchanged

_handed_on: dict[str, tuple[int, int]] = {}
"""Which files those processes work with that are forked from this one, by path."""


def found_at(path: str) -> tuple[int, int] | None:
    """Say which file lies at a path: its device and number there; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a Path takes three times as long
    except OSError:
        return None
    return found.st_dev, found.st_ino


def hand_on(path: Path) -> None:
    """Let who is forked from this process work with the file that is there now, and with no other."""
    if (file := found_at(str(path.absolute()))) is not None:
        _handed_on[str(path.absolute())] = file


class Identity:
    """The file that a process works with: the one it was handed on, or else the first that it finds.

    `part` is called once it is noticed that this is the database no more, until it has done what there is to do.
    """

    def __init__(self, path: Path, part: Callable[[], bool]) -> None:
        self._path = str(path.absolute())
        self._part = part
        self.forget()

    def forget(self) -> None:
        """Begin anew: nothing is open any more."""
        self._file = _handed_on.get(self._path)
        self._is_lost = self._has_parted = False

    def check(self) -> None:
        """Make sure that the file is still the one that lies at the path. Raises DatabaseExchanged, from then on."""
        if not self._is_lost:
            found = found_at(self._path)
            if found == self._file:
                return
            if self._file is None:
                self._file = found
                return
            self._is_lost = True
            logging.getLogger(__name__).error(
                "Another file was put in the place of the database, or it was removed, while the service ran:"
                " nothing more is read or kept until the service is started again"
            )
        self._has_parted = self._has_parted or self._part()
        raise DatabaseExchanged
