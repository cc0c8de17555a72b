"""How a database stands: what an operator wants to know of it, and what is damaged in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.budget import breathe
from ledger.store import Condition, Damage, DatabaseUnusable, Figures, StoreIsNewer
from ledger.store.checksums import COVERED, row_sum
from ledger.store.postgresql.deleting import BELONGINGS, is_pending
from ledger.store.postgresql.migrations import applied, is_there, pending, refuse_newer
from ledger.store.postgresql.rights import (
    closed_schemas,
    may_read_history,
    missing_rights,
    missing_to_make,
    strange_relations,
)

DB = Connection[TupleRow]

ENGINE = "postgresql"

OLDEST_RELEASE = 14_00_00
"""The oldest release of PostgreSQL that is known to work, as the server numbers it."""

SAFE = {
    "fsync": "commits may be lost, and the database damaged, when the power fails",
    "full_page_writes": "the database may be damaged when the power fails",
}
"""Settings that are on wherever nothing acknowledged may be lost, and what comes of it where they are not."""

ROWS_A_LOOK = 2_000
"""How many rows are fetched at a time by who reads a whole table."""


def make_sure_it_is_usable(db: DB, shown: str) -> None:
    """Make sure that a database can keep our books. Raises DatabaseUnusable."""
    encoding, schema = db.execute("SELECT current_setting('server_encoding'), current_schema()").fetchone() or ("", "")
    if encoding != "UTF8":
        raise DatabaseUnusable(
            f"{shown} writes {encoding}, in which not every name can be written: make the database with createdb"
            " --encoding=UTF8 --template=template0"
        )
    if schema is None:
        closed = "; ".join(closed_schemas(db)) or "make one that is in its search_path"
        raise DatabaseUnusable(f"{shown} has no schema to make tables in: {closed}")
    if db.info.server_version < OLDEST_RELEASE:
        raise DatabaseUnusable(f"{shown} is PostgreSQL {release_of(db)}; 14 is the oldest that will do")


def make_sure_it_is_free(db: DB, shown: str) -> None:
    """Make sure that nothing is where our tables are still to be made. Raises DatabaseUnusable."""
    if strange := strange_relations(db):
        raise DatabaseUnusable(
            f"{shown} has {' and '.join(strange)}, not made by this program, and is left as it is: give the service a"
            " database or a schema of its own"
        )


def make_sure_it_may_be_made(db: DB, shown: str) -> None:
    """Make sure that tables that are still to be made may be. Raises DatabaseUnusable."""
    if pending(db) and (lacks := missing_to_make(db)):
        raise DatabaseUnusable(f"{shown} does not let us make tables: {lacks}")


def release_of(db: DB) -> str:
    """Give the server's release."""
    row = db.execute("SELECT current_setting('server_version')").fetchone()
    return str(row[0]) if row else ""


def condition_of(db: DB, shown: str) -> Condition:
    """Look at a database as an operator does, and change nothing."""
    warnings = [
        f"{name} is off: {what}"
        for name, what in SAFE.items()
        if (db.execute("SELECT current_setting(%s)", [name]).fetchone() or [""])[0] == "off"
    ]
    notes, exists, left = list[str](), is_there(db), list[str]()
    try:
        make_sure_it_is_usable(db, shown)
        warnings += (lacks := list(missing_rights(db)))
        if may_read_history(db):
            make_sure_it_is_free(db, shown)
            refuse_newer(db)
            left = pending(db) if exists else []
            if exists and not left and not lacks and is_pending(db):
                notes.append("what was erased or deleted is still in the tables until the service clears it")
    except DatabaseUnusable as error:
        warnings.append(str(error))
    except StoreIsNewer as error:
        warnings.append(f"a newer release has changed the database, and this one leaves it as it is: {error}")
    if db.execute("SELECT current_setting('data_checksums')").fetchone() == ("off",):
        notes.append("data_checksums is off: PostgreSQL does not notice a bit that has tipped over; see pg_checksums")
    size = figures_of(db).bytes if exists else None
    return Condition(
        ENGINE, release_of(db), exists, bytes=size, pending_migrations=left, warnings=warnings, notes=notes
    )


def figures_of(db: DB) -> Figures:
    """Say how large a database is, and when a piece of its write-ahead log was archived last."""
    row = db.execute(
        "SELECT pg_database_size(current_database()),"
        " (SELECT to_char(last_archived_time AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
        " FROM pg_stat_archiver)"
    ).fetchone()
    return Figures(row[0] if row else None, None, None, row[1] if row else None)


def damage_in(db: DB) -> Iterator[Damage]:
    """Make every check, at one moment; what one of them cannot even read is damage, too."""
    checks: list[Callable[[DB], Iterator[Damage]]] = [unread_rows, broken_indexes, missing_steps, orphans, wrong_sums]
    for check in checks:
        try:
            with db.transaction():
                yield from check(db)
        except psycopg.DatabaseError as error:
            if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
                raise
            yield Damage("database", check.__name__, type(error).__name__)


def unread_rows(db: DB) -> Iterator[Damage]:
    """Have PostgreSQL read every row of every table; it says by itself which page is broken, if it has checksums."""
    for table in COVERED.keys() | set(BELONGINGS):
        db.execute(f"SELECT count(*), max(length(t::text)) FROM {table} t")
    yield from ()


def broken_indexes(db: DB) -> Iterator[Damage]:
    """Find indexes that PostgreSQL itself does not trust."""
    rows = db.execute(
        "SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index JOIN pg_class ON oid = indexrelid"
        " WHERE relnamespace = current_schema()::regnamespace AND NOT (indisvalid AND indisready)"
    ).fetchall()
    for table, index in rows:
        yield Damage(table, index, "the index is not whole: REINDEX it")


def missing_steps(db: DB) -> Iterator[Damage]:
    """Find what the migrations make and is not there."""
    for name in pending(db):
        yield Damage("migrations", name, "it was not applied")
    if not applied(db):
        yield Damage("migrations", "all", "there are no tables of ours")


def orphans(db: DB) -> Iterator[Damage]:
    """Find rows of sessions that are not there."""
    for table in ("links", *BELONGINGS):
        rows = db.execute(
            f"SELECT DISTINCT session FROM {table} WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session)"
        ).fetchall()
        for (session,) in rows:
            yield Damage(table, session, "it belongs to a session that is not there")


def wrong_sums(db: DB) -> Iterator[Damage]:
    """Find rows that are not what their checksum was made of."""
    for table, names in COVERED.items():
        with db.cursor(name=f"sums_of_{table}") as rows:
            rows.itersize = ROWS_A_LOOK
            rows.execute(f"SELECT ctid::text, {', '.join(names)}, sum FROM {table}")
            for row, *values, kept in rows:
                breathe()
                if kept is not None and kept != row_sum(*values):
                    yield Damage(table, row, "its columns are not those that its checksum was made of")
