"""Sessions on their way between databases: the marks of SQLite's side."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlite_utils import Database

from ledger.store import timestamp
from ledger.store.passages import STEPS, Passage, Stand, Step
from ledger.store.sqlite.sums import seal

HIDDEN = STEPS["arrive"][0]
"""How a session stands that has not arrived yet."""


def keep_hidden(db: Database, session_id: str, move: str) -> None:
    """Let nobody find a session that was just kept, before it arrives."""
    now = timestamp(datetime.now(UTC))
    db.execute("UPDATE sessions SET moving = ?, deleted_at = ? WHERE id = ?", [move, now, session_id])
    seal(db, "sessions", "id = ?", [session_id])


def take_step(db: Database, session_id: str, move: str, step: Step) -> bool:
    """Take a step, if the session stands as it has to before that."""
    before, after = STEPS[step]
    if not stands(db, session_id, move, before):
        return False
    mark = move if after.is_marked else None
    gone = None if after.is_found else timestamp(datetime.now(UTC))
    db.execute("UPDATE sessions SET moving = ?, deleted_at = ? WHERE id = ?", [mark, gone, session_id])
    seal(db, "sessions", "id = ?", [session_id])
    if not after.is_found:
        db.execute("DELETE FROM links WHERE session = ?", [session_id])
    return True


def stands(db: Database, session_id: str, move: str, stand: Stand) -> bool:
    """Say whether a session is there and stands so."""
    found = db.execute(
        "SELECT 1 FROM sessions WHERE id = ? AND moving IS ? AND (deleted_at IS NULL) = ?",
        [session_id, move if stand.is_marked else None, stand.is_found],
    )
    return found.fetchone() is not None


def passages_in(db: Database, session_id: str | None) -> list[Passage]:
    """List what is marked: of one session, or of all."""
    rows = db.execute(
        "SELECT id, moving, deleted_at IS NULL FROM sessions WHERE moving IS NOT NULL AND (?1 IS NULL OR id = ?1)"
        " ORDER BY id",
        [session_id],
    ).fetchall()
    return [Passage(found, move, bool(is_found)) for found, move, is_found in rows]
