"""The store: the log and what follows from it, in and out of a database. It has no opinions.

`Store` is all that the rest of the house knows of a database, and `tests/store/contract.py` is what every store has to
keep. `open_store` is the one door to it: which engine is behind it, an address says, and nothing outside this room
asks. Nothing crosses sessions in a transaction. There is one way to write a session: `writing` gives its `Log`, to one
writer at a time; what is appended there is kept as a whole when the block ends, or not at all when it raises. Reads see
what is kept, and nothing else: within a block, only its `Log` sees what has been appended. A store may let blocks share
one commit. A block then sees what those before it appended to its session; so none of them ends before that commit is
safe on disk, neither well nor by raising, and if it fails all of them raise why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from os import PathLike
from typing import Protocol, runtime_checkable

from ledger.books import Balances, Entry
from ledger.store.address import ENGINES, Address
from ledger.store.patience import impatient as impatient
from ledger.store.records import NOTHING as NOTHING
from ledger.store.records import ROLES as ROLES
from ledger.store.records import Condition as Condition
from ledger.store.records import Contents as Contents
from ledger.store.records import Damage as Damage
from ledger.store.records import Figures as Figures
from ledger.store.records import Head as Head
from ledger.store.records import LinksCheck as LinksCheck
from ledger.store.records import Made as Made
from ledger.store.records import Packed as Packed
from ledger.store.records import Role as Role
from ledger.store.records import StoredEvent as StoredEvent
from ledger.store.records import StoredLink as StoredLink
from ledger.store.records import StoredReply as StoredReply
from ledger.store.records import StoredSession as StoredSession
from ledger.store.records import new_nonce as new_nonce
from ledger.store.records import timestamp as timestamp
from ledger.store.troubles import CannotBeOpened as CannotBeOpened
from ledger.store.troubles import DatabaseDamaged as DatabaseDamaged
from ledger.store.troubles import DatabaseExchanged as DatabaseExchanged
from ledger.store.troubles import DatabaseUnusable as DatabaseUnusable
from ledger.store.troubles import LinkChanged as LinkChanged
from ledger.store.troubles import MadeBefore as MadeBefore
from ledger.store.troubles import NoneFree as NoneFree
from ledger.store.troubles import NothingKept as NothingKept
from ledger.store.troubles import NotThere as NotThere
from ledger.store.troubles import StoreBusy as StoreBusy
from ledger.store.troubles import StoreFull as StoreFull
from ledger.store.troubles import StoreIsNewer as StoreIsNewer
from ledger.store.troubles import StoreTrouble as StoreTrouble

BUSY_SECONDS = 20.0
"""How long a writer waits for its turn before it gives up."""


Progress = Callable[[int, int], None]
"""Told how much is left, and of how much in all."""


def unseen(_left: int, _total: int) -> None:
    """Nobody watches."""


Check = Callable[["Store"], None]
"""Given a database that is about to be taken; raises if it must not be."""


def unchecked(_store: Store) -> None:
    """Nobody minds."""


class Log(Protocol):
    """One session's log, open for writing.

    Who writes asks it, and not the store, for what they need of the session meanwhile: the store may have to lend
    another connection for that, and those who wait for one may have all there are.
    """

    @property
    def head(self) -> Head:
        """Where the log ends now."""

    def events(self, after: int) -> Sequence[StoredEvent]:
        """Read the rows after a seq, oldest first."""

    def reply(self, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""

    def append(
        self,
        events: Sequence[StoredEvent],
        entries: Sequence[Entry],
        balances: Balances,
        reply: StoredReply | None = None,
    ) -> None:
        """Add rows to the log, entries to the books, and set the balances given: all of it, or nothing."""

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""

    def links(self) -> Sequence[StoredLink]:
        """List the session's links, oldest first, dead ones included."""

    def forget(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        """Write other texts over some words, whose salts go too, and over the labels of some links.

        When the block ends, they are in none of the engine's files, or that is pending.
        """


class Store(Protocol):
    """What the house needs of a database. Reads of a session that is not there give None, or nothing."""

    @property
    def address(self) -> str:
        """Say where it is, without a password."""

    def exists(self) -> bool:
        """Say whether there is a database at the address."""

    def prepare(self, *, for_children: bool = False) -> None:
        """Bring the schema up to date; safe to call from several processes at once.

        `for_children`: who is forked from this process later works with this very database, and with no other that is
        put in its place. Raises StoreBusy, StoreFull, StoreIsNewer, and DatabaseUnusable with what is wrong and what
        to do.
        """

    def is_ready(self) -> bool:
        """Say whether the database answers and has the newest schema. Raises DatabaseExchanged.

        From then on it is open in this process, and nobody can restore another over it.
        """

    def condition(self) -> Condition:
        """Look at the database as an operator does, and change nothing; it need not be ready, nor be there."""

    def figures(self) -> Figures:
        """Say how large it is now and when it was backed up; it costs so little that it may be asked all the time."""

    def free_bytes(self) -> int | None:
        """Give how many bytes are free on the database's disk; None where the disk is a database server's."""

    def note_backup(self, at: str) -> None:
        """Note that a copy was made and found whole, at a moment. The note is in no copy. Raises OSError."""

    def damage(self) -> Sequence[Damage]:
        """Say what is wrong with the engine's own files, and with what no chain and no books cover; nothing, if whole.

        It looks through all of them, and takes as long as reading them.
        """

    def copy(self, to: Address, progress: Progress = unseen) -> None:
        """Copy the database, as it stands at one moment and while it is in use, over what may be at an address.

        Raises BadAddress for one of another engine.
        """

    def restore(self, backup: Address, check: Check = unchecked) -> Address | None:
        """Put a copy of a backup in this database's place; say where what was there is kept, if anything was.

        The backup is only read. It is the copy that is brought up to date and given to `check`, which raises if it may
        not take the place. Raises BadAddress for one of another engine, StoreIsNewer, StoreFull, and DatabaseUnusable
        if the backup cannot be used or anybody has this database open.
        """

    def lose(self, session_id: str | None = None) -> None:
        """Be told that what is kept here is not what was kept before, as a session shows: it was exchanged.

        From then on whoever reads or writes is told DatabaseExchanged, until the store is closed; in a service so is
        every process that was handed this database (`prepare`), until all of it is started again.
        """

    def close(self) -> None:
        """Let go of all that this process holds. Whoever uses the store again opens it again."""

    def open_session(
        self,
        session: StoredSession,
        first_hash: bytes,
        link: StoredLink,
        contents: Contents = NOTHING,
        once: Made | None = None,
    ) -> None:
        """Keep a new session, the hash that its chain begins with, the link of its owner, and what it comes with.

        Raises MadeBefore, and keeps nothing, if a request with the key of `once` has made something.
        """

    def made(self, key: bytes) -> Made | None:
        """Find what a request with this key made, in whatever session."""

    def forget_made(self, before: str) -> None:
        """Keep no longer with which keys something was made before a moment. What was made stays."""

    def pack(self, session_id: str) -> AbstractContextManager[Packed]:
        """Give all that is kept of a session, as it stands at one moment, to be read by this thread in the block.

        Raises KeyError, also of a session whose deletion is pending. It cannot be asked for within `at_one_moment`.
        """

    def unpack(self, packed: Packed, *, over: Head | None = None) -> None:
        """Keep a session as it was packed, by whatever engine: all of it, or nothing, also if reading it raises.

        What is the engine's own, as checksums are, it makes anew. `over` is the head of the session that it takes the
        place of, of which nothing stays, or that is pending; raises KeyError if none is there that ends so. Without it,
        a session that is there is contradicted. A key with which something was made here already stays with that.
        """

    def note_day(self, day: str) -> bool:
        """Note that the service ran on a day (ISO 8601); False if that was noted. Raises StoreBusy, StoreFull."""

    def days(self) -> Sequence[str]:
        """List the days that were noted, in the order in which they were."""

    def delete_session(self, session_id: str, *, idle_since: str | None = None) -> bool:
        """Delete a session and all that is in it, and have it cleared away (`finish_forgetting`).

        From the beginning nobody finds it any more, its links included, and nothing is recorded in it; it is deleted in
        small steps between which others may write. What cannot be done at once is pending. With `idle_since`, only if
        nothing was recorded in it since a moment, nor was it opened. False if there is no such session. Raises
        StoreBusy, StoreFull.
        """

    def sessions_to_delete(self, idle_since: str | None = None) -> Iterator[str]:
        """List, as they are asked for, sessions whose deletion was not brought to its end.

        With `idle_since` also those in which nothing was recorded since a moment, nor were they opened.
        """

    def forgetting_is_pending(self) -> bool:
        """Say whether something that was forgotten or deleted, by anybody, is still to be cleared away.

        It is asked often. Whoever cannot look says that it may be.
        """

    def finish_forgetting(self) -> bool:
        """Try to have what is forgotten or deleted cleared away; False if that is still pending.

        That is as much as the engine can do while others go on. SQLite's files do not have it any more then; in
        PostgreSQL's the room that it took is free, and has its bytes until something else is written there. Nobody
        waits for it: neither who reads or writes meanwhile, nor who tries, if somebody reads.
        """

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Let this thread read everything as it stands at one moment, until the block ends."""

    def session_ids(self) -> Sequence[str]:
        """List all sessions, oldest first, those of one second by id."""

    def session(self, session_id: str) -> StoredSession | None:
        """Find a session as it was opened."""

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends."""

    def wait_for_news(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session's log goes beyond a seq, whoever records it, or the session is gone.

        False if neither has happened in so many seconds. An engine may call a moment late, but nobody is forgotten.
        """

    def writing(
        self, session_id: str, *, alone: bool = False, expected: Head | None = None, by: StoredLink | None = None
    ) -> AbstractContextManager[Log]:
        """Open a session's log for writing, perhaps in a commit of its own.

        Raises KeyError, StoreFull, StoreBusy; NothingKept if whoever writes may as well do it all once more. That is
        also raised, whatever the block raises, by a store that has believed the log to end where it is `expected` to,
        and is found to be wrong; who expects nothing is told where it ends.

        What is written `by` a link that was only known is kept only if the link is as it was known. If it is not,
        LinkChanged is raised, or NothingKept by a store that has believed it; who expects nothing is told at once.
        """

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        """Read rows of the log after a seq, oldest first, as they are asked for."""

    def entries(
        self, session_id: str, *, after: int = 0, limit: int | None = None, account: str | None = None
    ) -> Iterator[Entry]:
        """Read entries after an id, oldest first, as they are asked for; of all accounts, or of one."""

    def balances(self, session_id: str) -> Balances:
        """Read what every account holds, in chips."""

    def reply(self, session_id: str, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""

    def known_link(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Give a link as it was when it was last found, if looking for it is dear here; it may have changed since.

        Whoever lets somebody in by it writes `by` it, or looks for it after all.
        """

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        """Keep a new link. Raises KeyError, StoreBusy, StoreFull.

        Raises MadeBefore, and keeps nothing, if a request with the key of `once` has made something.
        """

    def revoke_link(
        self, session_id: str, link_id: str, revoked_at: str, check: LinksCheck | None = None, *, patient: bool = True
    ) -> bool:
        """Make a link dead; False if there is no such live link. Who is not patient is told StoreBusy at once.

        `check` is given the session's links as they are in that moment; if it raises, the link stays as it is.
        """

    def revoke_expired_links(self, now: str) -> int:
        """Make some links dead whose end is past by this moment; say how many. Raises StoreBusy, StoreFull."""


def prepare_for_children(address: Address, *, busy_seconds: float = BUSY_SECONDS) -> None:
    """Bring a database up to date (`Store.prepare`) in a process that forks later, and has not opened it before.

    An engine whose library must not be in this process does it in another. Raises what `prepare` raises.
    """
    engine = import_module(ENGINES[address.scheme].module)
    if prepare := getattr(engine, "prepare_for_children", None):
        prepare(address, busy_seconds=busy_seconds)
    else:
        open_store(address, busy_seconds=busy_seconds).prepare(for_children=True)


def open_store(address: Address | PathLike[str] | str, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open the store at an address or a path; what is there is not looked at yet. Raises BadAddress."""
    where = Address.read(address)
    store: Store = import_module(ENGINES[where.scheme].module).open_at(where, busy_seconds=busy_seconds)
    return store
