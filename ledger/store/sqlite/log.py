"""One session's log, on one connection: what is read of it, and what is written within a transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from sqlite_utils import Database

from ledger.books import Balances, Entry
from ledger.hash_chain import SaltedText
from ledger.store import (
    Head,
    Made,
    MadeBefore,
    StoreBusy,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    new_nonce,
)
from ledger.store.checksums import row_sum
from ledger.store.sqlite.forgetting import leave_a_mark
from ledger.store.sqlite.sums import change_link, seal

EVENT_COLUMNS = "seq, type, version, body, recorded_at, recorded_by, hash"
ENTRY_COLUMNS = ", ".join(Entry._fields)
LINK_COLUMNS = ", ".join(StoredLink._fields)
MADE_COLUMNS = ", ".join(Made._fields)
REPLY_COLUMNS = ", ".join(StoredReply._fields)

EVERY = 2**63 - 1
"""More rows than there can be."""


class SQLiteLog:
    """A `Log` within a transaction."""

    def __init__(self, db: Database, session_id: str, head: Head) -> None:
        self._db = db
        self._session = session_id
        self.head = self._began = head
        self._nonce = new_nonce()
        self.has_forgotten = False

    def events(self, after: int) -> Sequence[StoredEvent]:
        """Read the rows after a seq, oldest first."""
        return events_in(self._db, self._session, after, EVERY)

    def reply(self, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        return reply_in(self._db, self._session, key)

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
            f"INSERT INTO events (session, {EVENT_COLUMNS}, nonce) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(session, *e.hashed, e.hash, self._nonce) for e in events],
        )
        conn.executemany(
            "INSERT INTO words (session, seq, place, salt, text, sum) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (session, e.seq, place, *word, row_sum(session, e.seq, place, *word))
                for e in events
                for place, word in e.words.items()
            ],
        )
        conn.executemany(
            f"INSERT INTO entries (session, {ENTRY_COLUMNS}) VALUES (?{', ?' * len(Entry._fields)})",
            [(session, *entry) for entry in entries],
        )
        conn.executemany(
            "INSERT INTO balances (session, account, balance) VALUES (?, ?, ?)"
            " ON CONFLICT (session, account) DO UPDATE SET balance = excluded.balance",
            [(session, account, balance) for account, balance in balances.items()],
        )
        if reply:
            conn.execute(
                f"INSERT INTO replies (session, {REPLY_COLUMNS}, sum) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (session, *reply, row_sum(session, *reply)),
            )
        if events:
            self.head = Head(events[-1].seq, events[-1].hash)
            conn.execute("UPDATE sessions SET seq = ?, hash = ? WHERE id = ?", (*self.head, session))

    def is_kept(self, db: Database) -> bool:
        """Say whether the last of the rows that were added lies in the database; not so, if there were none."""
        found = db.conn.execute(
            "SELECT 1 FROM events WHERE session = ? AND seq = ? AND nonce = ?",
            (self._session, self.head.seq, self._nonce),
        )
        return self.head != self._began and found.fetchone() is not None

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""
        return session_of(self._db, self._session)

    def links(self) -> Sequence[StoredLink]:
        """List the session's links, oldest first, dead ones included."""
        return links_of(self._db, self._session)

    def forget(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        """Write other texts over some words, whose salts go too, and over the labels of some links."""
        conn, self.has_forgotten = self._db.conn, True
        conn.executemany(
            "UPDATE words SET text = ?, salt = ?, sum = ? WHERE session = ? AND seq = ? AND place = ?",
            [
                (text, b"", row_sum(self._session, seq, place, b"", text), self._session, seq, place)
                for (seq, place), text in words.items()
            ],
        )
        for link, label in labels.items():
            change_link(self._db, self._session, link, "label", label)
        leave_a_mark(self._db)


def add_session(db: Database, session: StoredSession, head: Head) -> None:
    """Keep a session as it was opened, and where its log ends."""
    db.table("sessions").insert(
        {
            "id": session.id,
            "seq": head.seq,
            "hash": head.hash,
            "body": session.body,
            "version": session.version,
            "created_at": session.created_at,
            "sum": row_sum(session.id, None, None),
        }
    )
    db.table("words").insert_all(
        {
            "session": session.id,
            "seq": 0,
            "place": place,
            "salt": word.salt,
            "text": word.text,
            "sum": row_sum(session.id, 0, place, *word),
        }
        for place, word in session.words.items()
    )


def head_of(db: Database, session_id: str) -> Head | None:
    row = db.conn.execute("SELECT seq, hash FROM sessions WHERE id = ? AND deleted_at IS NULL", [session_id]).fetchone()
    return Head._make(row) if row else None


def head_to_write(db: Database, session_id: str) -> Head | None:
    """Say where a session's log ends that is about to be written. Raises StoreBusy if it is on its way elsewhere."""
    row = db.conn.execute(
        "SELECT seq, hash, moving FROM sessions WHERE id = ? AND deleted_at IS NULL", [session_id]
    ).fetchone()
    if row is None:
        return None
    if row[2] is not None:
        raise StoreBusy
    return Head._make(row[:2])


def session_of(db: Database, session_id: str) -> StoredSession | None:
    row = db.execute(
        "SELECT body, version, created_at FROM sessions WHERE id = ? AND deleted_at IS NULL", [session_id]
    ).fetchone()
    if row is None:
        return None
    body, version, created_at = row
    return StoredSession(session_id, body, version, created_at, words_in(db, session_id, 0, 0).get(0, {}))


def reply_in(db: Database, session_id: str, key: bytes) -> StoredReply | None:
    row = db.conn.execute(
        f"SELECT {REPLY_COLUMNS} FROM replies WHERE session = ? AND key = ?", [session_id, key]
    ).fetchone()
    return StoredReply._make(row) if row else None


def events_in(db: Database, session_id: str, after: int, limit: int) -> list[StoredEvent]:
    rows: list[Any] = db.execute(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
        [session_id, after, limit],
    ).fetchall()
    if not rows:
        return []
    words = words_in(db, session_id, rows[0][0], rows[-1][0])
    return [StoredEvent(*(*row, words.get(row[0], {}))) for row in rows]


def words_in(db: Database, session_id: str, first: int, last: int) -> dict[int, dict[str, SaltedText]]:
    found: dict[int, dict[str, SaltedText]] = {}
    rows = db.execute(
        "SELECT seq, place, salt, text FROM words WHERE session = ? AND seq BETWEEN ? AND ? ORDER BY seq, place",
        [session_id, first, last],
    )
    with closing(rows):
        for seq, place, salt, text in rows:
            found.setdefault(seq, {})[place] = SaltedText(salt, text)
    return found


def entry_after(db: Database, session_id: str, after: int, count: int) -> int | None:
    """Give the id of the entry that comes so many after an id; None if there are fewer."""
    row = db.execute(
        "SELECT id FROM entries WHERE session = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?",
        [session_id, after, count - 1],
    ).fetchone()
    return row and int(row[0])


def made_in(db: Database, key: bytes) -> Made | None:
    row = db.execute(f"SELECT {MADE_COLUMNS} FROM made WHERE key = ?", [key]).fetchone()
    return Made._make(row) if row else None


def keep_once(db: Database, made: Made | None) -> None:
    """Keep what a request with a key makes in this transaction. Raises MadeBefore if one has made something."""
    if made is None:
        return
    if earlier := made_in(db, made.key):
        raise MadeBefore(earlier)
    places = ", ?" * len(Made._fields)
    db.execute(f"INSERT INTO made ({MADE_COLUMNS}, sum) VALUES (?{places})", [*made, row_sum(*made)])


def add_link(db: Database, session_id: str, link: StoredLink) -> None:
    """Keep a link behind those that the session has."""
    db.execute(
        f"INSERT INTO links (session, number, {LINK_COLUMNS})"
        f" SELECT ?, COALESCE(MAX(number), 0) + 1{', ?' * len(StoredLink._fields)} FROM links WHERE session = ?",
        [session_id, *link, session_id],
    )
    seal(db, "links", "session = ? AND id = ?", [session_id, link.id])


def links_of(db: Database, session_id: str) -> list[StoredLink]:
    """List a session's links, oldest first, dead ones included."""
    rows = db.execute(f"SELECT {LINK_COLUMNS} FROM links WHERE session = ? ORDER BY number", [session_id]).fetchall()
    return [StoredLink._make(row) for row in rows]


def is_alive(db: Database, session_id: str, link_id: str) -> bool:
    """Say whether a session has such a link that was not revoked."""
    found = db.execute("SELECT 1 FROM links WHERE session = ? AND id = ? AND revoked_at IS NULL", [session_id, link_id])
    return found.fetchone() is not None
