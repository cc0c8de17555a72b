"""Sessions that go for good: found idle, hidden from everybody, deleted step by step; and what was forgotten.

A session is marked first, and its links go; from then on nobody finds it. Then its rows go, some in each transaction,
and its own row last. What a killed process leaves is found by the mark, and deleted later.

What is deleted or written over stays in the tables' files as rows that no query finds, until PostgreSQL clears them
away (VACUUM), which it can once nobody reads at a moment from before, nor writes since then. Until then it is pending.
The room that they took is free then, and not overwritten: who reads the files themselves finds words there until others
are written in their place, or until somebody writes the tables anew (VACUUM FULL), for which all others have to wait.
What PostgreSQL keeps beside the tables (its write-ahead log, replicas' and archived ones, backups) is not ours to
change.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.store import timestamp
from ledger.store.checksums import row_sum
from ledger.store.postgresql.appending import make_sure_it_is_here
from ledger.store.postgresql.log import head_of, leave_a_mark
from ledger.store.postgresql.writer import Block

DB = Connection[TupleRow]

ROWS_A_STEP = 500
"""How many rows go at a time."""

SESSIONS_A_LOOK = 500
"""Among how many sessions idle ones are looked for at a time."""

BELONGINGS = ("events", "words", "entries", "balances", "replies")
"""The tables that have a session's rows, but for its links, which go first."""

A_MOMENT = 0.2
"""How many seconds others are waited for, who hold it back: as a rule they are in the middle of a COMMIT."""

A_LOOK = 0.01
"""How many seconds lie between looks at them."""

CLEARED = ("sessions", "links", *BELONGINGS)
"""The tables in which something may have been forgotten or deleted."""

IS_IDLE = """
    NOT EXISTS (
        SELECT 1 FROM events
        WHERE session = sessions.id AND seq = sessions.seq AND recorded_at >= %(since)s
    )
    AND NOT EXISTS (SELECT 1 FROM links WHERE session = sessions.id AND number = 1 AND created_at >= %(since)s)
"""
"""Nothing was recorded since a moment, nor was it opened: the times in a session that was brought in are older than it,
but its first link is not."""


def take_row(session_id: str, db: DB) -> None:
    """Take a session's row, whether anybody finds it or not."""
    db.execute("SELECT 1 FROM sessions WHERE id = %s FOR UPDATE", [session_id])


def begin_deletion(db: DB, session_id: str, idle_since: str | None) -> tuple[bool, str | None]:
    """Let nobody find a session any more; False if there is none, or if it is not idle.

    If this deletes it, and not somebody before, the mark that this leaves is given, too.
    """
    found = db.execute("SELECT deleted_at, moving FROM sessions WHERE id = %s FOR UPDATE", [session_id]).fetchone()
    if found is None or found[1] is not None:
        return False, None
    if found[0] is not None:
        return True, None
    if idle_since is not None:
        idle = db.execute(
            f"SELECT 1 FROM sessions WHERE id = %(id)s AND {IS_IDLE}", {"id": session_id, "since": idle_since}
        )
        if idle.fetchone() is None:
            return False, None
    now = timestamp(datetime.now(UTC))
    db.execute(
        "UPDATE sessions SET deleted_at = %s, sum = %s WHERE id = %s", [now, row_sum(session_id, now, None), session_id]
    )
    db.execute("DELETE FROM links WHERE session = %s", [session_id])
    return True, leave_a_mark(db)


def was_deletion_begun(db: DB, session_id: str, mark: str | None) -> bool:
    """Say whether the deletion that was to leave a mark has begun; not so, if it was to leave none.

    Raises StoreBusy if the session is not here any more and the mark is not either: it may as well have been moved.
    """
    if mark is None:
        return False
    if db.execute("SELECT 1 FROM forgetting WHERE mark = %s::xid8", [mark]).fetchone() is not None:
        return head_of(db, session_id) is None
    make_sure_it_is_here(db, session_id)
    return False


def delete_some(session_id: str, block: Block) -> bool:
    """Delete some rows of a session that nobody finds any more, whose row is ours; in the end its own. False if all.

    What somebody else has deleted meanwhile, to the end, may have come again: it is left as it is.
    """
    db, room = block.db, ROWS_A_STEP
    if not db.execute("SELECT 1 FROM sessions WHERE id = %s AND deleted_at IS NOT NULL", [session_id]).fetchone():
        return False
    for table in BELONGINGS:
        gone = db.execute(
            f"DELETE FROM {table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE session = %s LIMIT %s))",
            [session_id, room],
        )
        room -= gone.rowcount
        if room == 0:
            return True
    db.execute("DELETE FROM sessions WHERE id = %s AND deleted_at IS NOT NULL", [session_id])
    leave_a_mark(db)
    return False


def forget_some_made(db: DB, before: str) -> bool:
    """Forget some of what was made before a moment. False if that was all."""
    gone = db.execute(
        "DELETE FROM made WHERE key = ANY(ARRAY(SELECT key FROM made WHERE made_at < %s LIMIT %s))",
        [before, ROWS_A_STEP],
    )
    return gone.rowcount == ROWS_A_STEP


def note_day(db: DB, day: str) -> bool:
    """Note a day on which the service runs; False if it is there. One process at a time does."""
    db.execute("SELECT pg_advisory_xact_lock(hashtext('fuda-ledger days'), hashtext(current_schema()))")
    noted = days_in(db)
    if day in noted:
        return False
    number = len(noted) + 1
    db.execute("INSERT INTO days (number, day, sum) VALUES (%s, %s, %s)", [number, day, row_sum(number, day)])
    return True


def days_in(db: DB) -> list[str]:
    """List the days on which the service ran, in the order in which they were noted."""
    return [day for (day,) in db.execute("SELECT day FROM days ORDER BY number").fetchall()]


def idle_sessions(db: DB, after: str, since: str | None) -> tuple[list[str], str | None]:
    """Look for idle sessions among those that come after an id; say where to look on, None at the end."""
    end = db.execute(
        "SELECT id FROM sessions WHERE id > %s ORDER BY id LIMIT 1 OFFSET %s", [after, SESSIONS_A_LOOK - 1]
    ).fetchone()
    found = db.execute(
        "SELECT id FROM sessions WHERE id > %(after)s AND (%(end)s::text IS NULL OR id <= %(end)s)"
        f" AND deleted_at IS NULL AND moving IS NULL AND {IS_IDLE} ORDER BY id",
        {"after": after, "end": end and end[0], "since": since},
    ).fetchall()
    return [session_id for (session_id,) in found], end[0] if end else None


def is_pending(db: DB) -> bool:
    """Say whether something that was forgotten may still be in a table's file, or a deleted session has rows left."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM forgetting)"
        " OR EXISTS (SELECT 1 FROM sessions WHERE deleted_at IS NOT NULL AND moving IS NULL)"
    ).fetchone()
    return bool(found and found[0])


HOLDS_BACK = """
    SELECT 1 FROM forgetting, (
        SELECT unnest(ARRAY[backend_xmin, backend_xid]) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid()
        AND (datname = current_database() OR datname IS NULL)  -- of none are those who send to replicas
        UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database = current_database()
        UNION ALL SELECT xmin FROM pg_replication_slots
    ) AS others (moment)
    WHERE moment IS NOT NULL AND age(moment) >= age(mark::xid) LIMIT 1
"""
"""Somebody reads at a moment from before something was forgotten, or began to write before that and is not done.

Who has written, or taken a row, and asks nothing just now reads at no moment and keeps VACUUM back all the same.
"""


MAY_CLEAR_AWAY = """
    SELECT bool_and(
        pg_has_role(relowner, 'USAGE')
        OR pg_has_role((SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE')
        OR {maintains}
    ) FROM pg_class WHERE oid = ANY(%s::text[]::regclass[])
"""
"""The role may VACUUM the tables: as their owner, the database's owner, or with the right to maintain them."""

MAINTAIN_SINCE = 170_000
"""The release of PostgreSQL from which on there is such a right."""


def may_clear_away(db: DB) -> bool:
    """Say whether this role may VACUUM the tables: PostgreSQL only warns a role that may not, and skips them."""
    maintains = "has_table_privilege(oid, 'MAINTAIN')" if db.info.server_version >= MAINTAIN_SINCE else "false"
    found = db.execute(MAY_CLEAR_AWAY.format(maintains=maintains).encode(), [list(CLEARED)]).fetchone()
    return bool(found and found[0])


def clear_away(db: DB) -> bool:
    """Have what has a mark cleared out of the tables; False if this role may not, or if somebody holds that back."""
    marks = [mark for (mark,) in db.execute("SELECT mark::text FROM forgetting").fetchall()]
    if not marks:
        return True
    if not may_clear_away(db):
        return False
    until = time.monotonic() + A_MOMENT
    while db.execute(HOLDS_BACK).fetchone():
        if time.monotonic() >= until:
            return False
        time.sleep(A_LOOK)
    db.execute(f"VACUUM {', '.join(CLEARED)}")
    db.execute("DELETE FROM forgetting WHERE mark = ANY(%s::text[]::xid8[])", [marks])
    return True
