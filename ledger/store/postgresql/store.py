"""The store itself: what the house asks of it, put to PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count, islice
from typing import Any

import psycopg

from ledger.books import Balances, Entry
from ledger.budget import breathe
from ledger.store import (
    NOTHING,
    Contents,
    Head,
    LinkChanged,
    Made,
    NothingKept,
    Packed,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    StoreTrouble,
)
from ledger.store.postgresql.appending import Appended, has_link
from ledger.store.postgresql.connections import DB
from ledger.store.postgresql.deleting import (
    begin_deletion,
    clear_away,
    days_in,
    delete_some,
    forget_some_made,
    idle_sessions,
    is_pending,
    note_day,
    take_row,
    was_deletion_begun,
)
from ledger.store.postgresql.links import Links
from ledger.store.postgresql.log import (
    ENTRY_COLUMNS,
    PostgreSQLLog,
    add_link,
    add_session,
    events_in,
    head_of,
    keep_once,
    made_in,
    reply_in,
    session_of,
    was_opened,
)
from ledger.store.postgresql.packing import is_as_packed, made_of, make_room, put_in, replies_after
from ledger.store.postgresql.troubles import trouble_named
from ledger.store.postgresql.unlocked import UnlockedLog, unlocked
from ledger.store.postgresql.writer import Block, having_begun, nothing, place_of, row_of

PAGE = 500
"""How many rows are read at a time, so that a long log is never in memory as a whole."""

MANY_SECONDS = 120.0
"""How long whoever keeps a whole session at once waits for an answer, at least."""

PATIENT = "SET LOCAL idle_in_transaction_session_timeout = '2min'"
"""Whoever writes what another database tells says nothing for as long as that one is looked for."""

cursors = count()


class PostgreSQLStore(Links):
    """A `Store` in one PostgreSQL database. Its connections are closed when nobody has it any more, or by `close`."""

    def open_session(
        self,
        session: StoredSession,
        first_hash: bytes,
        link: StoredLink,
        contents: Contents = NOTHING,
        once: Made | None = None,
    ) -> None:
        """Keep a new session, the hash that its chain begins with, the link of its owner, and what it comes with."""
        transaction = ""

        def keep(block: Block) -> None:
            nonlocal transaction
            if contents != NOTHING:
                block.db.waits(seconds=max(MANY_SECONDS, self.busy_seconds))
            keep_once(block.db, once)
            transaction = add_session(block.db, session, Head(0, first_hash))
            add_link(block.db, session.id, link)
            log = PostgreSQLLog(block.db, session.id, Appended(session.id, Head(0, first_hash)))
            log.append(*contents)
            block.send = log.send

        self._writer_here.done(place_of(session.id), keep, lambda db: was_opened(db, session.id, transaction))

    @contextmanager
    def pack(self, session_id: str) -> Iterator[Packed]:
        """Give all that is kept of a session, as it stands at one moment, to be read in the block. Raises KeyError."""
        with self._here.at_a_short_moment():
            session = self._here.tried(partial(session_of, session_id=session_id))
            head = self._here.tried(partial(head_of, session_id=session_id))
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
            block.db.waits(seconds=max(MANY_SECONDS, self.busy_seconds))
            block.db.execute(PATIENT)
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

    def note_day(self, day: str) -> bool:
        """Note that the service ran on a day; False if that was noted before."""
        if day in self.days():
            return False
        return self._writer_here.done(nothing, lambda block: note_day(block.db, day), lambda db: day in days_in(db))

    def days(self) -> Sequence[str]:
        """List the days that were noted, in the order in which they were."""
        return self._here.tried(days_in)

    def delete_session(self, session_id: str, *, idle_since: str | None = None) -> bool:
        """Delete a session and all that is in it, step by step, and have it cleared away."""
        mark: str | None = None

        def begin(block: Block) -> bool:
            nonlocal mark
            is_there, mark = begin_deletion(block.db, session_id, idle_since)
            return is_there

        is_there = self._writer_here.done(
            row_of(session_id), begin, lambda db: was_deletion_begun(db, session_id, mark)
        )
        if is_there:
            self._here.calls.tell(session_id)
            self._forget_for_good(session_id, seconds=self.busy_seconds)
        return is_there

    def _forget_for_good(self, *sessions_to_delete: str, seconds: float | None = None) -> bool:
        """Delete what is left of sessions that nobody finds any more, and have all that is forgotten cleared away.

        False if that has to be tried again, as if it is to take no more than some seconds and does. It is forgotten
        already, and so that is no failure.
        """
        with suppress(psycopg.Error, StoreTrouble):
            for session_id in sessions_to_delete:
                take, delete = having_begun(partial(take_row, session_id), session_id), partial(delete_some, session_id)
                while self._writer_here.done(take, delete):
                    pass
            with self._here.clearing.place(self._here.until()), self._apart() as db:
                db.waits(seconds=seconds)
                return clear_away(db)
        return False

    def forgetting_is_pending(self) -> bool:
        """Say whether something is still to be cleared away; so it may be, if nobody can look."""
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
            lambda db: db.execute("SELECT id FROM sessions WHERE deleted_at IS NOT NULL AND moving IS NULL").fetchall()
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
        return self._here.tried(partial(session_of, session_id=session_id))

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends."""
        return self._here.tried(lambda db: head_of(db, session_id))

    def wait_for_news(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session's log goes beyond a seq, or the session is gone; False if neither happens in time."""
        return self._here.news.wait(session_id, after, seconds)

    @contextmanager
    def writing(
        self,
        session_id: str,
        *,
        alone: bool = False,  # noqa: ARG002 - each is
        expected: Head | None = None,
        by: StoredLink | None = None,
    ) -> Iterator[PostgreSQLLog | UnlockedLog]:
        """Open a session's log for writing, in a commit of its own.

        Raises KeyError, LinkChanged, StoreBusy, StoreFull.
        """
        with self._opened(session_id, expected, by) as log:
            yield log
        self._here.calls.tell(session_id)
        if log.has_forgotten:
            self._forget_for_good(seconds=self.busy_seconds)

    @contextmanager
    def _opened(
        self, session_id: str, expected: Head | None, by: StoredLink | None
    ) -> Iterator[PostgreSQLLog | UnlockedLog]:
        """Open a session's log for writing: with its row, or believing that it ends where it is expected to."""
        here, writer = self._here, self._writer_here
        if expected is not None and writer.beliefs.held(session_id):
            try:
                with unlocked(here, writer, Appended(session_id, expected, by=by)) as believed:
                    yield believed
            except NothingKept:
                writer.beliefs.was(session_id, right=False)
                raise
            finally:
                writer.beliefs.over(session_id)
            return
        log: PostgreSQLLog | None = None
        with writer.block(row_of(session_id), lambda db: log is not None and log.is_kept(db)) as block:
            if block.head is None:
                raise KeyError(session_id)
            if by is not None and not has_link(block.db, session_id, by):
                raise LinkChanged
            if expected is not None:
                writer.beliefs.was(session_id, right=block.head == expected)
            log = PostgreSQLLog(block.db, session_id, Appended(session_id, block.head))
            yield log
            block.send = log.send

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
            with self._here.cursor(moment, f"entries_{next(cursors)}") as rows, trouble_named(self.address):
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


def rows_of(statement: str, values: Mapping[str, object], db: DB) -> list[tuple[Any, ...]]:
    return db.execute(statement, values).fetchall()
