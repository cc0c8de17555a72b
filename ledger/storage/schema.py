"""The schema, as data: each engine makes its tables from it.

Every key begins with the session, so sessions are independent of one another. What people wrote lies in `words`, apart
from the rows that the hash chain covers, so that it can be overwritten while the chain stays whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ledger.storage.errors import StoreUnavailable

Columns = dict[str, type[str] | type[int] | type[bytes]]


class Table(NamedTuple):
    """A table: its columns, its primary key, its nullable columns, its other unique keys.

    `session` is the column that names a row's session, by which a cluster distributes the rows.
    """

    columns: Columns
    key: Sequence[str]
    nullable: frozenset[str] = frozenset()
    unique: Sequence[Sequence[str]] = ()
    session: str = "session_id"


TABLES: dict[str, Table] = {
    "sessions": Table(
        Columns(id=str, seq=int, hash=bytes, body=str, version=int, created_at=str, updated_at=str),
        key=("id",),
        session="id",
    ),
    "events": Table(
        Columns(session_id=str, seq=int, type=str, version=int, body=str, recorded_at=str, recorded_by=str, hash=bytes),
        key=("session_id", "seq"),
    ),
    "words": Table(
        Columns(session_id=str, seq=int, place=str, salt=bytes, text=str), key=("session_id", "seq", "place")
    ),
    "entries": Table(
        Columns(session_id=str, id=int, seq=int, round=int)
        | Columns(payer=str, payee=str, amount=int, reason=str, reverses=int, part=int),
        key=("session_id", "id"),
        nullable=frozenset({"round", "reverses", "part"}),
    ),
    "links": Table(
        Columns(session_id=str, id=str, number=int, role=str, label=str, token_hash=bytes, salt=bytes)
        | Columns(created_at=str, expires_at=str, revoked_at=str),
        key=("session_id", "id"),
        nullable=frozenset({"label", "salt", "expires_at", "revoked_at"}),
        unique=[("session_id", "token_hash"), ("session_id", "number")],
    ),
    "idempotency_records": Table(
        Columns(scope=str, key=bytes, request=bytes)
        | Columns(session_id=str, first_seq=int, last_seq=int, link_id=str, created_at=str),
        key=("scope", "key"),
        nullable=frozenset({"first_seq", "link_id"}),
        session="scope",
    ),
}

BALANCES = (
    "SELECT session_id, CASE sign WHEN 1 THEN payee ELSE payer END AS account,"
    " CAST(SUM(sign * amount) AS BIGINT) AS balance"
    " FROM entries CROSS JOIN (SELECT 1 AS sign UNION ALL SELECT -1) AS signs"
    " GROUP BY session_id, CASE sign WHEN 1 THEN payee ELSE payer END"
)
"""The view `balances`. SQLite finds a session's entries by their key; with UNION ALL it would scan the table."""

MIGRATIONS = ("m001_sessions",)
"""The names of all migrations, in order. A migration, once released, is never edited."""


def refuse_newer(applied: Iterable[str]) -> None:
    """Make sure that no newer release has changed the schema. Raises StoreUnavailable."""
    if unknown := sorted({*applied} - {*MIGRATIONS}):
        raise StoreUnavailable(
            f"a newer release has changed the database, and this one leaves it as it is: {', '.join(unknown)}:"
            " start that release, or put a backup from before it in its place"
        )
