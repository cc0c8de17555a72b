"""One session's log: what is read of it on a connection, and what is written within a transaction.

What is appended is one statement, whatever it changes, and is sent just before the COMMIT; whoever reads in between has
it sent before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, starmap
from typing import Any

from psycopg import Connection
from psycopg.errors import LockNotAvailable
from psycopg.rows import TupleRow
from psycopg.sql import SQL, Literal

from ledger.books import Balances, Entry
from ledger.hash_chain import SaltedText
from ledger.store import Head, Made, MadeBefore, StoreBusy, StoredEvent, StoredLink, StoredReply, StoredSession
from ledger.store.checksums import COVERED, row_sum
from ledger.store.postgresql.appending import Appended, is_ours, summed

DB = Connection[TupleRow]

EVENT_COLUMNS = "seq, type, version, body, recorded_at, recorded_by, hash"
ENTRY_COLUMNS = ", ".join(Entry._fields)
LINK_COLUMNS = ", ".join(StoredLink._fields)
MADE_COLUMNS = ", ".join(Made._fields)
REPLY_COLUMNS = ", ".join(StoredReply._fields)

EVERY = 2**63 - 1
"""More rows than there can be."""

TAKE_ROW = SQL("BEGIN; SELECT seq, hash, moving FROM sessions WHERE id = {id} AND deleted_at IS NULL FOR UPDATE {wait}")


class PostgreSQLLog:
    """A `Log` within a transaction, in which the session's row is ours. `unsent` is what was appended so far."""

    def __init__(self, db: DB, session_id: str, unsent: Appended) -> None:
        self._db = db
        self._session = session_id
        self._began = unsent.began
        self.has_forgotten = False
        self._unsent = unsent

    @property
    def head(self) -> Head:
        """Where the log ends now."""
        return self._unsent.head

    def send(self) -> None:
        """Send what was appended."""
        unsent, self._unsent = self._unsent, Appended(self._session, self.head, nonce=self._unsent.nonce)
        if unsent and not unsent.sent(self._db):
            raise RuntimeError("a session whose row was ours does not stand as it did")

    def events(self, after: int) -> Sequence[StoredEvent]:
        """Read the rows after a seq, oldest first."""
        self.send()
        return events_in(self._db, self._session, after, EVERY)

    def reply(self, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        self.send()
        return reply_in(self._db, self._session, key)

    def append(
        self,
        events: Sequence[StoredEvent],
        entries: Sequence[Entry],
        balances: Balances,
        reply: StoredReply | None = None,
    ) -> None:
        """Add rows to the log, entries to the books, and set the balances given."""
        self._unsent.append(events, entries, balances, reply)

    def is_kept(self, db: DB) -> bool:
        """Say whether the last of the rows that were added lies in the database; not so, if there were none."""
        return self.head != self._began and is_ours(db, self._session, self.head, self._unsent.nonce)

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""
        return session_of(self._db, self._session)

    def links(self) -> Sequence[StoredLink]:
        """List the session's links, oldest first, dead ones included."""
        return links_of(self._db, self._session)

    def forget(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        """Write other texts over some words, whose salts go too, and over the labels of some links."""
        self.send()
        self.has_forgotten = True
        session = self._session
        for (seq, place), text in words.items():
            self._db.execute(
                "UPDATE words SET text = %s, salt = %s, sum = %s WHERE session = %s AND seq = %s AND place = %s",
                [text, b"", row_sum(session, seq, place, b"", text), session, seq, place],
            )
        for link, label in labels.items():
            change_link(self._db, session, link, label=label)
        leave_a_mark(self._db)


def leave_a_mark(db: DB) -> str | None:
    """Note that what this transaction writes over has to be cleared away; give the mark if it is a new one."""
    left = db.execute(
        "INSERT INTO forgetting VALUES (pg_current_xact_id()) ON CONFLICT DO NOTHING RETURNING mark::text"
    )
    row = left.fetchone()
    return row[0] if row else None


def head_of(db: DB, session_id: str) -> Head | None:
    row = db.execute(
        "SELECT seq, hash FROM sessions WHERE id = %s AND deleted_at IS NULL", [session_id], prepare=True
    ).fetchone()
    return Head._make(row) if row else None


def locked_head(db: DB, session_id: str, *, patient: bool = True) -> Head | None:
    """Begin a transaction, take a session's row until it ends, and say where its log ends.

    Both go there and back once, which saves more than a statement that is prepared would. Raises StoreBusy if the
    session is on its way elsewhere, or if somebody has the row and who asks is not patient.
    """
    wait = SQL("" if patient else "NOWAIT")
    try:
        taken = db.execute(TAKE_ROW.format(id=Literal(session_id), wait=wait))
    except LockNotAvailable:
        if patient:
            raise
        raise StoreBusy from None  # and not what is tried again
    taken.nextset()
    row = taken.fetchone()
    if row and row[2] is not None:
        raise StoreBusy
    return Head._make(row[:2]) if row else None


def session_of(db: DB, session_id: str) -> StoredSession | None:
    row = db.execute(
        "SELECT body, version, created_at FROM sessions WHERE id = %s AND deleted_at IS NULL", [session_id]
    ).fetchone()
    if row is None:
        return None
    body, version, created_at = row
    return StoredSession(session_id, body, version, created_at, words_in(db, session_id, 0, 0).get(0, {}))


def reply_in(db: DB, session_id: str, key: bytes) -> StoredReply | None:
    row = db.execute(
        f"SELECT {REPLY_COLUMNS} FROM replies WHERE session = %s AND key = %s", [session_id, key]
    ).fetchone()
    return StoredReply._make(row) if row else None


def events_in(db: DB, session_id: str, after: int, limit: int) -> list[StoredEvent]:
    rows: list[Any] = db.execute(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE session = %s AND seq > %s ORDER BY seq LIMIT %s",
        [session_id, after, limit],
    ).fetchall()
    if not rows:
        return []
    words = words_in(db, session_id, rows[0][0], rows[-1][0])
    return [StoredEvent(*(*row, words.get(row[0], {}))) for row in rows]


def words_in(db: DB, session_id: str, first: int, last: int) -> dict[int, dict[str, SaltedText]]:
    found: dict[int, dict[str, SaltedText]] = {}
    rows = db.execute(
        "SELECT seq, place, salt, text FROM words WHERE session = %s AND seq BETWEEN %s AND %s ORDER BY seq, place",
        [session_id, first, last],
    )
    for seq, place, salt, text in rows:
        found.setdefault(seq, {})[place] = SaltedText(salt, text)
    return found


def made_in(db: DB, key: bytes) -> Made | None:
    row = db.execute(f"SELECT {MADE_COLUMNS} FROM made WHERE key = %s", [key]).fetchone()
    return Made._make(row) if row else None


def keep_once(db: DB, made: Made | None) -> None:
    """Keep what a request with a key makes in this transaction. Raises MadeBefore if one has made something.

    Who comes second waits here until the first has made it, or has not.
    """
    if made is None:
        return
    places = ", %s" * len(Made._fields)
    added = db.execute(
        f"INSERT INTO made ({MADE_COLUMNS}, sum) VALUES (%s{places}) ON CONFLICT (key) DO NOTHING",
        [*made, row_sum(*made)],
    )
    if added.rowcount == 0 and (earlier := made_in(db, made.key)):
        raise MadeBefore(earlier)


def add_session(db: DB, session: StoredSession, head: Head) -> str:
    """Keep a session as it was opened, and where its log ends. Gives the transaction's number."""
    ((transaction,),) = db.execute(
        "INSERT INTO sessions (id, seq, hash, body, version, created_at, sum) VALUES (%s, %s, %s, %s, %s, %s, %s)"
        " RETURNING pg_current_xact_id()::text",
        [session.id, *head, session.body, session.version, session.created_at, row_sum(session.id, None, None)],
    ).fetchall()
    if session.words:
        rows = [(session.id, *summed(session.id, 0, at, *word)) for at, word in session.words.items()]
        db.execute(
            "INSERT INTO words (session, seq, place, salt, text, sum) VALUES "
            + ", ".join(["(%s, %s, %s, %s, %s, %s)"] * len(rows)),
            list(chain.from_iterable(rows)),
        )
    return str(transaction)


def was_opened(db: DB, session_id: str, transaction: str) -> bool:
    """Say whether a session is there that a transaction was to keep, which is over.

    Raises StoreBusy if it has kept it, and it is not here any more: it may have been moved away, and would be opened
    a second time. A server that took over may not have heard of the transaction, or know another by its number.
    """
    if head_of(db, session_id) is not None:
        return True
    may_be_kept = db.execute(
        "SELECT CASE WHEN %(it)s::xid8 < pg_snapshot_xmax(pg_current_snapshot())"
        " THEN pg_xact_status(%(it)s::xid8) IS DISTINCT FROM 'aborted' ELSE false END",
        {"it": transaction},
    ).fetchone()
    if may_be_kept is None or may_be_kept[0]:
        raise StoreBusy
    return False


def add_link(db: DB, session_id: str, link: StoredLink) -> None:
    """Keep a link behind those that the session has, whose row is ours."""
    row = db.execute("SELECT COALESCE(MAX(number), 0) + 1 FROM links WHERE session = %s", [session_id]).fetchone()
    number: int = row[0] if row else 1
    values = {"session": session_id, "number": number, **link._asdict()}
    names = COVERED["links"]
    db.execute(
        f"INSERT INTO links ({', '.join(names)}, sum) VALUES ({', '.join(['%s'] * len(names))}, %s)",
        [*(values[name] for name in names), row_sum(*(values[name] for name in names))],
    )


def change_link(db: DB, session_id: str, link_id: str, **changes: str) -> None:
    """Write values into a link's columns.

    A checksum that fitted fits afterwards. One that did not is left as it is: what is damaged must not look whole.
    """
    names = COVERED["links"]
    row = db.execute(
        f"SELECT {', '.join(names)}, sum FROM links WHERE session = %s AND id = %s FOR UPDATE", [session_id, link_id]
    ).fetchone()
    if row is None:
        return
    *before, kept = row
    after = {**dict(zip(names, before, strict=True)), **changes}
    fits = kept == row_sum(*before)
    assignments = ", ".join(f"{name} = %s" for name in changes)
    db.execute(
        f"UPDATE links SET {assignments}, sum = %s WHERE session = %s AND id = %s",
        [*changes.values(), row_sum(*after.values()) if fits else kept, session_id, link_id],
    )


def links_of(db: DB, session_id: str) -> list[StoredLink]:
    """List a session's links, oldest first, dead ones included."""
    rows = db.execute(f"SELECT {LINK_COLUMNS} FROM links WHERE session = %s ORDER BY number", [session_id])
    return list(starmap(StoredLink, rows.fetchall()))


def is_alive(db: DB, session_id: str, link_id: str) -> bool:
    """Say whether a session has such a link that was not revoked."""
    found = db.execute(
        "SELECT 1 FROM links WHERE session = %s AND id = %s AND revoked_at IS NULL", [session_id, link_id]
    )
    return found.fetchone() is not None
