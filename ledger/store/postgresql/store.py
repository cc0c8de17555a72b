"""The store itself: what the house asks of it, put to PostgreSQL."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import count, islice
from typing import Any

import psycopg

from ledger.books import Balances, Entry
from ledger.budget import breathe
from ledger.store import (
    BUSY_SECONDS,
    NOTHING,
    Check,
    Condition,
    Contents,
    Damage,
    DatabaseExchanged,
    DatabaseUnusable,
    Figures,
    Head,
    LinksCheck,
    Made,
    Packed,
    Progress,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    StoreTrouble,
    unchecked,
    unseen,
)
from ledger.store.address import Address, BadAddress
from ledger.store.postgresql.connections import DB, Connections
from ledger.store.postgresql.deleting import (
    begin_deletion,
    clear_away,
    delete_some,
    forget_some_made,
    idle_sessions,
    is_pending,
)
from ledger.store.postgresql.figures import condition_of, damage_in, figures_of, make_sure_it_is_usable
from ledger.store.postgresql.log import (
    ENTRY_COLUMNS,
    LINK_COLUMNS,
    PostgreSQLLog,
    add_link,
    add_session,
    change_link,
    events_in,
    head_of,
    is_alive,
    keep_once,
    links_of,
    made_in,
    reply_in,
    words_in,
)
from ledger.store.postgresql.migrations import is_there, migrate, pending
from ledger.store.postgresql.packing import is_as_packed, made_of, make_room, put_in, replies_after
from ledger.store.postgresql.troubles import trouble_named
from ledger.store.postgresql.writer import Block, Writer, nothing, place_of, row_of

SCHEMES = {"postgresql", "postgres"}

PAGE = 500
"""How many rows are read at a time, so that a long log is never in memory as a whole."""

AT_ONCE = 20
"""How many links that have expired are made dead at a time."""

INSTEAD = (
    "pg_basebackup with archived write-ahead logs (for any moment in the past), or pg_dump and pg_restore: see"
    " docs/operating.md"
)
"""What makes a copy of a PostgreSQL database, and brings it back."""

cursors = count()


class PostgreSQLStore:
    """A `Store` in one PostgreSQL database. Its connections are closed when nobody has it any more, or by `close`."""

    def __init__(self, address: Address, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._where = address
        self.busy_seconds = busy_seconds
        self._connections = self._in_this_process()

    # --- connections ------------------------------------------------------------------------------------------------

    def _in_this_process(self) -> Connections:
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
    def _apart(self) -> Iterator[DB]:
        """Lend a connection that is nobody else's. Raises DatabaseUnusable with what the server said."""
        try:
            db = self._here.connected()
        except psycopg.OperationalError as error:
            if error.sqlstate is not None:
                with trouble_named(self.address):
                    raise
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
        """Bring the schema up to date, one process at a time. Raises StoreBusy, StoreIsNewer, DatabaseUnusable."""
        with self._apart() as db:
            make_sure_it_is_usable(db, self.address)
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
                return condition_of(db)
        except StoreTrouble as error:
            return Condition("postgresql", "", exists=False, warnings=[str(error) or type(error).__name__])

    def figures(self) -> Figures:
        """Say how large it is, and when a piece of its log was archived last."""
        with suppress(psycopg.Error, StoreTrouble):
            return self._here.tried(figures_of)
        return Figures(None, None, None, None)

    def note_backup(self, at: str) -> None:
        """Refuse: what makes copies of a PostgreSQL database notes by itself when it did."""
        raise DatabaseUnusable(f"{self.address} is not backed up by this program ({at}): use {INSTEAD}")

    def damage(self) -> Sequence[Damage]:
        """Say what is wrong with the database's own files, and with what no chain and no books cover."""
        with self._apart() as db:
            return list(damage_in(db))

    def copy(self, to: Address, progress: Progress = unseen) -> None:  # noqa: ARG002 - there is no progress to tell
        """Refuse, and say what to use instead. Raises BadAddress for another engine's, DatabaseUnusable."""
        refuse_another_engine(to)
        raise DatabaseUnusable(f"{self.address} is in PostgreSQL, whose own programs copy it: use {INSTEAD}")

    def restore(self, backup: Address, check: Check = unchecked) -> Address | None:  # noqa: ARG002 - see copy
        """Refuse, and say what to use instead. Raises BadAddress for another engine's, DatabaseUnusable."""
        refuse_another_engine(backup)
        raise DatabaseUnusable(f"{self.address} is in PostgreSQL, whose own programs bring it back: use {INSTEAD}")

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let this thread read everything as it stands at one moment, until the block ends."""
        with self._here.at_one_moment():
            yield

    # --- sessions and their logs ------------------------------------------------------------------------------------

    def open_session(
        self,
        session: StoredSession,
        first_hash: bytes,
        link: StoredLink,
        contents: Contents = NOTHING,
        once: Made | None = None,
    ) -> None:
        """Keep a new session, the hash that its chain begins with, the link of its owner, and what it comes with."""

        def keep(block: Block) -> None:
            keep_once(block.db, once)
            add_session(block.db, session, Head(0, first_hash))
            add_link(block.db, session.id, link)
            log = PostgreSQLLog(block.db, session.id, Head(0, first_hash))
            log.append(*contents)
            block.send = log.send

        self._writer_here.done(place_of(session.id), keep, lambda db: head_of(db, session.id) is not None)

    @contextmanager
    def pack(self, session_id: str) -> Iterator[Packed]:
        """Give all that is kept of a session, as it stands at one moment, to be read in the block. Raises KeyError."""
        with self._here.at_a_short_moment():
            session, head = self.session(session_id), self.head(session_id)
            if session is None or head is None:
                raise KeyError(session_id)
            made = self._here.tried(partial(made_of, session_id=session_id))
            books, replies = (self.events(session_id), self.entries(session_id)), self._replies(session_id)
            yield Packed(session, head, self.links(session_id), self.balances(session_id), made, *books, replies)

    def _replies(self, session_id: str) -> Iterator[StoredReply]:
        """Read what requests with keys did, a page at a time, by key."""
        after: bytes | None = b""
        while after is not None:
            page = self._here.tried(partial(replies_after, session_id=session_id, key=after, limit=PAGE))
            yield from page
            after = page[-1].key if len(page) == PAGE else None

    def unpack(self, packed: Packed, *, over: Head | None = None) -> None:
        """Keep a session as it was packed, perhaps in the place of one that ends with a head: in one transaction."""
        session_id = packed.session.id
        ours = place_of(session_id) if over is None else row_of(session_id)
        with self._writer_here.block(ours, lambda db: is_as_packed(db, packed)) as block:
            if over is not None:
                if block.head != over:
                    raise KeyError(session_id)
                make_room(block.db, session_id)
            put_in(block.db, packed)
        self._here.calls.tell(session_id)

    def made(self, key: bytes) -> Made | None:
        """Find what a request with this key made, in whatever session."""
        return self._here.tried(lambda db: made_in(db, key))

    def forget_made(self, before: str) -> None:
        """Keep no longer with which keys something was made before a moment; some at a time, if there are any."""
        is_left = True
        while is_left:
            is_left = self._writer_here.done(nothing, lambda block: forget_some_made(block.db, before))

    def delete_session(self, session_id: str, *, idle_since: str | None = None) -> bool:
        """Delete a session and all that is in it, step by step, and have it cleared away."""
        is_there = self._writer_here.done(
            row_of(session_id),
            lambda block: begin_deletion(block.db, session_id, idle_since),
            lambda db: head_of(db, session_id) is None,
        )
        if is_there:
            self._here.calls.tell(session_id)
            self._forget_for_good(session_id)
        return is_there

    def _forget_for_good(self, *sessions_to_delete: str) -> bool:
        """Delete what is left of sessions that nobody finds any more, and have all that is forgotten cleared away.

        False if that has to be tried again. It is forgotten already, and so that is no failure.
        """
        with suppress(psycopg.Error, StoreTrouble):
            for session_id in sessions_to_delete:
                delete = partial(delete_some, session_id)
                while self._writer_here.done(nothing, delete):
                    pass
            with self._apart() as db:
                return clear_away(db)
        return False

    def forgetting_is_pending(self) -> bool:
        """Say whether something is still in a table's file; so it may be, if nobody can look."""
        with suppress(psycopg.Error, StoreTrouble):
            return self._here.tried(is_pending)
        return True

    def finish_forgetting(self) -> bool:
        """Try to have what is forgotten cleared away; False if somebody is in the way."""
        with suppress(psycopg.Error, StoreTrouble):
            return self._forget_for_good(*self.sessions_to_delete())
        return False

    def sessions_to_delete(self, idle_since: str | None = None) -> Iterator[str]:
        """List sessions whose deletion was not brought to its end, and idle ones, some at a time."""
        left = self._here.tried(
            lambda db: db.execute("SELECT id FROM sessions WHERE deleted_at IS NOT NULL").fetchall()
        )
        yield from (session_id for (session_id,) in left)
        after: str | None = "" if idle_since else None
        while after is not None:
            breathe()
            found, after = self._here.tried(partial(idle_sessions, after=after, since=idle_since))
            yield from found

    def session_ids(self) -> Sequence[str]:
        """List all sessions, oldest first, those of one second by id."""
        statement = "SELECT id FROM sessions WHERE deleted_at IS NULL ORDER BY created_at, id"
        return [row[0] for row in self._here.tried(lambda db: db.execute(statement).fetchall())]

    def session(self, session_id: str) -> StoredSession | None:
        """Find a session as it was opened."""

        def look(db: DB) -> StoredSession | None:
            row = db.execute(
                "SELECT body, version, created_at FROM sessions WHERE id = %s AND deleted_at IS NULL", [session_id]
            ).fetchone()
            if row is None:
                return None
            body, version, created_at = row
            return StoredSession(session_id, body, version, created_at, words_in(db, session_id, 0, 0).get(0, {}))

        return self._here.tried(look)

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends."""
        return self._here.tried(lambda db: head_of(db, session_id))

    def wait_for_news(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session's log goes beyond a seq, or the session is gone; False if neither happens in time."""
        return self._here.news.wait(session_id, after, seconds)

    @contextmanager
    def writing(self, session_id: str, *, alone: bool = False) -> Iterator[PostgreSQLLog]:  # noqa: ARG002 - each is
        """Open a session's log for writing, in a commit of its own. Raises KeyError, StoreBusy, StoreFull."""
        log: PostgreSQLLog | None = None
        with self._writer_here.block(row_of(session_id), lambda db: log is not None and log.is_kept(db)) as block:
            if block.head is None:
                raise KeyError(session_id)
            log = PostgreSQLLog(block.db, session_id, block.head)
            yield log
            block.send = log.send
        self._here.calls.tell(session_id)
        if log.has_forgotten:
            self._forget_for_good()

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        """Read rows of the log after a seq, oldest first, a page at a time."""
        while limit is None or limit > 0:
            most = PAGE if limit is None else min(limit, PAGE)
            page = self._here.tried(partial(events_in, session_id=session_id, after=after, limit=most))
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].seq
            limit = None if limit is None else limit - len(page)

    def entries(
        self, session_id: str, *, after: int = 0, limit: int | None = None, account: str | None = None
    ) -> Iterator[Entry]:
        """Read entries after an id, oldest first; of all accounts, or of one.

        Within a moment a cursor of the server's reads them, and a page at a time else.
        """
        if limit is not None and limit <= 0:
            return
        of_one = " AND %(account)s IN (payer, payee)" if account is not None else ""
        statement = (
            f"SELECT {ENTRY_COLUMNS} FROM entries WHERE session = %(session)s AND id > %(after)s{of_one} ORDER BY id"
        )
        values = {"session": session_id, "account": account}
        if (moment := self._here.moment) is not None:
            with moment.cursor(name=f"entries_{next(cursors)}") as rows, trouble_named(self.address):
                rows.itersize = PAGE
                rows.execute(statement, {**values, "after": after})
                yield from islice(map(Entry._make, rows), limit)
            return
        while limit is None or limit > 0:
            most = PAGE if limit is None else min(limit, PAGE)
            page = self._here.tried(partial(rows_of, f"{statement} LIMIT {most:d}", {**values, "after": after}))
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][0]
            limit = None if limit is None else limit - len(page)

    def balances(self, session_id: str) -> Balances:
        """Read what every account holds, in chips."""
        statement = "SELECT account, balance FROM balances WHERE session = %s"
        return dict(self._here.tried(lambda db: db.execute(statement, [session_id]).fetchall()))

    def reply(self, session_id: str, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        return self._here.tried(lambda db: reply_in(db, session_id, key))

    # --- links ------------------------------------------------------------------------------------------------------

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""
        return self._here.tried(lambda db: links_of(db, session_id))

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""
        statement = f"SELECT {LINK_COLUMNS} FROM links WHERE session = %s AND token_hash = %s"
        row = self._here.tried(lambda db: db.execute(statement, [session_id, token_hash]).fetchone())
        return StoredLink._make(row) if row else None

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        """Keep a new link. Raises KeyError, MadeBefore, StoreBusy, StoreFull."""

        def keep(block: Block) -> None:
            keep_once(block.db, once)
            if block.head is None:
                raise KeyError(session_id)
            add_link(block.db, session_id, link)

        self._writer_here.done(row_of(session_id), keep, lambda db: is_alive(db, session_id, link.id))

    def revoke_link(
        self,
        session_id: str,
        link_id: str,
        revoked_at: str,
        check: LinksCheck | None = None,
        *,
        patient: bool = True,
    ) -> bool:
        """Make a link dead; False if there is no such live link. Raises what `check` raises of the links."""

        def revoke(block: Block) -> bool:
            if check:
                check(links_of(block.db, session_id))
            if found := is_alive(block.db, session_id, link_id):
                change_link(block.db, session_id, link_id, revoked_at=revoked_at)
            return found

        take = row_of(session_id, patient=patient)
        return self._writer_here.done(take, revoke, lambda db: not is_alive(db, session_id, link_id))

    def revoke_expired_links(self, now: str) -> int:
        """Make links dead whose end is past, some at a time; say how many."""
        statement = "SELECT session, id FROM links WHERE revoked_at IS NULL AND expires_at <= %s LIMIT %s"
        found = self._here.tried(lambda db: db.execute(statement, [now, AT_ONCE]).fetchall())
        for session_id, link_id in found:
            self.revoke_link(session_id, link_id, now, patient=False)
        return len(found)


def rows_of(statement: str, values: Mapping[str, object], db: DB) -> list[tuple[Any, ...]]:
    """Read what a statement finds."""
    return db.execute(statement, values).fetchall()


def refuse_another_engine(address: Address) -> None:
    """Make sure that an address is one of PostgreSQL's. Raises BadAddress."""
    if address.scheme not in SCHEMES:
        raise BadAddress(f"{address.shown!r} is no database of PostgreSQL's")
