"""A store made of stores: sessions spread over several databases, of whatever engines, that a file lists.

Each of them is a shard, and knows nothing of the others. There is no directory beside them that could be lost: a
session lives where its row is. Who does not know where asks all of them, and remembers it for good (`directory`). So a
database that is lost takes its own sessions along and no others, and one that is added changes nothing of where a
session is. A session that cannot be found while a shard is out of reach may be there: that is StoreBusy, and no 404.

New sessions are spread by weight at random. One that is opened with an idempotency key goes where the key's hash says
(`spreading`), so that whoever repeats it at the same time meets the first in one database. With another list the hash
may say another one; so all are asked for the key first, and if one of them cannot be, that is StoreBusy.
"""

from __future__ import annotations

import logging
import os

from ledger.store import CannotBeOpened, DatabaseUnusable, StoreBusy, StoreFull
from ledger.store import prepare_for_children as prepare_one
from ledger.store.address import Address
from ledger.store.sharded.listing import read_list
from ledger.store.sharded.shard import Moment, Shard
from ledger.store.sharded.store import ShardedStore

LOG = logging.getLogger(__name__)

PREPARED_BY: dict[str, int] = {}
"""Of each list whose shards were prepared for children, the process that they are forked from."""


def open_at(address: Address, *, busy_seconds: float) -> ShardedStore:
    """Open the store whose shards a file lists. Raises DatabaseUnusable if the file is no such list."""
    moment = Moment()
    shards = [Shard(listed, moment, busy_seconds) for listed in read_list(address)]
    was_prepared = PREPARED_BY.get(address.whole, os.getpid()) != os.getpid()
    return ShardedStore(str(address), shards, moment, was_prepared=was_prepared)


def prepare_for_children(address: Address, *, busy_seconds: float) -> None:
    """Bring all shards up to date that can be reached. Raises DatabaseUnusable if none can, and StoreIsNewer.

    To wait for one that could never be opened would be in vain. Raises CannotBeOpened.
    """
    reasons, shards = [], read_list(address)
    for name, where, _ in shards:
        try:
            prepare_one(where, busy_seconds=busy_seconds)
        except CannotBeOpened:
            raise
        except (StoreBusy, StoreFull, DatabaseUnusable) as error:
            reasons.append(f"{name}: {error or type(error).__name__}")
    if len(reasons) == len(shards):
        raise DatabaseUnusable(f"none of the shards that {address} lists can be reached: {'; '.join(reasons)}")
    for reason in reasons:
        LOG.warning("The service starts without a shard, and looks for it as it goes on. %s", reason)
    PREPARED_BY[address.whole] = os.getpid()
