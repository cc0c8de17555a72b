"""Sessions that go for good: found idle, hidden from everybody, deleted step by step.

A long session is a hundred thousand rows, and who deletes them at once keeps everybody from writing for a second. So
a session is marked first, together with the end of its links; from then on nobody finds it. Then its rows go, some in
each transaction, and its own row last. What a killed process leaves is found by the mark, and deleted later.
"""

from __future__ import annotations

from sqlite_utils import Database

from ledger.store.sqlite.forgetting import leave_a_mark
from ledger.store.sqlite.log import head_to_write
from ledger.store.sqlite.sums import seal

ROWS_A_STEP = 500
"""How many rows go at a time: some milliseconds, the commit included."""

SESSIONS_A_LOOK = 500
"""Among how many sessions idle ones are looked for at a time."""

BELONGINGS = ("events", "words", "entries", "balances", "replies")
"""The tables that have a session's rows, but for its links, which go first."""

IS_IDLE = """
    NOT EXISTS (SELECT 1 FROM events WHERE session = sessions.id AND seq = sessions.seq AND recorded_at >= :since)
    AND NOT EXISTS (SELECT 1 FROM links WHERE session = sessions.id AND number = 1 AND created_at >= :since)
"""
"""Nothing was recorded since a moment, nor was it opened: the times in a session that was brought in are older than it,
but its first link is not."""


def begin_deletion(db: Database, session_id: str, idle_since: str | None) -> bool:
    """Let nobody find a session any more; False if there is none, or if it is not idle. Raises StoreBusy."""
    head_to_write(db, session_id)
    marked = db.execute(
        "UPDATE sessions SET deleted_at = COALESCE(deleted_at, strftime('%Y-%m-%dT%H:%M:%SZ'))"
        f" WHERE id = :id AND moving IS NULL AND (deleted_at IS NOT NULL OR :since IS NULL OR ({IS_IDLE}))",
        {"id": session_id, "since": idle_since},
    )
    if marked.rowcount:
        seal(db, "sessions", "id = ?", [session_id])
        db.execute("DELETE FROM links WHERE session = ?", [session_id])
    return marked.rowcount == 1


def delete_some(db: Database, session_id: str) -> bool:
    """Delete some rows of a session that nobody finds any more; in the end its own. False if that was all.

    What somebody else has deleted meanwhile, to the end, may have come again: it is left as it is.
    """
    if not db.execute("SELECT 1 FROM sessions WHERE id = ? AND deleted_at IS NOT NULL", [session_id]).fetchone():
        return False
    room = ROWS_A_STEP
    for table in BELONGINGS:
        gone = db.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} WHERE session = ? LIMIT ?)",
            [session_id, room],
        )
        room -= gone.rowcount
        if room == 0:
            return True
    db.execute("DELETE FROM sessions WHERE id = ?", [session_id])
    leave_a_mark(db)
    return False


def forget_some_made(db: Database, before: str) -> bool:
    """Forget some of what was made before a moment. False if that was all."""
    gone = db.execute(
        "DELETE FROM made WHERE key IN (SELECT key FROM made WHERE made_at < ? LIMIT ?)", [before, ROWS_A_STEP]
    )
    return gone.rowcount == ROWS_A_STEP


def note_day(db: Database, day: str) -> bool:
    """Note a day on which the service runs; False if it is there."""
    added = db.execute(
        "INSERT INTO days (number, day) SELECT COALESCE(MAX(number), 0) + 1, ? FROM days WHERE true"
        " ON CONFLICT (day) DO NOTHING",
        [day],
    )
    if added.rowcount == 1:
        seal(db, "days", "day = ?", [day])
    return added.rowcount == 1


def days_in(db: Database) -> list[str]:
    """List the days on which the service ran, in the order in which they were noted."""
    return [day for (day,) in db.execute("SELECT day FROM days ORDER BY number").fetchall()]


def idle_sessions(db: Database, after: str, since: str | None) -> tuple[list[str], str | None]:
    """Look for idle sessions among those that come after an id; say where to look on, None at the end."""
    end = db.execute(
        "SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?", [after, SESSIONS_A_LOOK - 1]
    ).fetchone()
    found = db.execute(
        "SELECT id FROM sessions WHERE id > :after AND (:end IS NULL OR id <= :end) AND deleted_at IS NULL"
        " AND moving IS NULL"
        f" AND {IS_IDLE} ORDER BY id",
        {"after": after, "end": end and end[0], "since": since},
    ).fetchall()
    return [session_id for (session_id,) in found], end and end[0]
