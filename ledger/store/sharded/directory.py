"""Which session lives where: asked of the shards themselves, and remembered.

Nothing is written down beside the shards: what is remembered is only where to ask first. So it may be wrong, after a
session was moved, and then all are asked again; it is never wrong about what a session holds.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from ledger.store import DatabaseExchanged, StoreBusy, StoreTrouble, impatient
from ledger.store.sharded.moving import Mover
from ledger.store.sharded.shard import Shard, missing_last

MOST_REMEMBERED = 100_000
"""Of how many sessions a process remembers where they live: about 20 MB."""

LOOKS, MOST_LOOKS = 2, 10
"""How often all shards are asked: who asks while a session moves may come too early to one and too late to another, or
find that it has gone from one and not arrived in the other. As long as it is on its way, one looks more often."""


class Directory:
    """Where sessions live, for one process; safe between threads."""

    def __init__(self, shards: Sequence[Shard], mover: Mover, most: int = MOST_REMEMBERED) -> None:
        self._shards = shards
        self._mover = mover
        self._most = most
        self._lock = threading.Lock()
        self._remembered: OrderedDict[str, Shard] = OrderedDict()

    def home(self, session_id: str) -> Shard | None:
        """Give the shard that a session lives in, as far as is known; None if it is in none. Raises StoreBusy."""
        return self.remembered(session_id) or self.find(session_id)

    def remembered(self, session_id: str) -> Shard | None:
        """Give the shard in which a session was found last, if that is still known."""
        with self._lock:
            if shard := self._remembered.get(session_id):
                self._remembered.move_to_end(session_id)
            return shard

    def remember(self, session_id: str, shard: Shard) -> None:
        """Remember where a session lives, and forget those not asked for longest."""
        with self._lock:
            self._remembered[session_id] = shard
            self._remembered.move_to_end(session_id)
            while len(self._remembered) > self._most:
                self._remembered.popitem(last=False)

    def forget(self, session_id: str) -> None:
        """Ask all shards next time."""
        with self._lock:
            self._remembered.pop(session_id, None)

    def find(self, session_id: str) -> Shard | None:
        """Ask the shards for a session; None if it is in none. Raises StoreBusy if one could not be asked."""
        looks = LOOKS
        for look in range(MOST_LOOKS):
            shard, trouble = self.seen(session_id)
            if shard is not None:
                return shard
            if isinstance(trouble, DatabaseExchanged):
                raise trouble
            if trouble is not None:
                raise StoreBusy from trouble
            if look + 1 >= looks:
                return None
            if self._mover.settle(session_id):
                looks = look + 1 + LOOKS
        raise StoreBusy

    def seen(self, session_id: str) -> tuple[Shard | None, StoreTrouble | None]:
        """Ask each shard that can be asked, and say what kept one from being asked; who was missing comes last."""
        with impatient():
            return self._seen(session_id)

    def _seen(self, session_id: str) -> tuple[Shard | None, StoreTrouble | None]:
        trouble: StoreTrouble | None = None
        for shard in missing_last(self._shards):
            try:
                with shard.lent(reads=True) as store:
                    head = store.head(session_id)
            except StoreTrouble as error:
                trouble = error
                continue
            if head is not None:
                self.remember(session_id, shard)
                return shard, None
        return None, trouble
