"""The schema's history. A migration, once released, is never edited: the next change is the next function.

What a session has is found by the session's id first, so nothing here grows slower with the number of sessions.
Everything somebody wrote in their own words (names, notes, reasons) lies in `words`, apart from the rows that the hash
chain covers, so that a person can be forgotten and the chain stays whole.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlite_utils import Database, Migrations

from ledger.store import DatabaseUnusable, StoreIsNewer
from ledger.store.sqlite.sums import teach
from ledger.store.sqlite.troubles import is_busy
from ledger.store.sqlite.usable import OURS

MILLISECONDS_TO_PART = 2_000
"""How long whoever has the database open may take to close it."""

MIGRATIONS = Migrations("fuda-ledger")


@MIGRATIONS()
def m001_the_log_and_its_books(db: Database) -> None:
    """Sessions, their events in order, the words in them, the entries and balances that follow from them."""
    db.table("sessions").create(
        {"id": str, "seq": int, "hash": bytes, "body": str, "version": int, "created_at": str},
        pk="id",
        not_null={"seq", "hash", "body", "version", "created_at"},
    )
    db.table("events").create(
        {
            "session": str,
            "seq": int,
            "type": str,
            "version": int,
            "body": str,
            "recorded_at": str,
            "recorded_by": str,
            "hash": bytes,
        },
        pk=("session", "seq"),
        not_null={"type", "version", "body", "recorded_at", "recorded_by", "hash"},
        foreign_keys=[("session", "sessions", "id")],
    )
    db.table("words").create(
        {"session": str, "seq": int, "place": str, "salt": bytes, "text": str},
        pk=("session", "seq", "place"),
        not_null={"salt", "text"},
        foreign_keys=[("session", "sessions", "id")],
    )
    db.table("entries").create(
        {
            "session": str,
            "id": int,
            "seq": int,
            "round": int,
            "part": int,
            "payer": str,
            "payee": str,
            "amount": int,
            "reason": str,
            "reverses": int,
        },
        pk=("session", "id"),
        not_null={"seq", "payer", "payee", "amount", "reason"},
        foreign_keys=[("session", "sessions", "id")],
    )
    db.table("balances").create(
        {"session": str, "account": str, "balance": int},
        pk=("session", "account"),
        not_null={"balance"},
        foreign_keys=[("session", "sessions", "id")],
    )


@MIGRATIONS()
def m002_links(db: Database) -> None:
    """Who may do what: a token's hash, never the token."""
    db.table("links").create(
        {
            "session": str,
            "number": int,
            "id": str,
            "role": str,
            "label": str,
            "token_hash": bytes,
            "created_at": str,
            "expires_at": str,
            "revoked_at": str,
        },
        pk=("session", "id"),
        not_null={"number", "role", "token_hash", "created_at"},
        foreign_keys=[("session", "sessions", "id")],
    )
    db.table("links").create_index(["session", "number"], unique=True)
    db.table("links").create_index(["session", "token_hash"], unique=True)


@MIGRATIONS()
def m003_idempotency_keys(db: Database) -> None:
    """Which events a request with an idempotency key recorded: what it was answered is worked out from those."""
    db.table("replies").create(
        {"session": str, "key": bytes, "request": bytes, "first_seq": int, "last_seq": int, "recorded_at": str},
        pk=("session", "key"),
        not_null={"request", "first_seq", "last_seq", "recorded_at"},
        foreign_keys=[("session", "sessions", "id")],
    )


@MIGRATIONS()
def m004_sessions_that_are_being_deleted(db: Database) -> None:
    """From when on a session is not there any more, while its rows are deleted step by step."""
    db.table("sessions").add_column("deleted_at", str)
    db.execute("CREATE INDEX sessions_being_deleted ON sessions (id) WHERE deleted_at IS NOT NULL")


@MIGRATIONS()
def m005_what_was_made_with_idempotency_keys(db: Database) -> None:
    """Which session and link a request with a key made, for a day; the key's hash alone says where to look.

    It outlives its session: whoever repeats the request has to be told that what it made is gone.
    """
    db.table("links").add_column("salt", bytes)
    db.table("made").create(
        {"key": bytes, "request": bytes, "session": str, "seq": int, "link": str, "made_at": str},
        pk="key",
        not_null={"request", "session", "seq", "link", "made_at"},
    )
    db.table("made").create_index(["made_at"])


@MIGRATIONS()
def m006_checksums(db: Database) -> None:
    """A checksum of each row that neither a chain of hashes nor the books cover, and whose database this is."""
    teach(db.conn)
    columns = {
        "sessions": "id, deleted_at",
        "words": "session, seq, place, salt, text",
        "links": "session, number, id, role, label, token_hash, created_at, expires_at, revoked_at, salt",
        "replies": "session, key, request, first_seq, last_seq, recorded_at",
        "made": "key, request, session, seq, link, made_at",
    }
    for table, covered in columns.items():
        db.table(table).add_column("sum", int)
        db.execute(f"UPDATE {table} SET sum = row_sum({covered})")
    db.execute(f"PRAGMA application_id = {OURS}")


@MIGRATIONS()
def m007_what_is_still_on_the_disk(db: Database) -> None:
    """A mark for each time that something was forgotten, until it is in none of the database's files any more."""
    db.table("forgetting").create({"mark": bytes}, pk="mark", not_null={"mark"})


@MIGRATIONS()
def m008_links_that_expire(db: Database) -> None:
    """The links whose end is to come, by when that is: those whose end is past are made dead."""
    db.execute(
        "CREATE INDEX links_by_their_end ON links (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL"
    )


@MIGRATIONS()
def m009_sessions_that_are_moving(db: Database) -> None:
    """With which move a session is marked, if it is on its way from this database to another or here."""
    teach(db.conn)
    db.table("sessions").add_column("moving", str)
    db.execute("UPDATE sessions SET sum = row_sum(id, deleted_at, moving) WHERE sum = row_sum(id, deleted_at)")
    db.execute("CREATE INDEX sessions_that_are_moving ON sessions (id) WHERE moving IS NOT NULL")


@MIGRATIONS()
def m010_what_was_made_in_a_session(db: Database) -> None:
    """What was made with keys, by its session: who moves one takes it along, and does not look through all of them."""
    db.execute("CREATE INDEX made_by_session ON made (session)")


@MIGRATIONS()
def m011_no_samples_of_what_people_wrote(db: Database) -> None:
    """A step of PostgreSQL's alone: SQLite takes samples of indexes at most, and what people wrote is in none."""


@MIGRATIONS()
def m012_a_nonce_of_each_append(db: Database) -> None:
    """A random value in each row of the log, by which an append finds its own rows after a COMMIT in doubt."""
    db.table("events").add_column("nonce", bytes)


@MIGRATIONS()
def m013_days_on_which_the_service_ran(db: Database) -> None:
    """Each day on which the service ran, in order: sessions are idle for days that were lived through."""
    db.table("days").create({"number": int, "day": str, "sum": int}, pk="number", not_null={"day"})
    db.table("days").create_index(["day"], unique=True)


def is_of_an_earlier_release(db: Database) -> bool:
    """Say whether a database has a schema of ours, but not the newest."""
    return bool(MIGRATIONS.applied(db)) and bool(MIGRATIONS.pending(db))


def keep_others_out(db: Database, path: Path) -> None:
    """Keep the database to this connection until it is closed. Raises DatabaseUnusable if somebody else has it open.

    A service of an earlier release would go on, and knows nothing of what the new schema wants: of checksums, say.
    """
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_PART}")
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute("COMMIT")
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        why = "has to be brought up to date for this release, and somebody has it open"
        raise DatabaseUnusable(
            f"{path} {why}: stop the service, and whatever else works on it, and try again"
        ) from error


def refuse_newer(db: Database) -> None:
    """Make sure that no newer release has changed the schema. Raises StoreIsNewer."""
    known = {migration.name for migration in MIGRATIONS._migrations}  # noqa: SLF001 - the only list of them
    if unknown := [done.name for done in MIGRATIONS.applied(db) if done.name not in known]:
        raise StoreIsNewer(f"{', '.join(unknown)}: start that release, or put a backup from before it in its place")
