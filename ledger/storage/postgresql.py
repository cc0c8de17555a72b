"""PostgreSQL, through psycopg and its pool: `postgresql://user@host/name`, or any other URL that libpq takes.

Any number of services may use one database. A writer locks its session's row in `sessions` and nothing else, so
sessions never wait for one another. After a failover another server has the database, so a statement that has changed
nothing yet is retried once on another connection.

psycopg chooses its way to wait when it is imported. A process that serves must patch with gevent before it imports this
module, and must not be forked from a process that has imported it.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import cache, partial
from itertools import chain
from typing import Any, NoReturn, TypeVar, cast

import psycopg
from gevent import Timeout, get_hub, monkey
from psycopg import errors
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import AdminShutdown, CrashShutdown, IdleInTransactionSessionTimeout, ReadOnlySqlTransaction
from psycopg.types.numeric import Int8Dumper
from psycopg.waiting import Ready
from psycopg_pool import ConnectionPool

from ledger.serving.metrics import COMMIT_SECONDS, COMMIT_WRITES
from ledger.storage.address import Address
from ledger.storage.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnavailable
from ledger.storage.schema import BALANCES, MIGRATIONS, TABLES, refuse_newer
from ledger.storage.store import HEAD, Connection, Query, Row, Store, WasCommitted
from ledger.storage.stored import ORPHAN, Condition, Damage

T = TypeVar("T")
DB = psycopg.Connection[Row]

DEFAULTS = conninfo_to_dict(
    "application_name=fuda-ledger connect_timeout=5 target_session_attrs=read-write"
    " keepalives_idle=10 keepalives_interval=5 keepalives_count=3 tcp_user_timeout=15000"
)
"""Connection parameters, where the address has no others: find the primary, and detect its loss soon."""

SESSION_SETTINGS = """
    SET lock_timeout = {milliseconds}; SET statement_timeout = 0; SET idle_session_timeout = 0;
    SET idle_in_transaction_session_timeout = '10s'; SET plan_cache_mode = force_generic_plan;
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
"""Settings of every connection, whatever the server's defaults. No `statement_timeout`: a COMMIT that it ends while
waiting for a synchronous replica counts as done. The idle timeout frees a session that a service locked before its
network failed. Every statement finds its rows by a key, so a generic plan suits all values."""

SNAPSHOT = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT 1"
)
"""A snapshot begins with the first read. It has no idle timeout, since an export waits for its reader."""

LOST_ERRORS = (AdminShutdown, CrashShutdown, IdleInTransactionSessionTimeout, ReadOnlySqlTransaction)
"""The connection takes no more writes; another one does or soon will, perhaps to another server."""

LOGIN_REFUSED = re.compile(
    r"failed: [^:\n]+:  (?!.*(starting up|shutting down|recovery|too many|slots are reserved))|no password supplied"
)
"""The text of a login that was refused for good; such an error has no code. Two blanks follow the severity in a
server's message, in whatever language, and never occur in the library's own messages."""

TRANSLATIONS: Sequence[tuple[tuple[type[psycopg.Error], ...], type[StoreError], str]] = (
    ((errors.DiskFull,), StoreFull, "its disk is full: make room there; what was kept is still there"),
    ((errors.DataCorrupted, errors.IndexCorrupted), StoreDamaged, "PostgreSQL says that a table or index is damaged"),
    ((errors.UndefinedTable, errors.UndefinedColumn), StoreUnavailable, "it lacks tables: start this release once"),
    ((errors.DuplicateTable,), StoreUnavailable, "it has tables of others with our names: give us a schema of our own"),
    ((errors.InvalidSchemaName,), StoreUnavailable, "it has no schema for our tables in its search_path: make one"),
    ((errors.InsufficientPrivilege,), StoreUnavailable, "the user lacks rights: let it own the schema, or grant them"),
    ((*LOST_ERRORS, psycopg.OperationalError), StoreBusy, "it cannot be reached, or others are in the way"),
    ((psycopg.Error,), StoreError, "PostgreSQL refuses what it is told"),
)
"""Driver errors, what is raised instead, and its text; the first match counts. A server's text may quote words."""

_next_log: dict[str, float] = {}


@contextmanager
def translated(shown: str) -> Iterator[None]:
    """Raise the driver's errors as StoreErrors, with the address as it is `shown`."""
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate is None and LOGIN_REFUSED.search(str(error)):
            what = "see in its log whether it is the database's name, the user, the password or pg_hba.conf"
            raise StoreUnavailable(f"{shown} does not let us in: {what}") from None
        raised, what = next((raised, what) for kinds, raised, what in TRANSLATIONS if isinstance(error, kinds))
        raise raised(f"{shown}: {what} ({type(error).__name__})") from None


def is_news(record: logging.LogRecord) -> bool:
    """Pass each kind of the pool's log lines once a minute; the pool writes one at every attempt."""
    if is_due := (now := time.monotonic()) >= _next_log.get(str(record.msg), now):
        _next_log[str(record.msg)] = now + 60
    return is_due


class NoAnswer(psycopg.OperationalError):
    """The server has not answered in time: it stands still, or waits for a synchronous replica."""


class Greenlets(psycopg.Connection[Row]):
    """A connection that waits as gevent's sockets do; psycopg makes a new poll object for each answer."""

    answer_seconds = 60.0

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:  # noqa: ARG002 - never given
        hub, socket = get_hub(), self.pgconn.socket
        try:
            with Timeout(self.answer_seconds, NoAnswer()):
                events = next(gen)
                while True:
                    with hub.loop.io(socket, int(events)) as ready:
                        hub.wait(ready)
                    events = gen.send(Ready(events))  # of a wait for both, psycopg finds out which
        except StopIteration as done:
            return cast("T", done.value)
        except NoAnswer:
            self.close()
            raise


CONNECTION: type[DB] = Greenlets if monkey.is_module_patched("select") else psycopg.Connection


def set_up(db: DB, *, lock_seconds: float) -> None:
    if isinstance(db, Greenlets):
        db.answer_seconds = lock_seconds + 1  # or all connections would hang with the server
    db.adapters.register_dumper(int, Int8Dumper)  # otherwise each size of integer prepares another statement
    db.execute(SESSION_SETTINGS.format(milliseconds=max(1, int(lock_seconds * 1000))).encode())


def is_lost(error: psycopg.Error) -> bool:
    """Say whether a connection is unusable after an error."""
    return isinstance(error, LOST_ERRORS) or (isinstance(error, psycopg.OperationalError) and not error.sqlstate)


@cache
def psycopg_statement(statement: str) -> bytes:
    """Write `:name` as `%(name)s`."""
    return re.sub(r"(?<!:):(\w+)", r"%(\1)s", statement.replace("%", "%%")).encode()


class PooledConnection:
    """A `Connection` of the pool."""

    def __init__(self, db: DB) -> None:
        self.db = db
        self.head: Row | None = None
        self._unsent: list[str] = []

    def begin(self, session_id: str | None) -> None:
        """Begin a transaction; lock a session in the same message."""
        if session_id is None or not session_id.isprintable():  # PostgreSQL cannot even be asked for NUL
            self.db.execute("BEGIN")
            return
        cursor = psycopg.ClientCursor(self.db)
        cursor.execute(b"BEGIN; " + psycopg_statement(f"{HEAD} FOR UPDATE"), {"id": session_id})
        cursor.nextset()
        self.head = cursor.fetchone()

    def query(self, statement: str, **parameters: Any) -> list[Row]:
        """Give the rows of a statement: none for a text that PostgreSQL cannot store (NUL, a lone surrogate)."""
        self.send()
        try:
            return self.db.execute(psycopg_statement(statement), parameters).fetchall()
        except (psycopg.DataError, UnicodeEncodeError) as error:
            if getattr(error, "sqlstate", None):
                raise
            return []

    def execute(self, statement: str, **parameters: Any) -> None:
        self._write(psycopg_statement(statement), parameters)

    def insert(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        for batch in (rows[first : first + 50] for first in range(0, len(rows), 50)):
            places = ", ".join([f"({', '.join(['%s'] * len(batch[0]))})"] * len(batch))
            self._write(f"INSERT INTO {table} ({columns}) VALUES {places}".encode(), [*chain.from_iterable(batch)])

    def _write(self, statement: bytes, parameters: Sequence[Any] | Mapping[str, Any]) -> None:
        self._unsent.append(psycopg.ClientCursor(self.db).mogrify(statement, parameters))
        if len(self._unsent) == 16:
            self.send()

    def send(self, *more: str) -> None:
        """Send all writes in one message: a report then takes 10 % less of the processor than with an answer each."""
        if statements := [*self._unsent, *more]:
            self._unsent = []
            psycopg.ClientCursor(self.db).execute("; ".join(statements).encode())


class PostgreSQL:
    """An `Engine` on one database, which is first connected when it is used."""

    poll_seconds = 0.1

    def __init__(self, address: Address, busy_seconds: float) -> None:
        self.address = str(address)
        self._translated = partial(translated, self.address)
        self._busy_seconds = busy_seconds
        try:
            given = conninfo_to_dict(address.whole, client_encoding="UTF8")
        except psycopg.ProgrammingError:
            raise StoreUnavailable(f"{self.address} is no address that PostgreSQL's library can read") from None
        self._conninfo: dict[str, Any] = {**DEFAULTS, **given, "autocommit": True}
        self._pool = self._make_pool()
        self._turns: weakref.WeakValueDictionary[str, threading.Lock] = weakref.WeakValueDictionary()
        logging.getLogger("psycopg.pool").addFilter(is_news)

    def _make_pool(self) -> ConnectionPool[DB]:
        pool = ConnectionPool[DB](
            connection_class=CONNECTION,
            kwargs=self._conninfo,
            configure=partial(set_up, lock_seconds=self._busy_seconds),  # a method would keep the engine alive
            min_size=1,
            max_size=16,
            open=False,
            timeout=self._busy_seconds,
            reconnect_timeout=1,  # then the pool starts over, instead of waiting longer between attempts
            reconnect_failed=ConnectionPool.check,
        )
        weakref.finalize(self, pool.close)  # otherwise one of its own threads may have to, which it cannot
        return pool

    @contextmanager
    def _pooled(self, begin: Callable[[PooledConnection], T]) -> Iterator[tuple[PooledConnection, T]]:
        """Give a connection and the result of `begin` on it, retried once on another one if the first is lost."""
        with ExitStack() as stack:
            pool = self._pool
            pool.open()  # the first time
            connection = PooledConnection(stack.enter_context(pool.connection()))
            try:
                begun = begin(connection)
            except psycopg.Error as error:
                if not is_lost(error) or isinstance(error, NoAnswer):  # a check would wait for each connection in turn
                    raise
                connection.db.close()
                stack.close()
                pool.check()
                connection = PooledConnection(stack.enter_context(pool.connection()))
                begun = begin(connection)
            try:
                yield connection, begun
            except LOST_ERRORS:
                connection.db.close()
                raise

    def query(self, statement: str, **parameters: Any) -> list[Row]:
        with self._translated(), self._pooled(lambda conn: conn.query(statement, **parameters)) as (_, rows):
            return rows

    @contextmanager
    def snapshot(self) -> Iterator[Query]:
        with self._translated(), self._pooled(lambda conn: conn.db.execute(SNAPSHOT)) as (conn, _):
            yield conn.query
            conn.db.commit()

    @contextmanager
    def transaction(self, was_committed: WasCommitted, session_id: str | None = None) -> Iterator[Connection]:
        is_committing = False
        # Writers of a session wait for one another here, or they would take all connections to wait in the server.
        turn = self._turns.setdefault(session_id, threading.Lock()) if session_id else nullcontext()
        with turn, self._translated():
            try:
                with self._pooled(lambda conn: conn.begin(session_id)) as (conn, _):
                    yield conn
                    is_committing = True
                    began = time.perf_counter()
                    conn.send("COMMIT")
                    COMMIT_SECONDS.observe(time.perf_counter() - began)
                    COMMIT_WRITES.observe(1)
            except psycopg.Error as error:  # here the lost connection has left its place in the pool to the check
                if not (is_committing and is_lost(error) and was_committed(self.query)):
                    raise

    @contextmanager
    def _connected(self) -> Iterator[DB]:
        """Connect outside the pool, whose errors do not say why it cannot connect."""
        with self._translated(), CONNECTION.connect(**self._conninfo) as db:
            set_up(db, lock_seconds=self._busy_seconds)
            yield db

    def exists(self) -> bool:
        with self._connected() as db:
            return applied(db) is not None

    def is_ready(self) -> bool:
        with suppress(StoreError):
            return {name for (name,) in self.query("SELECT name FROM migrations")} >= set(MIGRATIONS)
        return False

    def prepare(self) -> None:
        with self._connected() as db, db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(hashtext('fuda-ledger'), hashtext(current_schema()))")
            refuse_unusable(db)
            if applied(db) is None:
                make(db)

    def condition(self) -> Condition:
        with self._connected() as db:
            release = db.info.parameter_status("server_version") or ""
            (size,) = db.execute("SELECT pg_database_size(current_database())").fetchone() or (None,)
            off = "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'"
            warnings = [f"{name} is off: books may be lost when the power fails" for (name,) in db.execute(off)]
            try:
                refuse_unusable(db)
            except StoreUnavailable as error:
                warnings.append(str(error))
            done = applied(db)
            left = [name for name in MIGRATIONS if done is not None and name not in done]
            return Condition("postgresql", release, done is not None, size, None, left, warnings)

    def damage(self) -> Sequence[Damage]:
        """Find rows without their session. Damaged files are found by PostgreSQL's pg_amcheck."""
        found = list[Damage]()
        for name, table in TABLES.items():
            if "session_id" in table.columns:
                # An opening's idempotency record has a scope of its own, and outlives the session.
                missing = f"NOT EXISTS (SELECT 1 FROM sessions WHERE id = {table.session})"
                query = f"SELECT DISTINCT session_id FROM {name} WHERE session_id = {table.session} AND {missing}"
                found += [Damage(name, session_id, ORPHAN) for (session_id,) in self.query(query)]
        return found

    def backup(self, to: str) -> NoReturn:  # noqa: ARG002 - PostgreSQL has its own programs for that
        raise StoreUnavailable(
            f"{self.address} is copied and brought back by its own programs: pg_dump and pg_restore, or pg_basebackup"
            " with archived write-ahead logs (docs/operating.md)"
        )

    def restore(self, backup: str, check: Callable[[Store], None]) -> NoReturn:  # noqa: ARG002 - (likewise)
        self.backup(backup)

    def clean_up(self) -> None:
        """Do nothing: autovacuum does it."""

    def close(self) -> None:
        pool, self._pool = self._pool, self._make_pool()
        pool.close()


TYPES: Mapping[type, str] = {str: 'text COLLATE "C"', int: "bigint", bytes: "bytea"}
"""Texts compare by their bytes: ids, times and places are of no language."""

UNSAMPLED = {("words", "text"): "text", ("words", "salt"): "bytea", ("links", "label"): "text"}
"""What people wrote, and its salts: PostgreSQL samples none of these, since samples outlive an erasure."""


def applied(db: DB) -> list[str] | None:
    """List the migrations applied to the current schema; None if it has no database of this service."""
    history = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'"
    if not db.execute(history).fetchone():
        return None
    return [name for (name,) in db.execute("SELECT name FROM migrations ORDER BY name")]


def refuse_unusable(db: DB) -> None:
    """Make sure that a database can store all text, and is of no newer release. Raises StoreUnavailable."""
    if (encoding := db.info.parameter_status("server_encoding")) != "UTF8":
        raise StoreUnavailable(
            f"it cannot write every name in {encoding}: make it with createdb --encoding=UTF8 --template=template0"
        )
    refuse_newer(applied(db) or ())


def make(db: DB) -> None:
    """Make all tables and views. A Citus cluster places all rows of a session on one node."""
    statements = ['CREATE TABLE migrations (name text COLLATE "C" PRIMARY KEY, applied_at timestamptz NOT NULL)']
    for name, table in TABLES.items():
        types = {column: UNSAMPLED.get((name, column), TYPES[kind]) for column, kind in table.columns.items()}
        parts = [f"{column} {kind}{'' if column in table.nullable else ' NOT NULL'}" for column, kind in types.items()]
        parts += [f"UNIQUE ({', '.join(names)})" for names in table.unique]
        statements.append(f"CREATE TABLE {name} ({', '.join(parts)}, PRIMARY KEY ({', '.join(table.key)}))")
    statements += [f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0" for table, column in UNSAMPLED]
    if db.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone():
        statements += [
            f"SELECT create_distributed_table('{name}', '{table.session}', colocate_with =>"
            f" '{'none' if name == 'sessions' else 'sessions'}')"
            for name, table in TABLES.items()
        ]
    statements.append(f"CREATE VIEW balances AS {BALANCES}")
    statements += [f"INSERT INTO migrations VALUES ('{name}', now())" for name in MIGRATIONS]
    for statement in statements:
        db.execute(statement.encode())
