"""The store in PostgreSQL: `postgresql://user@host/name`, or any other URL that libpq knows.

One database may be used by any number of service machines. Who writes a session holds its row (`writer`), and nothing
else; so sessions never wait for one another, wherever they are written. Who waits for a session to go on is called by
PostgreSQL (`news`). The tables are those of every engine (`migrations`).

What the process that forks the workers has brought up to date is left as it is by them, whenever they start: the
database may be out of reach for a moment when one takes the place of another, or a newer release may have come to it,
beside which those that run go on.

psycopg is imported when a store is opened: it is an extra, and it settles on how to wait for a database when it is
imported, so a process that is to serve may not have it before gevent has come.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from typing import TYPE_CHECKING

from ledger.store import CannotBeOpened
from ledger.store.address import Address

if TYPE_CHECKING:
    from ledger.store.postgresql.store import PostgreSQLStore

PREPARED_BY: dict[str, int] = {}
"""Of each address that was brought up to date for children, the process that they are forked from."""


def open_at(address: Address, *, busy_seconds: float) -> PostgreSQLStore:
    """Open the store at an address. Raises CannotBeOpened if psycopg is not installed, or the address is no URL."""
    make_sure_there_is_a_driver(address)
    from ledger.store.postgresql.store import PostgreSQLStore  # noqa: PLC0415 - not before it is needed: see above

    was_prepared = PREPARED_BY.get(address.whole, os.getpid()) != os.getpid()
    return PostgreSQLStore(address, busy_seconds=busy_seconds, was_prepared=was_prepared)


def make_sure_there_is_a_driver(address: Address) -> None:
    """Look whether psycopg is installed, and do not import it. Raises CannotBeOpened."""
    missing = [name for name in ("psycopg", "psycopg_pool") if find_spec(name) is None]
    if missing:
        raise CannotBeOpened(
            f"{address.shown} is in PostgreSQL, and {' and '.join(missing)} cannot be found: pip install"
            " 'fuda-ledger[postgres]'"
        )


def prepare_for_children(address: Address, *, busy_seconds: float) -> None:
    """Bring the schema up to date in a process of its own: who is forked from this one has to import psycopg itself."""
    make_sure_there_is_a_driver(address)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
        elsewhere.submit(_prepare, address, busy_seconds).result()
    PREPARED_BY[address.whole] = os.getpid()


def _prepare(address: Address, busy_seconds: float) -> None:
    store = open_at(address, busy_seconds=busy_seconds)
    try:
        store.prepare()
    finally:
        store.close()
