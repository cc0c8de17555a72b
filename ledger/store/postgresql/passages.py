"""Sessions on their way between databases: the marks of PostgreSQL's side. Who takes a step has the session's row."""

from __future__ import annotations

from datetime import UTC, datetime

from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.store import timestamp
from ledger.store.checksums import row_sum
from ledger.store.passages import STEPS, Passage, Stand, Step

DB = Connection[TupleRow]

HIDDEN = STEPS["arrive"][0]
"""How a session stands that has not arrived yet."""


def take_row(session_id: str, db: DB) -> None:
    """Take a session's row, whether anybody finds it or not."""
    db.execute("SELECT 1 FROM sessions WHERE id = %s FOR UPDATE", [session_id])


def take_step(db: DB, session_id: str, move: str, step: Step) -> bool:
    """Take a step, if the session stands as it has to before that."""
    before, after = STEPS[step]
    if not stands(db, session_id, move, before):
        return False
    put(db, session_id, move if after.is_marked else None, is_found=after.is_found)
    if not after.is_found:
        db.execute("DELETE FROM links WHERE session = %s", [session_id])
    return True


def put(db: DB, session_id: str, mark: str | None, *, is_found: bool) -> None:
    """Let a session stand so."""
    gone = None if is_found else timestamp(datetime.now(UTC))
    db.execute(
        "UPDATE sessions SET moving = %s, deleted_at = %s, sum = %s WHERE id = %s",
        [mark, gone, row_sum(session_id, gone, mark), session_id],
    )


def stands(db: DB, session_id: str, move: str, stand: Stand) -> bool:
    """Say whether a session is there and stands so."""
    found = db.execute(
        "SELECT 1 FROM sessions WHERE id = %s AND moving IS NOT DISTINCT FROM %s::text AND (deleted_at IS NULL) = %s",
        [session_id, move if stand.is_marked else None, stand.is_found],
    )
    return found.fetchone() is not None


def passages_in(db: DB, session_id: str | None) -> list[Passage]:
    """List what is marked: of one session, or of all."""
    rows = db.execute(
        "SELECT id, moving, deleted_at IS NULL FROM sessions WHERE moving IS NOT NULL"
        " AND (%(id)s::text IS NULL OR id = %(id)s) ORDER BY id",
        {"id": session_id},
    ).fetchall()
    return [Passage(found, move, is_found) for found, move, is_found in rows]
