"""The schema's history, as SQLite has it, told to PostgreSQL. A migration, once released, is never edited.

Texts compare by their bytes (`COLLATE "C"`): ids, times in UTC and places are no words of any language. What a hash
covers is kept as the text that it was made of, times included. There are no foreign keys: who adds rows of a session
holds the session's own, and asking for it again for each of them would cost more than the rows; `verify` finds rows
without a session. PostgreSQL keeps samples of columns for whoever plans a query, which outlive the rows that they were
taken from: of what people wrote, and of what it could be guessed by, it takes none.
"""

from __future__ import annotations

from typing import NamedTuple

from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.store import StoreIsNewer


class Migration(NamedTuple):
    """A step in the schema's history, by the name that it has with every engine, and its statements."""

    name: str
    statements: str


MIGRATIONS = (
    Migration(
        "m001_the_log_and_its_books",
        """
        CREATE TABLE sessions (
            id text COLLATE "C" PRIMARY KEY,
            seq bigint NOT NULL,
            hash bytea NOT NULL,
            body text NOT NULL,
            version bigint NOT NULL,
            created_at text COLLATE "C" NOT NULL
        ) WITH (fillfactor = 70);
        CREATE TABLE events (
            session text COLLATE "C" NOT NULL,
            seq bigint NOT NULL,
            type text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            body text NOT NULL,
            recorded_at text COLLATE "C" NOT NULL,
            recorded_by text COLLATE "C" NOT NULL,
            hash bytea NOT NULL,
            PRIMARY KEY (session, seq)
        );
        CREATE TABLE words (
            session text COLLATE "C" NOT NULL,
            seq bigint NOT NULL,
            place text COLLATE "C" NOT NULL,
            salt bytea NOT NULL,
            text text NOT NULL,
            PRIMARY KEY (session, seq, place)
        );
        CREATE TABLE entries (
            session text COLLATE "C" NOT NULL,
            id bigint NOT NULL,
            seq bigint NOT NULL,
            round bigint,
            part bigint,
            payer text COLLATE "C" NOT NULL,
            payee text COLLATE "C" NOT NULL,
            amount bigint NOT NULL,
            reason text COLLATE "C" NOT NULL,
            reverses bigint,
            PRIMARY KEY (session, id)
        );
        CREATE TABLE balances (
            session text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            balance bigint NOT NULL,
            PRIMARY KEY (session, account)
        ) WITH (fillfactor = 70);
        """,
    ),
    Migration(
        "m002_links",
        """
        CREATE TABLE links (
            session text COLLATE "C" NOT NULL,
            number bigint NOT NULL,
            id text COLLATE "C" NOT NULL,
            role text COLLATE "C" NOT NULL,
            label text,
            token_hash bytea NOT NULL,
            created_at text COLLATE "C" NOT NULL,
            expires_at text COLLATE "C",
            revoked_at text COLLATE "C",
            PRIMARY KEY (session, id),
            UNIQUE (session, number),
            UNIQUE (session, token_hash)
        );
        """,
    ),
    Migration(
        "m003_idempotency_keys",
        """
        CREATE TABLE replies (
            session text COLLATE "C" NOT NULL,
            key bytea NOT NULL,
            request bytea NOT NULL,
            first_seq bigint NOT NULL,
            last_seq bigint NOT NULL,
            recorded_at text COLLATE "C" NOT NULL,
            PRIMARY KEY (session, key)
        );
        """,
    ),
    Migration(
        "m004_sessions_that_are_being_deleted",
        """
        ALTER TABLE sessions ADD COLUMN deleted_at text COLLATE "C";
        CREATE INDEX sessions_being_deleted ON sessions (id) WHERE deleted_at IS NOT NULL;
        """,
    ),
    Migration(
        "m005_what_was_made_with_idempotency_keys",
        """
        ALTER TABLE links ADD COLUMN salt bytea;
        CREATE TABLE made (
            key bytea PRIMARY KEY,
            request bytea NOT NULL,
            session text COLLATE "C" NOT NULL,
            seq bigint NOT NULL,
            link text COLLATE "C" NOT NULL,
            made_at text COLLATE "C" NOT NULL
        );
        CREATE INDEX made_by_when ON made (made_at);
        """,
    ),
    Migration(
        "m006_checksums",
        """
        ALTER TABLE sessions ADD COLUMN sum bigint;
        ALTER TABLE words ADD COLUMN sum bigint;
        ALTER TABLE links ADD COLUMN sum bigint;
        ALTER TABLE replies ADD COLUMN sum bigint;
        ALTER TABLE made ADD COLUMN sum bigint;
        """,
    ),
    Migration(
        "m007_what_is_still_on_the_disk",
        """
        CREATE TABLE forgetting (mark xid8 PRIMARY KEY);
        """,
    ),
    Migration(
        "m008_links_that_expire",
        """
        CREATE INDEX links_by_their_end ON links (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
        """,
    ),
    Migration(
        "m009_sessions_that_are_moving",
        """
        ALTER TABLE sessions ADD COLUMN moving text COLLATE "C";
        CREATE INDEX sessions_that_are_moving ON sessions (id) WHERE moving IS NOT NULL;
        """,
    ),
    Migration(
        "m010_what_was_made_in_a_session",
        """
        CREATE INDEX made_by_session ON made (session);
        """,
    ),
    Migration(
        "m011_no_samples_of_what_people_wrote",
        """
        ALTER TABLE sessions ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN body TYPE text;
        ALTER TABLE events ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN body TYPE text;
        ALTER TABLE words
            ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN text TYPE text,
            ALTER COLUMN salt SET STATISTICS 0, ALTER COLUMN salt TYPE bytea,
            ALTER COLUMN sum SET STATISTICS 0, ALTER COLUMN sum TYPE bigint;
        ALTER TABLE links
            ALTER COLUMN label SET STATISTICS 0, ALTER COLUMN label TYPE text,
            ALTER COLUMN sum SET STATISTICS 0, ALTER COLUMN sum TYPE bigint;
        """,
        # Whoever gives a column the type that it has takes away what was sampled of it, and writes no table anew.
        # `sessions` comes first, as in whatever others do meanwhile: who waits there has nothing that is waited for.
    ),
    Migration(
        "m012_a_nonce_of_each_append",
        """
        ALTER TABLE events ADD COLUMN nonce bytea;
        ALTER TABLE events ALTER COLUMN nonce SET STATISTICS 0;
        """,
    ),
    Migration(
        "m013_days_on_which_the_service_ran",
        """
        CREATE TABLE days (number bigint PRIMARY KEY, day text COLLATE "C" NOT NULL UNIQUE, sum bigint);
        """,
    ),
)

HISTORY = "migrations"
"""The table of what was done. Where it is, there is a database of ours."""


def is_there(db: Connection[TupleRow]) -> bool:
    """Say whether there is a database of ours, where new tables would be made. Others have a table so called, too."""
    row = db.execute(
        "SELECT array_agg(attname::text) @> ARRAY['name', 'applied_at'] FROM pg_class JOIN pg_attribute ON attrelid ="
        " pg_class.oid WHERE relname = %s AND relnamespace = current_schema()::regnamespace AND NOT attisdropped",
        [HISTORY],
    ).fetchone()
    return row is not None and bool(row[0])


def applied(db: Connection[TupleRow]) -> list[str]:
    """Say which migrations were applied, in order."""
    if not is_there(db):
        return []
    return [name for (name,) in db.execute(f"SELECT name FROM {HISTORY} ORDER BY name").fetchall()]


def pending(db: Connection[TupleRow]) -> list[str]:
    """Say which migrations were not applied."""
    done = applied(db)
    return [migration.name for migration in MIGRATIONS if migration.name not in done]


def refuse_newer(db: Connection[TupleRow]) -> None:
    """Make sure that no newer release has changed the schema. Raises StoreIsNewer."""
    known = {migration.name for migration in MIGRATIONS}
    if unknown := [name for name in applied(db) if name not in known]:
        raise StoreIsNewer(f"{', '.join(unknown)}: start that release, or put a backup from before it in its place")


def migrate(db: Connection[TupleRow]) -> None:
    """Bring the schema up to date in one transaction, one process at a time. Raises StoreIsNewer."""
    if not pending(db):
        refuse_newer(db)
        return
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(hashtext('fuda-ledger'), hashtext(current_schema()))")
        db.execute(
            f'CREATE TABLE IF NOT EXISTS {HISTORY} (name text COLLATE "C" PRIMARY KEY, applied_at timestamptz NOT NULL)'
        )
        refuse_newer(db)
        for name in pending(db):
            statements = next(migration.statements for migration in MIGRATIONS if migration.name == name)
            db.execute(statements.encode())
            db.execute(f"INSERT INTO {HISTORY} VALUES (%s, now())", [name])
