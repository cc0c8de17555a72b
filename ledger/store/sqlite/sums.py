"""The checksums of rows (`ledger.store.checksums`) in SQLite: `row_sum(…)`, on every connection of ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from sqlite_utils import Database

from ledger.store.checksums import COVERED, row_sum


def teach(connection: sqlite3.Connection) -> None:
    """Let a connection know the checksum."""
    connection.create_function("row_sum", -1, row_sum, deterministic=True)


def change_link(db: Database, session_id: str, link_id: str, column: str, value: str) -> None:
    """Write a value into a link's column.

    A checksum that fitted fits afterwards. One that did not is left as it is: what is damaged must not look whole.
    """
    covered = COVERED["links"]
    before, after = ", ".join(covered), ", ".join("?1" if name == column else name for name in covered)
    db.execute(
        f"UPDATE links SET {column} = ?1, sum = CASE WHEN sum = row_sum({before}) THEN row_sum({after}) ELSE sum END"
        " WHERE session = ?2 AND id = ?3",
        [value, session_id, link_id],
    )


def seal(db: Database, table: str, where: str, values: Sequence[object]) -> None:
    """Work out the checksums of some rows anew."""
    db.execute(f"UPDATE {table} SET sum = row_sum({', '.join(COVERED[table])}) WHERE {where}", values)
