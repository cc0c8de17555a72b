"""Waiting for what others record, in this process or another.

One thread of a process watches for all who wait in it, as long as anybody does, and calls those whose session has gone
on. How it watches is the engine's. If the database fails it, it begins anew after a while, and looks at everything.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from ledger.store import StoreTrouble

TROUBLE_SECONDS = 1.0
"""How long whoever watches waits until it tries again, if the database is in trouble."""


class _Waiting(NamedTuple):
    """Somebody who waits for a session to go beyond a seq."""

    session_id: str
    after: int
    called: threading.Event


class News(ABC):
    """Those in one process who wait for news of sessions."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: set[_Waiting] = set()
        self._somebody_watches = False

    @abstractmethod
    def seqs(self, session_ids: Collection[str]) -> Mapping[str, int]:
        """Say where the logs of some sessions end; those that are not there are left out. Raises StoreTrouble."""

    @abstractmethod
    def moments(self) -> Iterator[Collection[str] | None]:
        """Give, as long as one asks on, the sessions that may have gone on since; None if any may have.

        It comes back from time to time, also with nothing. Raises StoreTrouble.
        """

    def wait(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session has gone beyond a seq, or is gone; False if neither happens in so many seconds."""
        waiting = _Waiting(session_id, after, threading.Event())
        with self._mutex:
            self._waiting.add(waiting)
            watches, self._somebody_watches = self._somebody_watches, True
        try:
            if not watches:
                threading.Thread(target=self._watch, daemon=True).start()
            seq = self.seqs([session_id]).get(session_id)  # what was committed before we waited, nobody calls us for
            return seq is None or seq > after or waiting.called.wait(seconds)
        finally:
            with self._mutex:
                self._waiting.discard(waiting)

    def _watch(self) -> None:
        """Watch as long as somebody waits, and begin anew after a while if the database is in trouble."""
        try:
            while True:
                with suppress(StoreTrouble):
                    for sessions in self.moments():
                        if not self._is_awaited():
                            return
                        self._call(sessions)
                time.sleep(TROUBLE_SECONDS)
                if not self._is_awaited():
                    return
        except BaseException:
            with self._mutex:  # whoever waits next watches again
                self._somebody_watches = False
            raise

    def _is_awaited(self) -> bool:
        """Say whether anybody waits; who comes after nobody did has to watch."""
        with self._mutex:
            self._somebody_watches = bool(self._waiting)
            return self._somebody_watches

    def _call(self, sessions: Collection[str] | None) -> None:
        """Call those whose session has gone on, or is gone."""
        with self._mutex:
            waiting = [each for each in self._waiting if sessions is None or each.session_id in sessions]
        if not waiting:
            return
        seqs = self.seqs({each.session_id for each in waiting})
        for each in waiting:
            if each.session_id not in seqs or seqs[each.session_id] > each.after:
                each.called.set()
