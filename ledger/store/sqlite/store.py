"""The store itself: what the house asks of it, put to SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path

from ledger.books import Balances, Entry
from ledger.budget import breathe
from ledger.store import (
    NOTHING,
    Check,
    Contents,
    Head,
    LinkChanged,
    LinksCheck,
    Made,
    Packed,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    StoreTrouble,
    unchecked,
)
from ledger.store.address import Address
from ledger.store.sqlite.deleting import begin_deletion, days_in, delete_some, forget_some_made, idle_sessions, note_day
from ledger.store.sqlite.files import path_of, put_in_place
from ledger.store.sqlite.forgetting import is_pending
from ledger.store.sqlite.log import (
    ENTRY_COLUMNS,
    EVERY,
    LINK_COLUMNS,
    SQLiteLog,
    add_link,
    add_session,
    entry_after,
    events_in,
    head_of,
    head_to_write,
    is_alive,
    keep_once,
    links_of,
    made_in,
    reply_in,
    session_of,
)
from ledger.store.sqlite.packing import clear_away, is_there, made_of, put_in, replies_of
from ledger.store.sqlite.sums import change_link
from ledger.store.sqlite.whole import Whole

PAGE = 500
"""How many rows are read at a time, so that a long log is never in memory as a whole."""

AT_ONCE = 20
"""How many links that have expired are made dead at a time."""

LOOKED_THROUGH = 2_000
"""How many entries are looked through at a time for those of an account: a millisecond."""


class SQLiteStore(Whole):
    """A `Store` in one SQLite file. Its connections are closed when nobody has it any more, or by `close`."""

    def restore(self, backup: Address, check: Check = unchecked) -> Address | None:
        """Put a copy of a backup in this file's place; give the file that what was there is kept as, if any."""
        self.close()

        def prepared_and_checked(fresh: Path) -> None:
            with closing(SQLiteStore(fresh, busy_seconds=self.busy_seconds)) as copy:
                copy.prepare()
                check(copy)

        aside = put_in_place(path_of(backup), self.path, prepared_and_checked)
        return None if aside is None else Address.read(aside)

    def open_session(
        self,
        session: StoredSession,
        first_hash: bytes,
        link: StoredLink,
        contents: Contents = NOTHING,
        once: Made | None = None,
    ) -> None:
        """Keep a new session, the hash that its chain begins with, the link of its owner, and what it comes with."""
        with self._here.writer.block(lambda db: head_of(db, session.id) is not None) as db:
            keep_once(db, once)
            add_session(db, session, Head(0, first_hash))
            add_link(db, session.id, link)
            SQLiteLog(db, session.id, Head(0, first_hash)).append(*contents)

    @contextmanager
    def pack(self, session_id: str) -> Iterator[Packed]:
        """Give all that is kept of a session, as it stands at one moment, to be read in the block. Raises KeyError."""
        with self.at_one_moment():
            with self._here.reading() as db:
                session, head = session_of(db, session_id), head_of(db, session_id)
                if session is None or head is None:
                    raise KeyError(session_id)
                made, replies = made_of(db, session_id), replies_of(db, session_id, PAGE)
            books = self.events(session_id), self.entries(session_id)
            yield Packed(session, head, self.links(session_id), self.balances(session_id), made, *books, replies)

    def unpack(self, packed: Packed, *, over: Head | None = None) -> None:
        """Keep a session as it was packed, perhaps in the place of one that ends with a head: in one transaction."""
        # alone: what is found there afterwards says nothing of what others wrote in the same transaction
        with self._here.writer.block(lambda db: is_there(db, packed), alone=True) as db:
            if over is not None:
                clear_away(db, packed.session.id, over)
            put_in(db, packed, PAGE)
        if over is not None:
            self._forget_for_good()

    def made(self, key: bytes) -> Made | None:
        """Find what a request with this key made, in whatever session."""
        with self._here.reading() as db:
            return made_in(db, key)

    def forget_made(self, before: str) -> None:
        """Keep no longer with which keys something was made before a moment; some at a time, if there are any."""
        with self._here.reading() as db:
            is_left = db.execute("SELECT 1 FROM made WHERE made_at < ? LIMIT 1", [before]).fetchone() is not None
        while is_left:
            with self._here.writer.block() as db:
                is_left = forget_some_made(db, before)

    def note_day(self, day: str) -> bool:
        """Note that the service ran on a day; False if that was noted before."""
        if day in self.days():
            return False
        with self._here.writer.block(lambda db: day in days_in(db)) as db:
            return note_day(db, day)

    def days(self) -> Sequence[str]:
        """List the days that were noted, in the order in which they were."""
        with self._here.reading() as db:
            return days_in(db)

    def delete_session(self, session_id: str, *, idle_since: str | None = None) -> bool:
        """Delete a session and all that is in it, step by step, and bring it off the disk."""
        # alone: a session that was not there before says nothing of what others wrote in the same transaction
        with self._here.writer.block(lambda db: head_of(db, session_id) is None, alone=True) as db:
            is_there = begin_deletion(db, session_id, idle_since)
        if is_there:
            self._forget_for_good(session_id)
        return is_there

    def _forget_for_good(self, *sessions_to_delete: str) -> bool:
        """Delete what is left of sessions that nobody finds any more, and bring all that is forgotten off the disk.

        False if that has to be tried again. It is forgotten already, and so that is no failure.
        """
        with suppress(sqlite3.Error, StoreTrouble):
            for session_id in sessions_to_delete:
                is_left = True
                while is_left:
                    with self._here.writer.block() as db:
                        is_left = delete_some(db, session_id)
            return self._here.forget_for_good()
        return False

    def forgetting_is_pending(self) -> bool:
        """Say whether something is still on the disk; so it may be, if nobody can look."""
        with suppress(sqlite3.Error, StoreTrouble), self._here.reading() as db:
            return is_pending(db)
        return True

    def finish_forgetting(self) -> bool:
        """Try to bring what is forgotten off the disk; False if somebody is in the way."""
        with suppress(sqlite3.Error, StoreTrouble):
            return self._forget_for_good(*self.sessions_to_delete())
        return False

    def sessions_to_delete(self, idle_since: str | None = None) -> Iterator[str]:
        """List sessions whose deletion was not brought to its end, and idle ones, some at a time."""
        with self._here.reading() as db:
            left = db.execute("SELECT id FROM sessions WHERE deleted_at IS NOT NULL AND moving IS NULL").fetchall()
        yield from (session_id for (session_id,) in left)
        after: str | None = "" if idle_since else None
        while after is not None:
            breathe()
            with self._here.reading() as db:
                found, after = idle_sessions(db, after, idle_since)
            yield from found

    def session_ids(self) -> Sequence[str]:
        """List all sessions, oldest first, those of one second by id."""
        statement = "SELECT id FROM sessions WHERE deleted_at IS NULL ORDER BY created_at, id"
        with self._here.reading() as db:
            return [row[0] for row in db.execute(statement).fetchall()]

    def session(self, session_id: str) -> StoredSession | None:
        """Find a session as it was opened."""
        with self._here.reading() as db:
            return session_of(db, session_id)

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends."""
        with self._here.reading() as db:
            return head_of(db, session_id)

    def wait_for_news(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session's log goes beyond a seq, or the session is gone; False if neither happens in time."""
        return self._here.news.wait(session_id, after, seconds)

    @contextmanager
    def writing(
        self,
        session_id: str,
        *,
        alone: bool = False,
        expected: Head | None = None,  # noqa: ARG002 - looking costs nothing here
        by: StoredLink | None = None,
    ) -> Iterator[SQLiteLog]:
        """Open a session's log for writing, perhaps in a commit of its own.

        Raises KeyError, LinkChanged, StoreBusy, StoreFull.
        """
        log: SQLiteLog | None = None
        with self._here.writer.block(lambda db: log is not None and log.is_kept(db), alone=alone) as db:
            head = head_to_write(db, session_id)
            if head is None:
                raise KeyError(session_id)
            if by is not None and by not in links_of(db, session_id):
                raise LinkChanged
            log = SQLiteLog(db, session_id, head)
            yield log
        if log.has_forgotten:
            self._forget_for_good()

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        """Read rows of the log after a seq, oldest first, a page at a time."""
        while limit is None or limit > 0:
            with self._here.reading() as db:
                page = events_in(db, session_id, after, PAGE if limit is None else min(limit, PAGE))
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].seq
            limit = None if limit is None else limit - len(page)

    def entries(
        self, session_id: str, *, after: int = 0, limit: int | None = None, account: str | None = None
    ) -> Iterator[Entry]:
        """Read entries after an id, oldest first, a page at a time; of all accounts, or of one."""
        if account is not None:
            yield from islice(self._entries_of(account, session_id, after), limit)
            return
        while limit is None or limit > 0:
            with self._here.reading() as db:
                page = db.execute(
                    f"SELECT {ENTRY_COLUMNS} FROM entries WHERE session = ? AND id > ? ORDER BY id LIMIT ?",
                    [session_id, after, PAGE if limit is None else min(limit, PAGE)],
                ).fetchall()
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][0]
            limit = None if limit is None else limit - len(page)

    def _entries_of(self, account: str, session_id: str, after: int) -> Iterator[Entry]:
        """Look through the entries after an id for those of an account: an index would cost every event that is kept.

        100,000 entries take 40 ms, and others go in between.
        """
        until: int | None = after
        while until is not None:
            breathe()
            with self._here.reading() as db:
                after, until = until, entry_after(db, session_id, until, LOOKED_THROUGH)
                page = db.execute(
                    f"SELECT {ENTRY_COLUMNS} FROM entries WHERE session = ? AND id > ? AND id <= ?"
                    " AND (payer = ? OR payee = ?) ORDER BY id",
                    [session_id, after, EVERY if until is None else until, account, account],
                ).fetchall()
            yield from map(Entry._make, page)

    def balances(self, session_id: str) -> Balances:
        """Read what every account holds, in chips."""
        with self._here.reading() as db:
            return dict(db.execute("SELECT account, balance FROM balances WHERE session = ?", [session_id]).fetchall())

    def reply(self, session_id: str, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        with self._here.reading() as db:
            return reply_in(db, session_id, key)

    # --- links ------------------------------------------------------------------------------------------------------

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""
        with self._here.reading() as db:
            return links_of(db, session_id)

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""
        with self._here.reading() as db:
            row = db.execute(
                f"SELECT {LINK_COLUMNS} FROM links WHERE session = ? AND token_hash = ?", [session_id, token_hash]
            ).fetchone()
        return StoredLink._make(row) if row else None

    def known_link(self, session_id: str, token_hash: bytes) -> StoredLink | None:  # noqa: ARG002 - nobody's
        """None of them: looking costs nothing here."""
        return None

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        """Keep a new link. Raises KeyError, MadeBefore, StoreBusy, StoreFull."""
        with self._here.writer.block(lambda db: is_alive(db, session_id, link.id)) as db:
            keep_once(db, once)
            if head_to_write(db, session_id) is None:
                raise KeyError(session_id)
            add_link(db, session_id, link)

    def revoke_link(
        self, session_id: str, link_id: str, revoked_at: str, check: LinksCheck | None = None, *, patient: bool = True
    ) -> bool:
        """Make a link dead; False if there is no such live link. Raises what `check` raises of the links."""
        # alone: a link that was dead before says nothing of what others wrote in the same transaction
        how = {"alone": True, "patient": patient}
        with self._here.writer.block(lambda db: not is_alive(db, session_id, link_id), **how) as db:
            if head_to_write(db, session_id) is None:
                return False
            if check:
                check(links_of(db, session_id))
            if found := is_alive(db, session_id, link_id):
                change_link(db, session_id, link_id, "revoked_at", revoked_at)
            return found

    def revoke_expired_links(self, now: str) -> int:
        """Make links dead whose end is past, some at a time; say how many."""
        with self._here.reading() as db:
            found = db.execute(
                "SELECT session, id FROM links WHERE revoked_at IS NULL AND expires_at <= ?"
                " AND session NOT IN (SELECT id FROM sessions WHERE moving IS NOT NULL) LIMIT ?",
                [now, AT_ONCE],
            ).fetchall()
        for session_id, link_id in found:
            self.revoke_link(session_id, link_id, now, patient=False)
        return len(found)
