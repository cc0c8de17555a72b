"""Writing a session without taking its row first: whoever knows where the log ends goes to the database once.

What is appended is sent as one statement, with no transaction around it, which adds nothing if the log ends elsewhere
by then (`appending`). Until it is sent, where the log ends is only believed. So whoever reads on in the block takes the
row after all; and if the block raises, or appends nothing, it is looked whether it was right to believe it. If it was
not, whatever the block did rests on nothing: NothingKept is raised, and whoever writes does it once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

from ledger.books import Balances, Entry
from ledger.store import Head, NothingKept, StoredEvent, StoredLink, StoredReply, StoredSession, StoreTrouble
from ledger.store.postgresql.appending import Appended, stands_at
from ledger.store.postgresql.connections import DB, Connections
from ledger.store.postgresql.log import PostgreSQLLog, reply_in
from ledger.store.postgresql.writer import Writer, row_of


class UnlockedLog:
    """A `Log` of which it is believed where it ends, until something is read. `has_forgotten` is as of any log."""

    def __init__(self, here: Connections, writer: Writer, unsent: Appended, transaction: ExitStack) -> None:
        self._here = here
        self._writer = writer
        self._session = unsent.session
        self._transaction = transaction
        self._unsent = unsent
        self._locked: PostgreSQLLog | None = None

    @property
    def head(self) -> Head:
        """Where the log ends now, as it is believed."""
        return self._locked.head if self._locked else self._unsent.head

    @property
    def has_forgotten(self) -> bool:
        """Whether something was forgotten."""
        return self._locked is not None and self._locked.has_forgotten

    def events(self, after: int) -> Sequence[StoredEvent]:
        """Read the rows after a seq, oldest first."""
        return self._for_certain().events(after)

    def reply(self, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before.

        None is true only if the log ends where it is believed to, as all that is found here is.
        """
        if self._locked or self._unsent:
            return self._for_certain().reply(key)
        return self._here.tried(partial(reply_in, session_id=self._session, key=key))

    def append(
        self,
        events: Sequence[StoredEvent],
        entries: Sequence[Entry],
        balances: Balances,
        reply: StoredReply | None = None,
    ) -> None:
        """Add rows to the log, entries to the books, and set the balances given."""
        (self._locked or self._unsent).append(events, entries, balances, reply)

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""
        return self._for_certain().session()

    def links(self) -> Sequence[StoredLink]:
        """List the session's links, oldest first, dead ones included."""
        return self._for_certain().links()

    def forget(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        """Write other texts over some words, whose salts go too, and over the labels of some links."""
        self._for_certain().forget(words, labels)

    def _for_certain(self) -> PostgreSQLLog:
        """Take the session's row until the block ends. Raises NothingKept if its log ends elsewhere."""
        if self._locked is None:
            began = self._unsent.began
            block = self._transaction.enter_context(self._writer.block(row_of(self._session), self._is_kept))
            if block.head != began or not self._unsent.may_be_added(block.db):
                raise NothingKept
            self._locked = PostgreSQLLog(block.db, self._session, self._unsent)
            block.send = self._locked.send
        return self._locked

    def _is_kept(self, db: DB) -> bool:
        return self._locked is not None and self._locked.is_kept(db)

    def end(self) -> None:
        """Send what is not on its way with a transaction. Raises NothingKept if the log ends elsewhere."""
        if self._locked is not None:
            return
        if self._unsent:
            self._writer.send(self._session, self._unsent)
        else:
            self.make_sure()

    def make_sure(self) -> None:
        """Look whether it was right to believe where the log ends. Raises NothingKept if it was not."""
        if self._locked is None:
            look = partial(stands_at, session_id=self._session, head=self._unsent.began)
            if not self._here.tried(look):
                raise NothingKept


@contextmanager
def unlocked(here: Connections, writer: Writer, unsent: Appended) -> Iterator[UnlockedLog]:
    """Open the log of a session for writing that is believed to stand as what is to be appended has it.

    Raises NothingKept if it does not.
    """
    with ExitStack() as transaction:
        log = UnlockedLog(here, writer, unsent, transaction)
        try:
            yield log
        except StoreTrouble:
            raise
        except Exception as error:
            try:
                log.make_sure()
            except NothingKept:
                raise NothingKept from error
            raise
        log.end()
