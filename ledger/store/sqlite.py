"""The store on SQLite, through sqlite-utils.

How writing works: a process writes through one connection, when it is its turn (`writer`). A transaction begins with
BEGIN IMMEDIATE, because a deferred one that reads first cannot wait for its turn and fails at once, and
synchronous=FULL means that what has been acknowledged is on the disk. Readers have connections of their own; WAL lets
them go on meanwhile, and they see what has been committed and nothing else.

What is forgotten is gone from the disk too: secure_delete writes zeros over it, and the write-ahead log, which may
still have it, is brought in and cut off.

Schema, migrations and look-ups go through the table API; the few statements that every event runs go through
`db.execute` and `executemany`, which cost a fraction of it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from ledger.books import Balances, Entry
from ledger.hash_chain import SaltedText
from ledger.store import (
    NOTHING,
    Contents,
    Head,
    StoreBusy,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
)
from ledger.store.migrations import MIGRATIONS, refuse_newer
from ledger.store.writer import Gate, Writer, trouble_named

BUSY_SECONDS = 20.0
"""How long a writer waits for its turn before it gives up."""

PAGE = 500
"""How many rows are read at a time, so that a long log is never in memory as a whole."""

PAGES_A_STEP = 1_000
"""How many pages a copy takes between telling how far it is."""

_EVENT_COLUMNS = "seq, type, round, version, body, recorded_at, recorded_by, changes, hash"
_ENTRY_COLUMNS = ", ".join(Entry._fields)
_LINK_COLUMNS = ", ".join(StoredLink._fields)
_REPLY_COLUMNS = ", ".join(StoredReply._fields)


class SQLiteStore:
    """A `Store` in one SQLite file. Its connections are closed when nobody has the store any more, or by `close`."""

    def __init__(self, path: Path | str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = Path(path)
        self.busy_seconds = busy_seconds
        self._connections = self._in_this_process()

    # --- connections ------------------------------------------------------------------------------------------------

    def _in_this_process(self) -> _Connections:
        connections = _Connections(self.path, self.busy_seconds)
        weakref.finalize(self, connections.close)
        return connections

    @property
    def _here(self) -> _Connections:
        """The connections of this process. Raises RuntimeError in a child that was forked while there were some."""
        if self._connections.pid != os.getpid():
            if self._connections.are_open:
                raise RuntimeError("SQLite's locks do not survive a fork: close the store before")
            self._connections = self._in_this_process()
        return self._connections

    def close(self) -> None:
        """Close the connections of this process. Whoever uses the store again gets new ones."""
        self._here.close()

    def prepare(self) -> None:
        """Bring the schema up to date, one process at a time. Raises StoreBusy, StoreIsNewer.

        It leaves no connection open, so a process may fork after it.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        until = time.monotonic() + self.busy_seconds
        with (
            trouble_named(),
            closing(Gate(self.path)) as gate,
            gate.held(until),
            closing(connect(self.path, self.busy_seconds)) as db,
        ):
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN IMMEDIATE")
            refuse_newer(db)
            MIGRATIONS.apply(db)
            db.execute("COMMIT")

    def copy_to(self, path: Path, progress: Callable[[int, int], None] = lambda _left, _total: None) -> None:
        """Copy the database to another file while it is in use; `progress` is told the pages left and in all."""
        with self.at_one_moment(), self._here.reading() as db, closing(sqlite3.connect(path)) as copy:
            _head(db, "")  # the moment begins with the first look; without one, each write would start the copy anew
            db.conn.backup(copy, pages=PAGES_A_STEP, progress=lambda _status, left, total: progress(left, total))

    def damage(self) -> Sequence[str]:
        """Say what SQLite finds wrong with the file itself; nothing, if it is whole."""
        with self._here.reading() as db:
            found = [str(row[0]) for row in db.execute("PRAGMA integrity_check").fetchall()]
        return [] if found == ["ok"] else found

    def is_ready(self) -> bool:
        """Say whether the database answers and has the newest schema."""
        try:
            with self._here.reading() as db:
                return not MIGRATIONS.pending(db)
        except (sqlite3.Error, StoreBusy):
            return False

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
    ) -> None:
        """Keep a new session, the hash that its chain begins with, the link of its owner, and what it comes with."""
        with self._here.writer.block(session.id) as db:
            db.table("sessions").insert(
                {
                    "id": session.id,
                    "seq": 0,
                    "hash": first_hash,
                    "body": session.body,
                    "version": session.version,
                    "created_at": session.created_at,
                }
            )
            db.table("words").insert_all(
                {"session": session.id, "seq": 0, "place": place, "salt": word.salt, "text": word.text}
                for place, word in session.words.items()
            )
            db.table("links").insert({"session": session.id, **link._asdict()})
            SQLiteLog(db, session.id, Head(0, first_hash)).append(*contents)

    def session_ids(self) -> Sequence[str]:
        """List all sessions, oldest first."""
        with self._here.reading() as db:
            return [row[0] for row in db.execute("SELECT id FROM sessions ORDER BY rowid").fetchall()]

    def session(self, session_id: str) -> StoredSession | None:
        """Find a session as it was opened."""
        with self._here.reading() as db:
            row = db.execute("SELECT body, version, created_at FROM sessions WHERE id = ?", [session_id]).fetchone()
            if row is None:
                return None
            body, version, created_at = row
            words = _words(db, session_id, 0, 0).get(0, {})
        return StoredSession(session_id, body, version, created_at, words)

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends."""
        with self._here.reading() as db:
            return _head(db, session_id)

    @contextmanager
    def writing(self, session_id: str) -> Iterator[SQLiteLog]:
        """Open a session's log for writing. Raises KeyError, StoreBusy, StoreFull."""
        with self._here.writer.block(session_id) as db:
            head = _head(db, session_id)
            if head is None:
                raise KeyError(session_id)
            log = SQLiteLog(db, session_id, head)
            yield log
        if log.has_forgotten:
            with self._here.reading() as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        """Read rows of the log after a seq, oldest first, a page at a time."""
        while limit is None or limit > 0:
            with self._here.reading() as db:
                page = _events(db, session_id, after, PAGE if limit is None else min(limit, PAGE))
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].seq
            limit = None if limit is None else limit - len(page)

    def entries(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Read entries after an id, oldest first, a page at a time."""
        while limit is None or limit > 0:
            with self._here.reading() as db:
                page = db.execute(
                    f"SELECT {_ENTRY_COLUMNS} FROM entries WHERE session = ? AND id > ? ORDER BY id LIMIT ?",
                    [session_id, after, PAGE if limit is None else min(limit, PAGE)],
                ).fetchall()
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][0]
            limit = None if limit is None else limit - len(page)

    def balances(self, session_id: str) -> Balances:
        """Read what every account holds, in chips."""
        with self._here.reading() as db:
            return dict(db.execute("SELECT account, balance FROM balances WHERE session = ?", [session_id]).fetchall())

    def reply(self, session_id: str, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        with self._here.reading() as db:
            return _reply(db, session_id, key)

    # --- links ------------------------------------------------------------------------------------------------------

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""
        with self._here.reading() as db:
            rows = db.execute(
                f"SELECT {_LINK_COLUMNS} FROM links WHERE session = ? ORDER BY rowid", [session_id]
            ).fetchall()
        return [StoredLink._make(row) for row in rows]

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""
        with self._here.reading() as db:
            row = db.execute(
                f"SELECT {_LINK_COLUMNS} FROM links WHERE session = ? AND token_hash = ?",
                [session_id, token_hash],
            ).fetchone()
        return StoredLink._make(row) if row else None

    def add_link(self, session_id: str, link: StoredLink) -> None:
        """Keep a new link. Raises KeyError, StoreBusy, StoreFull."""
        with self._here.writer.block(session_id) as db:
            if _head(db, session_id) is None:
                raise KeyError(session_id)
            db.table("links").insert({"session": session_id, **link._asdict()})

    def revoke_link(self, session_id: str, link_id: str, revoked_at: str) -> bool:
        """Make a link dead; False if there is no such live link."""
        with self._here.writer.block(session_id) as db:
            cursor = db.execute(
                "UPDATE links SET revoked_at = ? WHERE session = ? AND id = ? AND revoked_at IS NULL",
                [revoked_at, session_id, link_id],
            )
            return cursor.rowcount == 1


class SQLiteLog:
    """A `Log` within a transaction."""

    def __init__(self, db: Database, session_id: str, head: Head) -> None:
        self._db = db
        self._session = session_id
        self.head = head
        self.has_forgotten = False

    def events(self, after: int) -> Sequence[StoredEvent]:
        """Read the rows after a seq, oldest first."""
        return _events(self._db, self._session, after, -1)

    def reply(self, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        return _reply(self._db, self._session, key)

    def append(
        self,
        events: Sequence[StoredEvent],
        entries: Sequence[Entry],
        balances: Balances,
        reply: StoredReply | None = None,
    ) -> None:
        """Add rows to the log, entries to the books, and set the balances given."""
        session, conn = self._session, self._db.conn
        conn.executemany(
            f"INSERT INTO events (session, {_EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(session, *e.sealed, e.hash) for e in events],
        )
        conn.executemany(
            "INSERT INTO words (session, seq, place, salt, text) VALUES (?, ?, ?, ?, ?)",
            [(session, e.seq, place, *word) for e in events for place, word in e.words.items()],
        )
        conn.executemany(
            f"INSERT INTO entries (session, {_ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(session, *entry) for entry in entries],
        )
        conn.executemany(
            "INSERT INTO balances (session, account, balance) VALUES (?, ?, ?)"
            " ON CONFLICT (session, account) DO UPDATE SET balance = excluded.balance",
            [(session, account, balance) for account, balance in balances.items()],
        )
        if reply:
            conn.execute(
                f"INSERT INTO replies (session, {_REPLY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
                (session, *reply),
            )
        if events:
            self.head = Head(events[-1].seq, events[-1].hash)
            conn.execute("UPDATE sessions SET seq = ?, hash = ? WHERE id = ?", (*self.head, session))

    def words(self) -> Mapping[tuple[int, str], SaltedText]:
        """Read all that people wrote in this session, by seq (0: the opening) and place."""
        found = _words(self._db, self._session, 0, self.head.seq)
        return {(seq, place): word for seq, words in found.items() for place, word in words.items()}

    def forget(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        """Write other texts over some words, whose salts go too, and over the labels of some links."""
        conn, self.has_forgotten = self._db.conn, True
        conn.executemany(
            "UPDATE words SET text = ?, salt = x'' WHERE session = ? AND seq = ? AND place = ?",
            [(text, self._session, seq, place) for (seq, place), text in words.items()],
        )
        conn.executemany(
            "UPDATE links SET label = ? WHERE session = ? AND id = ?",
            [(label, self._session, link) for link, label in labels.items()],
        )


class _Connections:
    """What one process has: connections for reading, lent to one thread at a time, and its writer."""

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self.pid = os.getpid()
        self.writer = Writer(path, lambda: connect(path, 0), busy_seconds)
        self._path = path
        self._busy_seconds = busy_seconds
        self._idle: deque[Database] = deque()
        self._lent: set[Database] = set()
        self._of_this_thread = threading.local()

    @property
    def are_open(self) -> bool:
        """Whether there are any."""
        return bool(self._idle or self._lent or self.writer.is_open)

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """Lend a connection."""
        lent: Database | None = getattr(self._of_this_thread, "moment", None)
        with trouble_named():
            if lent is not None:
                yield lent
                return
            try:
                db = self._idle.pop()
            except IndexError:
                db = connect(self._path, self._busy_seconds)
            self._lent.add(db)
            try:
                yield db
            finally:
                self._idle.append(db)
                self._lent.discard(db)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Lend this thread the same connection again and again, in one transaction."""
        with self.reading() as db:
            db.execute("BEGIN")
            self._of_this_thread.moment = db
            try:
                yield
            finally:
                self._of_this_thread.moment = None
                db.execute("ROLLBACK")

    def close(self) -> None:
        """Close them, unless they are another process's."""
        if self.pid == os.getpid():
            while self._idle:
                self._idle.pop().close()
            self.writer.close()


def connect(path: Path, busy_seconds: float) -> Database:
    """Open a connection that one thread at a time may use."""
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
            connection.execute(f"PRAGMA {pragma}")
        return Database(connection, strict=True)
    except sqlite3.Error:
        connection.close()
        raise


def _head(db: Database, session_id: str) -> Head | None:
    row = db.execute("SELECT seq, hash FROM sessions WHERE id = ?", [session_id]).fetchone()
    return Head._make(row) if row else None


def _reply(db: Database, session_id: str, key: bytes) -> StoredReply | None:
    row = db.execute(
        f"SELECT {_REPLY_COLUMNS} FROM replies WHERE session = ? AND key = ?", [session_id, key]
    ).fetchone()
    return StoredReply._make(row) if row else None


def _events(db: Database, session_id: str, after: int, limit: int) -> list[StoredEvent]:
    rows: list[Any] = db.execute(
        f"SELECT {_EVENT_COLUMNS} FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
        [session_id, after, limit],
    ).fetchall()
    if not rows:
        return []
    words = _words(db, session_id, rows[0][0], rows[-1][0])
    return [StoredEvent(*(*row, words.get(row[0], {}))) for row in rows]


def _words(db: Database, session_id: str, first: int, last: int) -> dict[int, dict[str, SaltedText]]:
    found: dict[int, dict[str, SaltedText]] = {}
    rows = db.execute(
        "SELECT seq, place, salt, text FROM words WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY rowid",
        [session_id, first, last],
    )
    with closing(rows):
        for seq, place, salt, text in rows:
            found.setdefault(seq, {})[place] = SaltedText(salt, text)
    return found
