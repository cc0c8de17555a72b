"""One session whole, out of one database and into another, some rows at a time: it may be long, and memory is not.

Rows come in by COPY. It is as if they had been recorded here: the checksums are of this database's own making. Nobody
waits for it, but who wants the very session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, starmap
from typing import Any, TypeVar

from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.store import Made, Packed, StoredReply
from ledger.store.checksums import row_sum
from ledger.store.postgresql.deleting import BELONGINGS
from ledger.store.postgresql.log import (
    ENTRY_COLUMNS,
    EVENT_COLUMNS,
    MADE_COLUMNS,
    REPLY_COLUMNS,
    add_link,
    add_session,
    head_of,
    leave_a_mark,
    links_of,
)

DB = Connection[TupleRow]
T = TypeVar("T")

WORD_COLUMNS = "seq, place, salt, text"

ROWS_A_COPY = 1_000
"""How many rows are sent at a time."""


def made_of(db: DB, session_id: str) -> list[Made]:
    """List what was made in a session with keys that are still known."""
    rows = db.execute(f"SELECT {MADE_COLUMNS} FROM made WHERE session = %s ORDER BY key", [session_id])
    return list(starmap(Made, rows.fetchall()))


def replies_after(db: DB, session_id: str, key: bytes, limit: int) -> list[StoredReply]:
    """Read what requests with keys did in a session, by key."""
    rows = db.execute(
        f"SELECT {REPLY_COLUMNS} FROM replies WHERE session = %s AND key > %s ORDER BY key LIMIT %s",
        [session_id, key, limit],
    )
    return list(starmap(StoredReply, rows.fetchall()))


def put_in(db: DB, packed: Packed) -> None:
    """Keep a session as it was packed."""
    session_id = packed.session.id
    add_session(db, packed.session, packed.head)
    for link in packed.links:
        add_link(db, session_id, link)
    for events in some_of(packed.events):
        copy_in(db, "events", EVENT_COLUMNS, ((session_id, *event.hashed, event.hash) for event in events))
        words = ((event.seq, place, *word) for event in events for place, word in event.words.items())
        copy_in(db, "words", f"{WORD_COLUMNS}, sum", summed(session_id, words))
    for entries in some_of(packed.entries):
        copy_in(db, "entries", ENTRY_COLUMNS, ((session_id, *entry) for entry in entries))
    for replies in some_of(packed.replies):
        copy_in(db, "replies", f"{REPLY_COLUMNS}, sum", summed(session_id, replies))
    copy_in(db, "balances", "account, balance", ((session_id, *one) for one in packed.balances.items()))
    with db.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO made ({MADE_COLUMNS}, sum) VALUES ({'%s, ' * len(Made._fields)}%s)"
            " ON CONFLICT (key) DO NOTHING",
            [(*made, row_sum(*made)) for made in packed.made],
        )


def summed(session_id: str, rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[object]]:
    """Give rows of a session with their checksums."""
    return ((session_id, *row, row_sum(session_id, *row)) for row in rows)


def copy_in(db: DB, table: str, columns: str, rows: Iterable[Sequence[object]]) -> None:
    """Send rows of a session."""
    with db.cursor() as cursor, cursor.copy(f"COPY {table} (session, {columns}) FROM STDIN".encode()) as sent:
        for row in rows:
            sent.write_row(row)


def some_of(rows: Iterable[T]) -> Iterator[list[T]]:
    """Read rows, as many at a time as are sent."""
    left = iter(rows)
    while some := list(islice(left, ROWS_A_COPY)):
        yield some


def make_room(db: DB, session_id: str) -> None:
    """Delete a session whose row is ours, for another to take its place."""
    for table in ("links", *BELONGINGS, "made"):
        db.execute(f"DELETE FROM {table} WHERE session = %s", [session_id])
    db.execute("DELETE FROM sessions WHERE id = %s", [session_id])
    leave_a_mark(db)


def is_as_packed(db: DB, packed: Packed) -> bool:
    """Say whether a session is kept here as it was packed, if it was kept whole."""
    session_id = packed.session.id
    return head_of(db, session_id) == packed.head and links_of(db, session_id) == list(packed.links)
