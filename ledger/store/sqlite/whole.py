"""A SQLite file as a whole: its connections, how it is prepared, how it stands, and copies of it."""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ledger.store import BUSY_SECONDS, Condition, Damage, DatabaseExchanged, Figures, Progress, StoreTrouble, unseen
from ledger.store.address import Address, BadAddress
from ledger.store.sqlite.connections import Connections, connect
from ledger.store.sqlite.damage import damage_in
from ledger.store.sqlite.figures import figures_of, free_bytes_beside, note_backup, own_files
from ledger.store.sqlite.files import condition_of, copied_in_one_step, path_of
from ledger.store.sqlite.forgetting import is_off_the_disk
from ledger.store.sqlite.identity import hand_on
from ledger.store.sqlite.migrations import MIGRATIONS, is_of_an_earlier_release, keep_others_out, refuse_newer
from ledger.store.sqlite.usable import make_place_for, make_sure_it_is_usable, reasons_given
from ledger.store.sqlite.writer import Gate


class Whole:
    """The part of a `Store` that is of the whole file. Its connections are closed when nobody has it any more."""

    def __init__(self, path: Path | str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = self._named = Path(path)
        if os.path.islink(self.path):  # noqa: PTH114 - a Path raises where it may not look; what belongs to a database lies beside the file itself, as SQLite has it
            self.path = self.path.resolve()
        self.busy_seconds = busy_seconds
        self._connections = self._in_this_process()

    # --- connections ------------------------------------------------------------------------------------------------

    def _in_this_process(self) -> Connections:
        connections = Connections(self.path, self._named, self.busy_seconds)
        weakref.finalize(self, connections.close)
        return connections

    @property
    def _here(self) -> Connections:
        """The connections of this process. Raises RuntimeError in a child that was forked while there were some."""
        if self._connections.pid != os.getpid():
            if self._connections.are_open:
                raise RuntimeError("SQLite's locks do not survive a fork: close the store before")
            self._connections = self._in_this_process()
        return self._connections

    def close(self) -> None:
        """Close the connections of this process. Whoever uses the store again gets new ones."""
        self._here.close()

    def lose(self, session_id: str | None = None) -> None:  # noqa: ARG002 - all of them are in one file
        """Read and keep nothing any more, here and in all processes that were handed the same file."""
        self._here.identity.lose()

    def prepare(self, *, for_children: bool = False) -> None:
        """Bring the schema up to date, one process at a time. Raises StoreBusy, StoreIsNewer, DatabaseUnusable.

        It leaves no connection open, so a process may fork after it. A file that is not the one this process was handed
        is left as it is; whoever uses the store is told so.
        """
        try:
            self._here.identity.check()
        except DatabaseExchanged:
            return
        make_place_for(self.path)
        make_sure_it_is_usable(self.path)
        until = time.monotonic() + self.busy_seconds
        with (
            reasons_given(self.path),
            closing(Gate(self.path)) as gate,
            gate.held(until),
            closing(connect(self.path, self.busy_seconds)) as db,
        ):
            if is_of_an_earlier_release(db):
                self.close()
                keep_others_out(db, self.path)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN IMMEDIATE")
            refuse_newer(db)
            MIGRATIONS.apply(db)
            db.execute("COMMIT")
        with suppress(sqlite3.Error, StoreTrouble), closing(connect(self.path, 0)) as db:
            is_off_the_disk(db)
        if for_children:
            hand_on(self.path, self._named)

    def is_ready(self) -> bool:
        """Say whether the database answers and has the newest schema. Raises DatabaseExchanged."""
        try:
            with self._here.reading() as db:
                return not MIGRATIONS.pending(db)
        except DatabaseExchanged:
            raise
        except (sqlite3.Error, StoreTrouble):
            return False

    # --- the database as a whole ------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """Say where it is."""
        return str(self.path)

    def exists(self) -> bool:
        """Say whether there is a file, or anything else in its place."""
        return os.path.lexists(self.path)  # where a Path raises, if it may not look

    def condition(self) -> Condition:
        """Look at the file as an operator does, and change nothing."""
        return condition_of(self.path)

    def figures(self) -> Figures:
        """Say how large the file is, and when it was backed up."""
        return figures_of(self.path)

    def free_bytes(self) -> int | None:
        """Give how many bytes are free on the file's disk."""
        return free_bytes_beside(self.path)

    def note_backup(self, at: str) -> None:
        """Note that a copy was made and found whole."""
        note_backup(self.path, at)

    def damage(self) -> Sequence[Damage]:
        """Say what is wrong with the file itself, and with what no chain and no books cover; nothing, if whole."""
        self._here.identity.check()
        return list(damage_in(self.path, self.busy_seconds))

    def copy(self, to: Address, progress: Progress = unseen) -> None:
        """Copy the database to another file while it is in use; `progress` is told the pages left and in all.

        Raises BadAddress for a file of the database's own.
        """
        if path_of(to).resolve() in own_files(self.path):
            raise BadAddress(f"{to.shown!r} would be taken for a file of the database's own: choose another name")
        with self.at_one_moment(), self._here.reading() as db:
            copied_in_one_step(db.conn, path_of(to), progress)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let this thread read everything as it stands at one moment, until the block ends."""
        with self._here.at_one_moment():
            yield
