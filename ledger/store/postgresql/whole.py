"""A PostgreSQL database as a whole: how to reach it, how it stands, and what is not done here."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress

import psycopg

from ledger.store import (
    BUSY_SECONDS,
    Check,
    Condition,
    Damage,
    DatabaseExchanged,
    DatabaseUnusable,
    Figures,
    Progress,
    StoreTrouble,
    unchecked,
    unseen,
)
from ledger.store.address import POSTGRESQL, Address, BadAddress
from ledger.store.postgresql.connections import Connections
from ledger.store.postgresql.figures import (
    condition_of,
    damage_in,
    figures_of,
    make_sure_it_is_free,
    make_sure_it_is_usable,
    make_sure_it_may_be_made,
)
from ledger.store.postgresql.migrations import is_there, migrate, pending
from ledger.store.postgresql.pool_log import keep_the_pool_quiet
from ledger.store.postgresql.troubles import trouble_named, why_not_let_in
from ledger.store.postgresql.waiting import Bounded
from ledger.store.postgresql.writer import Writer

SCHEMES = {"postgresql", "postgres"}


class Whole:
    """The part of a `Store` that is of the whole database. Its connections are closed when nobody has it any more."""

    def __init__(self, address: Address, *, busy_seconds: float = BUSY_SECONDS, was_prepared: bool = False) -> None:
        self._where = address
        self._was_prepared = was_prepared
        self.busy_seconds = busy_seconds
        self._connections = self._in_this_process()

    # --- connections ------------------------------------------------------------------------------------------------

    def _in_this_process(self) -> Connections:
        keep_the_pool_quiet()
        connections = Connections(self._where, self.busy_seconds)
        self._writer = Writer(connections)
        weakref.finalize(self, connections.close)
        return connections

    @property
    def _here(self) -> Connections:
        """The connections of this process; a child that was forked has its own."""
        if self._connections.pid != os.getpid():
            self._connections = self._in_this_process()
        return self._connections

    @property
    def _writer_here(self) -> Writer:
        """The writer of this process."""
        if self._connections.pid != os.getpid():
            self._connections = self._in_this_process()
        return self._writer

    @contextmanager
    def _apart(self) -> Iterator[Bounded]:
        """Lend a connection that is nobody else's. Raises DatabaseUnusable with what the server said."""
        try:
            db = self._here.connected()
        except psycopg.OperationalError as error:
            if error.sqlstate is not None:
                with trouble_named(self.address):
                    raise
            if why := why_not_let_in(error):
                raise DatabaseUnusable(f"{self.address} does not let us in: {why}") from error
            raise DatabaseUnusable(
                f"{self.address} cannot be reached: see that the server runs, and that the address and the network are"
                " right"
            ) from error
        with closing(db), trouble_named(self.address):
            yield db

    def close(self) -> None:
        """Close the connections of this process. Whoever uses the store again gets new ones."""
        self._here.close()

    def lose(self, session_id: str | None = None) -> None:  # noqa: ARG002 - all of them are in one database
        """Read and keep nothing any more, until it is closed."""
        self._here.is_lost = True

    def prepare(self, *, for_children: bool = False) -> None:  # noqa: ARG002 - connections are each process's own
        """Bring the schema up to date, one process at a time. Raises StoreBusy, StoreIsNewer, DatabaseUnusable.

        Nothing is done, and nobody asked, where that was done for this process before it began.
        """
        if self._was_prepared:
            return
        with self._apart() as db:
            make_sure_it_is_usable(db, self.address)
            make_sure_it_is_free(db, self.address)
            make_sure_it_may_be_made(db, self.address)
            migrate(db)

    def is_ready(self) -> bool:
        """Say whether the database answers and has the newest schema. Raises DatabaseExchanged."""
        try:
            return not self._here.tried(pending)
        except DatabaseExchanged:
            raise
        except (psycopg.Error, StoreTrouble):
            return False

    # --- the database as a whole ------------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        """Say where it is, without a password."""
        return self._where.shown

    def exists(self) -> bool:
        """Say whether there are tables of ours. Raises DatabaseUnusable if nobody can look."""
        with self._apart() as db:
            return is_there(db)

    def condition(self) -> Condition:
        """Look at the database as an operator does, and change nothing."""
        try:
            with self._apart() as db:
                return condition_of(db, self.address)
        except StoreTrouble as error:
            return Condition("postgresql", "", exists=None, warnings=[str(error) or type(error).__name__])

    def figures(self) -> Figures:
        """Say how large it is, and when a piece of its log was archived last."""
        with suppress(psycopg.Error, StoreTrouble):
            return self._here.tried(figures_of)
        return Figures(None, None, None, None)

    def free_bytes(self) -> int | None:
        """Give None: the server's disk is not seen from here."""
        return None

    def note_backup(self, at: str) -> None:
        """Refuse: what makes copies of a PostgreSQL database notes by itself when it did."""
        raise DatabaseUnusable(f"{self.address} is not backed up by this program ({at}): use {POSTGRESQL.copied_with}")

    def damage(self) -> Sequence[Damage]:
        """Say what is wrong with the database's own files, and with what no chain and no books cover."""
        with self._apart() as db:
            return list(damage_in(db))

    def copy(self, to: Address, progress: Progress = unseen) -> None:  # noqa: ARG002 - there is no progress to tell
        """Refuse, and say what to use instead. Raises BadAddress for another engine's, DatabaseUnusable."""
        refuse_another_engine(to)
        raise DatabaseUnusable(
            f"{self.address} is in PostgreSQL, whose own programs copy it: use {POSTGRESQL.copied_with}"
        )

    def restore(self, backup: Address, check: Check = unchecked) -> Address | None:  # noqa: ARG002 - see copy
        """Refuse, and say what to use instead. Raises BadAddress for another engine's, DatabaseUnusable."""
        refuse_another_engine(backup)
        raise DatabaseUnusable(
            f"{self.address} is in PostgreSQL, whose own programs bring it back: use {POSTGRESQL.copied_with}"
        )

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let this thread read everything as it stands at one moment, until the block ends."""
        with self._here.at_one_moment():
            yield


def refuse_another_engine(address: Address) -> None:
    """Make sure that an address is one of PostgreSQL's. Raises BadAddress."""
    if address.scheme not in SCHEMES:
        raise BadAddress(f"{address.shown!r} is no database of PostgreSQL's")
