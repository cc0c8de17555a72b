"""Database addresses: the values of `LEDGER_DATABASE`, their display, and opening a store.

An address begins with a scheme, as in SQLAlchemy: `sqlite:///beside/here.db`, `sqlite:////from/the/root.db`,
`postgresql://user:password@host/name`. Anything else is the path of a file. So that a mistyped address does not pass
for a path, a text with `://`, or one that begins like `name:`, is an address unless it begins with `/` or `.`: the file
`a:b.db` is `./a:b.db`.
"""

from __future__ import annotations

import re
from contextlib import closing
from os import PathLike, fspath
from typing import Self

from ledger.storage.errors import StoreUnavailable
from ledger.storage.store import Store

BUSY_SECONDS = 20.0
"""How long a writer waits for its turn, by default."""

BEGINNING = re.compile(r"((?![./])[^/]{2,}?)?://|[a-zA-Z][a-zA-Z0-9+-]+:")
"""How an address begins, whatever its scheme, and no path does. A single letter before a colon is a drive."""

FORM = re.compile(r"sqlite:///((?!:memory:)[^?\0]+)|(postgres(?:ql)?://[^\s\0]*)")
"""An address; the group that matches is what the engine gets."""

WANTED = (
    "the path of a file (./ before it if it has a colon), or an address like sqlite:///beside/here.db,"
    " sqlite:////from/the/root.db, postgresql://user:password@host/name"
)


class BadAddress(ValueError):
    """The address is malformed, or its scheme is unknown."""


class Address(str):
    """An address as it is shown, without a password; its scheme, and what the engine gets (`whole`)."""

    __slots__ = ("scheme", "whole")
    scheme: str
    whole: str

    def __new__(cls, given: PathLike[str] | str) -> Self:
        """Read an address or a path; a PathLike is always a path. Raises BadAddress."""
        if isinstance(given, cls):
            return given
        text = fspath(given)
        is_path = not isinstance(given, str) or not BEGINNING.match(text)
        found = None if is_path else FORM.fullmatch(text)
        address = super().__new__(cls, text if is_path else without_password(text))
        if text in {"", ":memory:"} or "\0" in text or not (is_path or found):
            raise BadAddress(f"{str(address)!r}; it has to be {WANTED}")
        address.scheme = text.partition(":")[0] if found else "sqlite"
        address.whole = found[1] or found[2] if found else text
        return address


def without_password(address: str) -> str:
    """Redact everything in an address that may be a secret."""
    shown = re.sub(r"(?s)^([^:]*:/*[^:@]*):.*@", r"\1:***@", address)
    return re.sub(r"(?is)([?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=).*", r"\1***", shown)


def open_store(address: PathLike[str] | str, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open the store at an address or a path, without connecting to it.

    Raises BadAddress, and StoreUnavailable if the engine's driver is not installed.
    """
    where = Address(address)
    if where.scheme == "sqlite":
        from ledger.storage.sqlite import SQLite  # noqa: PLC0415 - each engine is imported where it is used

        return Store(SQLite(where.whole, busy_seconds))
    try:
        from ledger.storage.postgresql import PostgreSQL  # noqa: PLC0415 - psycopg has to be imported after gevent
    except ImportError as error:
        raise StoreUnavailable(
            f"{where} is in PostgreSQL, and psycopg cannot be imported ({error}): pip install 'fuda-ledger[postgres]'"
        ) from None
    return Store(PostgreSQL(where, busy_seconds))


def prepare(address: Address, busy_seconds: float) -> None:
    """Migrate a database and close it. Raises StoreError."""
    store = open_store(address, busy_seconds=busy_seconds)
    with closing(store.engine):
        store.engine.prepare()


def prepare_for_fork(address: Address, busy_seconds: float) -> None:
    """Migrate a database, in a process that forks later. Raises StoreError.

    For PostgreSQL another process does it, since this one must not import psycopg before it forks.
    """
    if address.scheme == "sqlite":
        prepare(address, busy_seconds)
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - no worker needs it
    from multiprocessing import get_context  # noqa: PLC0415

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        elsewhere.submit(prepare, address, busy_seconds).result()
