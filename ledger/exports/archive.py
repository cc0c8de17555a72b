"""What a file to take home is made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ledger.books import Entry
from ledger.history import Session
from ledger.records import Record
from ledger.responses.events import LoggedEvent, with_statuses
from ledger.storage.errors import NotFound
from ledger.storage.records import StoredEvent, StoredSession
from ledger.storage.store import Store

T = TypeVar("T")


class SessionArchive(Record):
    """Everything of a session as it stood at one moment; what is recorded later is not in it.

    It is read as it is asked for. If the session is deleted meanwhile, whoever reads on is told so by NotFound, since
    what they have would else pass for all of it.
    """

    session: Session
    store: Store

    def events(self) -> Iterator[LoggedEvent]:
        """Read the log, oldest first, each event with what became of it."""
        told = with_statuses(self.store, self.session.id, self.rows(), self.session.state)
        return all_of(told, self.session.state.seq)

    def rows(self) -> Iterator[StoredEvent]:
        """Read the log as it is stored, oldest first."""
        last = self.session.state.seq
        return all_of(self.store.events(self.session.id, limit=last), last)

    def opening(self) -> StoredSession:
        stored = self.store.session(self.session.id)
        if stored is None:
            raise NotFound
        return stored

    def entries(self) -> Iterator[Entry]:
        """Read the ledger, oldest first."""
        last = self.session.state.books.last_entry
        return all_of(self.store.entries(self.session.id, limit=last), last)


def all_of(found: Iterator[T], count: int) -> Iterator[T]:
    """Give what is found of so many. Raises NotFound where it ends too early."""
    for one in found:
        count -= 1
        yield one
    if count:
        raise NotFound
