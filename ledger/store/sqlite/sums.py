"""Checksums of the rows that nothing else covers: links, what is kept of idempotency keys, and words.

Events are covered by the chain of hashes, entries and balances by being worked out again, words by the digests in the
chain until they are forgotten. For the rest each row has a checksum of its other columns, in `sum`: it tells a bit
that has tipped over, or a hand that did not know of it, from what was written; somebody who means it can make it anew.
A row of a release that knew no checksums, recorded while the schema was brought up to date, has none.

SQLite knows the checksum as `row_sum(…)`, on every connection of ours.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Mapping, Sequence

from sqlite_utils import Database

COVERED: Mapping[str, tuple[str, ...]] = {
    "sessions": ("id", "deleted_at"),
    "words": ("session", "seq", "place", "salt", "text"),
    "links": (
        "session",
        "number",
        "id",
        "role",
        "label",
        "token_hash",
        "created_at",
        "expires_at",
        "revoked_at",
        "salt",
    ),
    "replies": ("session", "key", "request", "first_seq", "last_seq", "recorded_at"),
    "made": ("key", "request", "session", "seq", "link", "made_at"),
}
"""Which columns a row's checksum covers, by table. The rest of a session's row is covered by its chain."""


def row_sum(*values: str | int | bytes | None) -> int:
    """Work out the checksum of a row: a CRC-32 of its values in order, each with its kind and length before it."""
    found = 0
    for value in values:
        match value:
            case None:
                kind, stored = b"-", b""
            case bytes():
                kind, stored = b"b", value
            case int():
                kind, stored = b"i", b"%d" % value
            case _:
                kind, stored = b"t", value.encode("utf-8", "surrogatepass")
        found = zlib.crc32(b"%b%d:%b" % (kind, len(stored), stored), found)
    return found


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
