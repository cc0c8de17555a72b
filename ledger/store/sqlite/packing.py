"""One session whole, out of one database and into another, some rows at a time: it may be long, and memory is not.

What comes in is kept in one transaction, so nobody else writes meanwhile: 100,000 events take some seconds. It is as if
it had been recorded here: the checksums are of this database's own making.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from sqlite_utils import Database

from ledger.store import Head, Made, Packed, StoredReply
from ledger.store.checksums import row_sum
from ledger.store.sqlite.deleting import BELONGINGS
from ledger.store.sqlite.forgetting import leave_a_mark
from ledger.store.sqlite.log import (
    MADE_COLUMNS,
    REPLY_COLUMNS,
    SQLiteLog,
    add_link,
    add_session,
    head_of,
    head_to_write,
    links_of,
)

T = TypeVar("T")


def made_of(db: Database, session_id: str) -> list[Made]:
    """List what was made in a session with keys that are still known."""
    rows = db.execute(f"SELECT {MADE_COLUMNS} FROM made WHERE session = ? ORDER BY key", [session_id]).fetchall()
    return [Made._make(row) for row in rows]


def replies_of(db: Database, session_id: str, page: int) -> Iterator[StoredReply]:
    """Read what requests with keys did in a session, some at a time, by key."""
    after, is_more = b"", True
    while is_more:
        rows = db.execute(
            f"SELECT {REPLY_COLUMNS} FROM replies WHERE session = ? AND key > ? ORDER BY key LIMIT ?",
            [session_id, after, page],
        ).fetchall()
        yield from map(StoredReply._make, rows)
        is_more = len(rows) == page
        after = rows[-1][0] if is_more else after


def put_in(db: Database, packed: Packed, page: int) -> None:
    """Keep a session as it was packed, reading so many rows at a time."""
    session_id = packed.session.id
    add_session(db, packed.session, packed.head)
    for link in packed.links:
        add_link(db, session_id, link)
    log = SQLiteLog(db, session_id, packed.head)
    log.append((), (), packed.balances)
    for events in some_of(packed.events, page):
        log.append(events, (), {})
    for entries in some_of(packed.entries, page):
        log.append((), entries, {})
    for reply in packed.replies:
        log.append((), (), {}, reply)
    db.conn.executemany(
        f"INSERT INTO made ({MADE_COLUMNS}, sum) VALUES (?{', ?' * len(Made._fields)}) ON CONFLICT (key) DO NOTHING",
        [(*made, row_sum(*made)) for made in packed.made],
    )


def some_of(rows: Iterable[T], count: int) -> Iterator[list[T]]:
    """Read rows so many at a time."""
    left = iter(rows)
    while some := list(islice(left, count)):
        yield some


def clear_away(db: Database, session_id: str, head: Head) -> None:
    """Delete a session that ends with a head, for another to take its place. Raises KeyError if there is none."""
    if head_to_write(db, session_id) != head:
        raise KeyError(session_id)
    for table in ("links", *BELONGINGS, "made"):
        db.execute(f"DELETE FROM {table} WHERE session = ?", [session_id])
    db.execute("DELETE FROM sessions WHERE id = ?", [session_id])
    leave_a_mark(db)


def is_there(db: Database, packed: Packed) -> bool:
    """Say whether a session is kept here as it was packed, if it was kept whole."""
    session_id = packed.session.id
    return head_of(db, session_id) == packed.head and links_of(db, session_id) == list(packed.links)
