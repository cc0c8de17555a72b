"""What is forgotten leaves the disk, and nobody waits for it.

What is written over or deleted is zeros in the database at once, but the database is changed in its write-ahead log
first. The old text lies in the file until the log is brought in, and in the log until that is cut off, for which SQLite
needs a moment in which nobody reads from it. A backup or a shell may read for an hour, and neither who forgets nor
anybody else is to wait for them. So who forgets leaves a mark in the same transaction, tries for a moment, and goes.
While a mark is there, something is pending; whoever serves tries again from time to time, also after a restart.

A try is cheap. What can be brought in is, without keeping anybody from writing; only when all of it is there is the log
cut off, which takes the writers' lock for an instant. A try waits for nobody.
"""

from __future__ import annotations

import sqlite3
import time

from sqlite_utils import Database

from ledger.store.sqlite.troubles import is_busy
from ledger.store.sqlite.writer import has_begun, wait_for

PAUSES = (0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0)
"""Seconds between the tries of one who forgets: those who only look up something are gone by then."""

PATIENCE = 1.0
"""How many seconds one waits for a turn to take the marks away."""


def leave_a_mark(db: Database) -> None:
    """Note that what this transaction writes over has to leave the disk."""
    db.conn.execute("INSERT INTO forgetting (mark) VALUES (randomblob(16))")


def is_pending(db: Database) -> bool:
    """Say whether something that was forgotten may still be on the disk, or a deleted session has rows left."""
    found = db.conn.execute(
        "SELECT EXISTS (SELECT 1 FROM forgetting)"
        " OR EXISTS (SELECT 1 FROM sessions WHERE deleted_at IS NOT NULL AND moving IS NULL)"
    )
    return bool(found.fetchone()[0])


def is_off_the_disk(db: Database) -> bool:
    """Try to bring what has a mark off the disk, on a connection that waits for nobody. Raises StoreBusy."""
    marks = db.conn.execute("SELECT mark FROM forgetting").fetchall()
    if not marks:
        return True
    for pause in PAUSES:
        if is_cut_off(db):
            break
        time.sleep(pause)
    else:
        return False
    wait_for(lambda: has_begun(db), time.monotonic() + PATIENCE)
    db.conn.executemany("DELETE FROM forgetting WHERE mark = ?", marks)
    db.conn.execute("COMMIT")
    return True


def is_cut_off(db: Database) -> bool:
    """Bring the write-ahead log in and cut it off, unless somebody is in the way."""
    try:
        _busy, frames, brought_in = db.conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if frames != brought_in:
            return False
        busy, _frames, _brought_in = db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError as error:
        if is_busy(error):
            return False
        raise
    return not busy
