"""The store on SQLite, through sqlite-utils.

How writing works: a process writes through one connection, when it is its turn (`writer`). A transaction begins with
BEGIN IMMEDIATE, because a deferred one that reads first cannot wait for its turn and fails at once, and
synchronous=FULL means that what has been acknowledged is on the disk. Readers have connections of their own; WAL lets
them go on meanwhile, and they see what has been committed and nothing else.

What is forgotten is gone from the disk too: secure_delete writes zeros over it, and the write-ahead log, which may
still have it, is brought in and cut off, as soon as nobody is in the way (`forgetting`).

Nothing needs a temporary file, for which there may be no room: what SQLite puts aside is kept in memory.

Schema, migrations and look-ups go through the table API; the few statements that every event runs go through
`db.execute` and `executemany`, which cost a fraction of it.
"""

from __future__ import annotations

from ledger.store.address import Address
from ledger.store.sqlite.files import path_of
from ledger.store.sqlite.store import SQLiteStore


def open_at(address: Address, *, busy_seconds: float) -> SQLiteStore:
    """Open the store in the file that an address names."""
    return SQLiteStore(path_of(address), busy_seconds=busy_seconds)
