"""What a role may do in a PostgreSQL database, and what is in the way of our tables there.

A role that may not do all that the service does works for a while, and fails at the first deletion or the next release.
`fuda-ledger doctor` names what is missing, with the statement that mends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.store.postgresql.migrations import HISTORY, MIGRATIONS, applied, is_there, pending

DB = Connection[TupleRow]

DONE_TO_ROWS = ("SELECT", "INSERT", "UPDATE", "DELETE")
FUNCTIONS = {
    "pg_advisory_xact_lock(bigint)": "only one process at a time opens a session",
    "pg_advisory_xact_lock(integer, integer)": "only one process at a time brings the schema up to date",
    "pg_notify(text, text)": "streams hear at once of what was recorded",
}
"""Functions that anyone may call unless somebody took that right away, and what for they are called."""

MAINTAIN_SINCE = 17_00_00
"""From this release on, VACUUM can be granted; before, the owners of the table and of the database alone may do it."""

KINDS = {
    "r": "table",
    "p": "table",
    "v": "view",
    "m": "materialized view",
    "f": "foreign table",
    "S": "sequence",
    "i": "index",
    "c": "type",
}
"""What has a name in a schema, as PostgreSQL calls it in one letter."""


def strange_relations(db: DB) -> Sequence[str]:
    """Name what is not ours and has the name of a table of ours, where our tables would be made."""
    done = applied(db)
    names = [] if is_there(db) else [HISTORY]
    names += tables_of(migration.name for migration in MIGRATIONS if migration.name not in done)
    found = db.execute(
        "SELECT relkind::text, relname FROM pg_class"
        " WHERE relname = ANY(%s) AND relnamespace = current_schema()::regnamespace ORDER BY relname",
        [names],
    ).fetchall()
    return [f"a {KINDS.get(kind, 'relation')} called {name}" for kind, name in found]


def tables_of(some: Iterable[str]) -> list[str]:
    """Name the tables that some migrations make."""
    names = {*some}
    made = (migration.statements for migration in MIGRATIONS if migration.name in names)
    return [name for statements in made for name in re.findall(r"CREATE TABLE (\w+)", statements)]


def missing_rights(db: DB) -> Iterator[str]:
    """Say what the role may not do that the service does, each with the statement that lets it."""
    role = told(db, "quote_ident(current_user)")
    schema = told(db, "quote_ident(current_schema())")
    for function, purpose in FUNCTIONS.items():
        if not told(db, "has_function_privilege(%s, 'EXECUTE')", function):
            yield f"{role} may not call {function}, by which {purpose}: GRANT EXECUTE ON FUNCTION {function} TO {role}"
    if is_there(db):
        yield from missing_in_table(db, role, schema, HISTORY, ("SELECT", "INSERT"))
    if not may_read_history(db):
        return
    if pending(db) and (lacks := missing_to_make(db)):
        yield lacks
    for table in tables_of(applied(db)):
        if not told(db, "to_regclass(%s)", f"{schema}.{table}"):
            continue  # that is damage, and told as such
        yield from missing_in_table(db, role, schema, table, DONE_TO_ROWS)
        yield from missing_of_an_owner(db, role, f"{schema}.{table}")


def may_read_history(db: DB) -> bool:
    """Say whether the role may look what was done in a database, if there is one of ours."""
    return not is_there(db) or bool(
        told(db, "has_table_privilege(quote_ident(current_schema()) || '.' || %s, 'SELECT')", HISTORY)
    )


def missing_to_make(db: DB) -> str | None:
    """Say that the role may not make tables, if so."""
    if told(db, "has_schema_privilege(current_schema(), 'CREATE')"):
        return None
    role, schema = told(db, "quote_ident(current_user)"), told(db, "quote_ident(current_schema())")
    return f"{role} may not make tables in the schema {schema}: GRANT CREATE ON SCHEMA {schema} TO {role}"


def missing_in_table(db: DB, role: str, schema: str, table: str, needed: Sequence[str]) -> list[str]:
    """Say what the role may not do with the rows of a table."""
    name = f"{schema}.{table}"
    lacks = ", ".join(right for right in needed if not told(db, "has_table_privilege(%s, %s)", name, right))
    return [f"{role} may not {lacks} in {name}: GRANT {lacks} ON {name} TO {role}"] if lacks else []


def missing_of_an_owner(db: DB, role: str, table: str) -> Iterator[str]:
    """Say that the role cannot have what is forgotten cleared away, nor alter a table for the next release."""
    if told(db, "pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = %s::regclass", table):
        return
    vacuums = told(db, "pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()")
    if db.info.server_version >= MAINTAIN_SINCE:
        vacuums = vacuums or told(db, "has_table_privilege(%s, 'MAINTAIN')", table)
    what = "ALTER" if vacuums else "VACUUM or ALTER"
    yield f"{role} may not {what} {table}, as it is not its owner: ALTER TABLE {table} OWNER TO {role}"


def closed_schemas(db: DB) -> Iterator[str]:
    """Say which schemas of the search path are there and may not be used."""
    role = told(db, "quote_ident(current_user)")
    rows = db.execute(
        "SELECT quote_ident(nspname) FROM pg_namespace"
        " WHERE nspname = ANY(string_to_array(translate(current_setting('search_path'), '\" ', ''), ','))"
        " AND NOT has_schema_privilege(oid, 'USAGE')"
    ).fetchall()
    for (schema,) in rows:
        yield f"{role} may not use the schema {schema}: GRANT USAGE, CREATE ON SCHEMA {schema} TO {role}"


def told(db: DB, question: str, *values: object) -> Any:
    """Have PostgreSQL say one thing."""
    row = db.execute(f"SELECT {question}".encode(), values).fetchone()
    return row[0] if row else None
