"""What PostgreSQL and psycopg raise about a database, and the names that the house has for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from ledger.store import DatabaseDamaged, DatabaseUnusable, StoreBusy, StoreFull, StoreTrouble

UNDONE = (errors.DeadlockDetected, errors.SerializationFailure, errors.LockNotAvailable)
"""Of several who were in one another's way, this one was told to begin anew."""

IN_THE_WAY = (*UNDONE, errors.QueryCanceled)
"""Somebody else was in the way; nothing of the transaction is kept."""

NO_ROOM = (errors.DiskFull,)
DAMAGE = (errors.DataCorrupted, errors.IndexCorrupted)
NO_SCHEMA = (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)
IN_OUR_PLACE = (errors.DuplicateTable, errors.DuplicateObject)
NOT_ALLOWED = (
    errors.InsufficientPrivilege,
    errors.InvalidPassword,
    errors.InvalidAuthorizationSpecification,
    errors.InvalidCatalogName,
)
ANSWERED = re.compile(r"failed: [^:\n]+:  ")
"""What stands before what a server says that does not let somebody connect: how grave it is, in the server's language,
and two blanks. The library sets those itself, and no others in what it says on its own account."""

NO_PASSWORD = re.compile("no password supplied")
"""What the library says by itself: always in English, as Python leaves the language of messages as it is in C."""

NOT_LET_IN = (
    (NO_PASSWORD, "it wants a password, and none is given in the address, PGPASSWORD or PGPASSFILE"),
    (re.compile("authentication failed for user"), "the user or the password is wrong"),
    (
        re.compile(r'role ".*" (does not exist|is not permitted to log in)'),
        "it has no such user, or none who may log in",
    ),
    (re.compile(r'database ".*" does not exist'), "it has no such database; createdb makes one"),
    (re.compile("permission denied for database"), "the user may not connect to this database"),
    (re.compile(r"pg_hba\.conf"), "its pg_hba.conf has no place for this user, database and machine"),
)
"""What a server says then whose `lc_messages` is English, and what that means."""

POOL_TROUBLE = (PoolTimeout, PoolClosed, TooManyRequests)

ELSEWHERE = (errors.ReadOnlySqlTransaction, errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)
"""This server does not take what is written any more: another does, or soon will."""


def is_lost(error: BaseException, connection: psycopg.Connection | None = None) -> bool:
    """Say whether a connection is of no use any more, so that another one may be tried."""
    return (
        isinstance(error, ELSEWHERE)
        or (connection is not None and connection.closed)
        or (isinstance(error, psycopg.OperationalError) and error.sqlstate is None)
    )


def is_undone(error: BaseException) -> bool:
    """Say whether the server itself has undone the transaction, because of what others did; it may be done anew."""
    return isinstance(error, UNDONE)


def why_not_let_in(error: psycopg.OperationalError) -> str | None:
    """Say why a server did not let somebody connect; None if none answered.

    Of that there are only words, as the library gives no code before there is a connection, and the server cannot be
    asked for another language until then. They may hold names and are not told. In a language that is not known here,
    or if it is something else, the server's own log has it.
    """
    told = str(error)
    if not ANSWERED.search(told) and not NO_PASSWORD.search(told):
        return None
    return next((why for words, why in NOT_LET_IN if words.search(told)), "see in the server's log why")


def named(error: Exception, shown: str) -> Exception:
    """Give the name that the house has for an error of psycopg's; the error itself, if it has none.

    `shown` is how the database's address is shown. What PostgreSQL says may hold what somebody wrote, and is not told.
    """
    if isinstance(error, StoreTrouble):
        return error
    if isinstance(error, NO_ROOM):
        return StoreFull(f"The disk of the database at {shown} is full: make room there; what was kept is still there.")
    if isinstance(error, DAMAGE):
        return DatabaseDamaged(type(error).__name__)
    if isinstance(error, NO_SCHEMA):
        return DatabaseUnusable(f"{shown} has not all the tables of this release: start the service once")
    if isinstance(error, IN_OUR_PLACE):
        return DatabaseUnusable(f"{shown} has something called as a table of ours: `fuda-ledger doctor` names it")
    if isinstance(error, NOT_ALLOWED):
        return DatabaseUnusable(
            f"{shown} does not let us in ({type(error).__name__}): see to its name, user, password and rights"
            " (`fuda-ledger doctor` names those that are missing)"
        )
    if is_lost(error) or isinstance(error, (*IN_THE_WAY, *POOL_TROUBLE, psycopg.OperationalError)):
        return StoreBusy()
    return error


def raise_named(error: BaseException, shown: str) -> NoReturn:
    """Raise an error of psycopg's under the name that the house has for it, and any other as it is."""
    if isinstance(error, (psycopg.Error, *POOL_TROUBLE)) and (found := named(error, shown)) is not error:
        raise found from error
    raise error


@contextmanager
def trouble_named(shown: str) -> Iterator[None]:
    """Give psycopg's troubles with a database the names that the house knows."""
    try:
        yield
    except (psycopg.Error, *POOL_TROUBLE) as error:
        raise_named(error, shown)
