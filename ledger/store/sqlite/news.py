"""Waiting for what others record, in this process or another.

SQLite calls nobody, but it says at once, and for almost nothing, whether any other connection has committed since it
was last asked (`PRAGMA data_version`). So one thread of a process looks for all who wait in it, as long as anybody
does, and calls those whose session has gone on. If the database fails it, it stops; nobody waits for ever, and whoever
comes back and waits again looks anew.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from sqlite_utils import Database

from ledger.store import StoreTrouble
from ledger.store.sqlite.log import head_of

LOOK_SECONDS = 0.01
"""How long the one who looks sleeps in between."""


class _Waiting(NamedTuple):
    """Somebody who waits for a session to go beyond a seq."""

    session_id: str
    after: int
    called: threading.Event


class News:
    """Those in one process who wait for news of sessions."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Database]]) -> None:
        self._reading = reading
        self._mutex = threading.Lock()
        self._waiting: set[_Waiting] = set()
        self._somebody_looks = False

    def wait(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session has gone beyond a seq, or is gone; False if neither happens in so many seconds."""
        waiting = _Waiting(session_id, after, threading.Event())
        with self._mutex:
            self._waiting.add(waiting)
            looks, self._somebody_looks = self._somebody_looks, True
        try:
            if not looks:
                threading.Thread(target=self._look, daemon=True).start()
            with self._reading() as db:  # what was committed before we waited, nobody calls us for
                head = head_of(db, session_id)
            return head is None or head.seq > after or waiting.called.wait(seconds)
        finally:
            with self._mutex:
                self._waiting.discard(waiting)

    def _look(self) -> None:
        """Look whether anybody has committed, as long as somebody waits for it."""
        try:
            with self._reading() as db:
                seen = None
                while self._is_awaited():
                    (version,) = db.conn.execute("PRAGMA data_version").fetchone()
                    if version != seen:
                        seen = version
                        self._call(db)
                    time.sleep(LOOK_SECONDS)
        except BaseException as error:
            with self._mutex:  # whoever waits next looks again
                self._somebody_looks = False
            if not isinstance(error, sqlite3.Error | StoreTrouble):
                raise

    def _is_awaited(self) -> bool:
        """Say whether anybody waits; who comes after nobody did has to look."""
        with self._mutex:
            self._somebody_looks = bool(self._waiting)
            return self._somebody_looks

    def _call(self, db: Database) -> None:
        """Call those whose session has gone on, or is gone."""
        with self._mutex:
            waiting = list(self._waiting)
        ids = json.dumps(sorted({each.session_id for each in waiting}))
        heads = dict(
            db.conn.execute(
                "SELECT id, seq FROM sessions WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL",
                [ids],
            )
        )
        for each in waiting:
            if each.session_id not in heads or heads[each.session_id] > each.after:
                each.called.set()
