"""Turns: of all in one process who write a session, one at a time has a connection for it.

Whoever waits for a session's row waits with a connection, of which a process has few. Without turns those who wait for
one session that somebody elsewhere has would have all of them, and nobody could write any other session. Of those who
wait for different ones only some have a connection at a time, for the same reason.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ledger.store import StoreBusy


@dataclass(slots=True)
class _Line:
    """Those who write one session: one has the turn, the others wait for it."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    length: int = 0


class Turns:
    """Whose turn it is at each session, in one process."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._lines: dict[str, _Line] = {}

    @contextmanager
    def turn(self, session_id: str | None, until: float, *, patient: bool = True) -> Iterator[None]:
        """Have the turn at a session; who writes none needs no turn. Raises StoreBusy.

        Who is not patient does not wait for it.
        """
        if session_id is None:
            yield
            return
        with self._mutex:
            line = self._lines.setdefault(session_id, _Line())
            line.length += 1
        try:
            if not line.turn.acquire(timeout=max(0.0, until - time.monotonic()) if patient else 0.0):
                raise StoreBusy
            try:
                yield
            finally:
                line.turn.release()
        finally:
            with self._mutex:
                line.length -= 1
                if line.length == 0:
                    del self._lines[session_id]


class Places:
    """So many places, for those who come first; who gives one up and wants one again comes last."""

    def __init__(self, most: int) -> None:
        self._mutex = threading.Lock()
        self._free = most
        self._line: deque[threading.Event] = deque()

    @contextmanager
    def place(self, until: float) -> Iterator[None]:
        """Have one of the places. Raises StoreBusy if there is none by then."""
        self._take(until)
        try:
            yield
        finally:
            self._give()

    def _take(self, until: float) -> None:
        with self._mutex:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._line.append(called)
        try:
            is_ours = called.wait(max(0.0, until - time.monotonic()))
        except BaseException:
            self._leave(called)
            raise
        if not is_ours:
            self._leave(called)
            raise StoreBusy

    def _leave(self, called: threading.Event) -> None:
        """Wait no longer; who was called just now gives the place on."""
        with self._mutex:
            if called in self._line:
                self._line.remove(called)
                return
        self._give()

    def _give(self) -> None:
        with self._mutex:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1
