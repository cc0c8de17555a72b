"""Waiting for what others record, on this machine or another: PostgreSQL calls whoever listens.

Whoever has committed says so afterwards, in a transaction of its own: a NOTIFY in the transaction that writes would let
one commit at a time through, of all in the database. A call may thus be lost, with the process that was to make it or
with the connection that was to hear it; so whoever waits looks once a second anyway.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING

from ledger.store import StoreTrouble, news
from ledger.store.postgresql.troubles import trouble_named

if TYPE_CHECKING:
    from ledger.store.postgresql.connections import DB, Connections

CHANNEL = "fuda_ledger"

LOOK_SECONDS = 1.0
"""How long whoever waits is not called at most, if a call is lost."""

GATHER_SECONDS = 0.02
"""How long sessions are gathered that are told of together: each call is a transaction."""

MOST_TOGETHER = 100
"""Of how many sessions one call tells: PostgreSQL takes 8,000 bytes."""


class News(news.News):
    """Those in one process who wait for news of sessions."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self._here = connections

    def seqs(self, session_ids: Collection[str]) -> Mapping[str, int]:
        """Say where the logs of some sessions end; those that are not there are left out."""

        def look(db: DB) -> Mapping[str, int]:
            found = db.execute(
                "SELECT id, seq FROM sessions WHERE id = ANY(%s) AND deleted_at IS NULL", [sorted(session_ids)]
            )
            return dict(found.fetchall())

        return self._here.tried(look)

    def moments(self) -> Iterator[Collection[str] | None]:
        """Listen, and look once a second all the same."""
        with trouble_named(self._here.shown), closing(self._here.connected()) as db:
            db.waits(seconds=self._here.busy_seconds)
            db.execute(f"LISTEN {CHANNEL}")
            looked = 0.0
            while True:
                if time.monotonic() >= looked + LOOK_SECONDS:
                    looked = time.monotonic()
                    yield None
                called: set[str] = set()
                for told in db.notifies(timeout=LOOK_SECONDS, stop_after=1):
                    called.update(told.payload.split())
                yield called


def call(sessions: str, db: DB) -> None:
    """Tell whoever listens of some sessions."""
    db.execute("SELECT pg_notify(%s, %s)", [CHANNEL, sessions])


class Calls:
    """What this process has committed and has not told of yet."""

    def __init__(self, connections: Connections) -> None:
        self._here = connections
        self._mutex = threading.Lock()
        self._untold: set[str] = set()
        self._teller: threading.Thread | None = None

    def tell(self, session_id: str) -> None:
        """Have it told that a session has gone on, or is gone; nobody waits for that."""
        with self._mutex:
            self._untold.add(session_id)
            if self._teller is None:
                self._teller = threading.Thread(target=self._tell, daemon=True)
                self._teller.start()

    def end(self) -> None:
        """Tell of what is left, and of nothing more."""
        with self._mutex:
            teller = self._teller
        if teller is not None:
            teller.join()

    def _tell(self) -> None:
        """Tell of sessions until there are none left. What cannot be told is looked for by whoever waits for it."""
        while some := self._some():
            with suppress(StoreTrouble):
                self._here.tried(partial(call, some))

    def _some(self) -> str:
        """Take some of the sessions that are to be told of; none at the end."""
        time.sleep(GATHER_SECONDS)
        with self._mutex:
            some = [self._untold.pop() for _ in range(min(len(self._untold), MOST_TOGETHER))]
            if not some:
                self._teller = None
        return " ".join(some)
