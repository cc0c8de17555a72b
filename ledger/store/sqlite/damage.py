"""Looking for damage in the file itself: pages, indexes and rows, table by table.

What sessions and books are, nobody knows here. SQLite looks through all pages and holds every index against its table
(`PRAGMA integrity_check`); no row may belong to a session that is not there; the schema has to be the one that the
migrations make; and each row that has a checksum has to match it. Left out is when a migration was applied, which
nothing rests on, and what is left of a session that is being deleted, which nobody finds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from ledger.budget import breathe
from ledger.store import Damage
from ledger.store.checksums import COVERED, row_sum
from ledger.store.sqlite.connections import connect
from ledger.store.sqlite.migrations import MIGRATIONS
from ledger.store.sqlite.sums import teach

FILE = "file"
"""In whose place damage is that belongs to no table."""

Shape = set[tuple[object, ...]]


def damage_in(path: Path, busy_seconds: float) -> Iterator[Damage]:
    """Make every check; what one of them cannot even read is damage, too."""
    with closing(connect(path, busy_seconds)) as db:
        db.conn.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        checks: list[Callable[[Database], Iterator[Damage]]] = [broken_pages, other_shapes, orphans, wrong_sums]
        for check in checks:
            try:
                yield from check(db)
            except sqlite3.Error as error:
                yield Damage(FILE, check.__name__, str(error))


def broken_pages(db: Database) -> Iterator[Damage]:
    """Say what SQLite finds, in which table it is found."""
    found = said_by(db, "PRAGMA integrity_check")
    if not found:
        return
    told: set[str] = set()
    tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    for (table,) in tables:
        for what in said_by(db, f'PRAGMA integrity_check("{table}")'):
            told.add(what)
            yield Damage(table, "all", what)
    yield from (Damage(FILE, "all", what) for what in found if what not in told)


def said_by(db: Database, pragma: str) -> list[str]:
    """Give what SQLite says is wrong, a line each."""
    lines = [line for (text,) in db.execute(pragma).fetchall() for line in str(text).splitlines()]
    return [line for line in lines if line != "ok" and not line.startswith("*** in database")]


def orphans(db: Database) -> Iterator[Damage]:
    """Find rows of sessions that are not there."""
    for table, row, _parent, _number in db.execute("PRAGMA foreign_key_check").fetchall():
        yield Damage(table, row or "all", "it belongs to a session that is not there")


def wrong_sums(db: Database) -> Iterator[Damage]:
    """Find rows that are not what their checksum was made of."""
    for table, columns in COVERED.items():
        # the plus keeps SQLite from reading an index in the table's place
        rows = db.execute(f"SELECT rowid, {', '.join(f'+{column}' for column in columns)}, sum FROM {table}")
        for row, *values, kept in rows:
            breathe()
            if kept is not None and kept != row_sum(*values):
                yield Damage(table, row, "its columns are not those that its checksum was made of")


def other_shapes(db: Database) -> Iterator[Damage]:
    """Hold the schema against one that is made afresh."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        teach(connection)
        fresh = Database(connection, strict=True)
        MIGRATIONS.apply(fresh)
        should, found = shape_of(fresh), shape_of(db)
    for table, *what in sorted(should ^ found, key=repr):
        state = "is missing in" if (table, *what) in should else "is new in"
        yield Damage(str(table), "schema", f"{' '.join(map(str, what))} {state} the schema")


def shape_of(db: Database) -> Shape:
    """Describe the tables, their columns, keys and indexes, whatever the words and letters they were made with."""
    shape: Shape = set()
    for name, is_strict in db.execute(
        "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main'"
    ).fetchall():
        if name.startswith("sqlite_"):
            continue
        table = name.lower()
        shape.add((table, "strict", is_strict))
        for _, column, kind, is_needed, default, key in db.execute(f'PRAGMA table_info("{name}")').fetchall():
            shape.add((table, "column", column.lower(), kind.lower(), is_needed, default, key))
        for _, _, parent, here, there, *rules, _ in db.execute(f'PRAGMA foreign_key_list("{name}")').fetchall():
            shape.add((table, "reference", parent.lower(), here.lower(), str(there).lower(), *rules))
        for _, index, is_unique, origin, is_partial in db.execute(f'PRAGMA index_list("{name}")').fetchall():
            columns = [str(row[2]).lower() for row in db.execute(f'PRAGMA index_info("{index}")').fetchall()]
            name_given = str(index).lower() if origin == "c" else ""  # two that we made may only differ in their rows
            shape.add((table, "index", name_given, tuple(columns), is_unique, origin, is_partial))
    return shape
