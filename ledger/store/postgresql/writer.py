"""Writing: a transaction in which a session's row is ours, and what to believe when the database is lost in it.

Before the COMMIT is sent nothing can have been kept. Once it was sent and no answer came, only a look can tell: on
another connection, which first takes the session's row, and so waits until the lost transaction is over, one way or the
other. If nobody can be reached to look, or the row is not to be had in time, the answer is that the database is busy;
who repeats the request with its idempotency key then learns what became of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psycopg

from ledger.meters import COMMIT_SECONDS, COMMIT_WRITES
from ledger.store import Head, StoreBusy, StoreTrouble
from ledger.store.postgresql.connections import DB, Connections
from ledger.store.postgresql.log import locked_head
from ledger.store.postgresql.troubles import is_lost, raise_named

IsKept = Callable[[DB], bool]
"""Says whether what a block wrote lies in the database; not so, if it wrote nothing."""


def leaves_no_trace(_db: DB) -> bool:
    """Be taken for lost if that is in doubt, as what may as well be written once more."""
    return False


class Block:
    """A transaction that is going on. `head` is where the log ended of the session whose row it has, if there is one.

    `send` is what is sent last, together with the COMMIT.
    """

    def __init__(self, db: DB, head: Head | None) -> None:
        self.db = db
        self.head = head
        self.send: Callable[[], None] | None = None


class Writer:
    """A process's way to write."""

    def __init__(self, connections: Connections) -> None:
        self._here = connections

    @contextmanager
    def block(
        self, session_id: str | None = None, is_kept: IsKept = leaves_no_trace, *, patient: bool = True
    ) -> Iterator[Block]:
        """Write, with a session's row in hand if one is named: kept when the block ends, or not at all if it raises.

        Who is not patient waits for nobody's row. Raises StoreBusy, StoreFull.
        """
        until = self._here.until()
        block = self._begun(session_id, until, patient=patient)
        try:
            try:
                yield block
            except psycopg.Error as error:
                raise_named(error, self._here.shown)
            self._commit(block, session_id, is_kept, until)
        finally:
            self._here.given_back(block.db)

    def _begun(self, session_id: str | None, until: float, *, patient: bool) -> Block:
        """Begin a transaction and take a session's row; on another connection, if one is lost."""

        def begin(db: DB) -> Block:
            db.execute("BEGIN")
            return Block(db, None if session_id is None else locked_head(db, session_id, patient=patient))

        return self._here.tried(begin, until, keep=True)

    def _commit(self, block: Block, session_id: str | None, is_kept: IsKept, until: float) -> None:
        """Put all of it on the disk."""
        began = time.perf_counter()
        try:
            if block.send is None:
                block.db.execute("COMMIT")
            else:
                with block.db.pipeline():
                    block.send()
                    block.db.execute("COMMIT")
        except psycopg.Error as error:
            if not is_lost(error, block.db):
                raise_named(error, self._here.shown)
            block.db.close()
            if not self._was_kept(session_id, is_kept, until):
                raise StoreBusy from error
        COMMIT_SECONDS.saw(time.perf_counter() - began)
        COMMIT_WRITES.saw(1)

    def _was_kept(self, session_id: str | None, is_kept: IsKept, until: float) -> bool:
        """Look whether what a lost connection was to commit is there, once nobody else is about to commit it."""

        def look(db: DB) -> bool:
            with db.transaction():
                if session_id is not None:
                    locked_head(db, session_id)
                return is_kept(db)

        with suppress(StoreTrouble):
            return self._here.tried(look, until)
        return False
