"""Waiting for what others record: SQLite calls nobody, but says at once that somebody wrote, for almost nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager

from sqlite_utils import Database

from ledger.store import news

LOOK_SECONDS = 0.01
"""How long the one who looks sleeps in between."""


class News(news.News):
    """Those in one process who wait for news of sessions."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Database]]) -> None:
        super().__init__()
        self._reading = reading

    def seqs(self, session_ids: Collection[str]) -> Mapping[str, int]:
        """Say where the logs of some sessions end; those that are not there are left out."""
        with self._reading() as db:
            return dict(
                db.conn.execute(
                    "SELECT id, seq FROM sessions WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL",
                    [json.dumps(sorted(session_ids))],
                )
            )

    def moments(self) -> Iterator[Collection[str] | None]:
        """Ask again and again whether any other connection has committed since (`PRAGMA data_version`)."""
        with self._reading() as db:
            seen = None
            while True:
                (version,) = db.conn.execute("PRAGMA data_version").fetchone()
                if version != seen:
                    seen = version
                    yield None
                else:
                    yield ()
                time.sleep(LOOK_SECONDS)
