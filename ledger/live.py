"""What is recorded, told as it is recorded: the events of a session after a seq, again and again (server-sent events).

A stream has no memory of its own. Its cursor is the seq of the event it told last, so whoever comes back with that
misses nothing and is told nothing twice, whichever process they come back to. In between it waits for the store's
news, never for longer than it takes to notice that its link has died or that the process is to stop. After about a
minute it ends by itself, and the client comes back.

All who listen to a session in one process are mostly told the same: what one of them reads and writes down, the others
take over.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from math import inf
from time import monotonic

from ledger.access import NotAdmitted, NotThere
from ledger.answers.encoding import encoded
from ledger.budget import limited
from ledger.desk import Desk
from ledger.store import ROLES, Head, StoreBusy

PAGE = 100
"""How many events are read at a time."""

MOST_PIECES = 16
"""How many pieces of one session are kept for others who listen to it."""

LOOK_SECONDS = 0.5
"""How long a stream goes on before it looks whether its link is alive, and whether it is to end."""

BEAT_SECONDS = 15.0
"""After how long without an event a comment says that the line is not dead."""

AROUND = 0.1
"""By which part of its time a stream ends earlier or later, so that not everybody comes back at once."""

RETRY = b"retry: 1000\n\n"
"""After how many milliseconds a client comes back."""

HEARTBEAT = b": still here\n\n"


class TooManyStreams(Exception):
    """As many people follow along here as this service can take; ask again in a moment, or read the log meanwhile."""


class _Told:
    """What listeners of a session in this process are told, while there are any."""

    def __init__(self) -> None:
        self.listeners = 0
        self.reading = threading.Lock()
        self._head: Head | None = None
        self._pieces: dict[int, tuple[bytes, int]] = {}

    def after(self, seq: int, session_id: str, desk: Desk) -> tuple[bytes, int]:
        """Give some events after a seq as they are sent, and the seq of the last of them; nothing if there are none.

        What was written down is right as long as the log ends where it did: a correction changes how older events are
        told, too. Raises NotThere.
        """
        with self.reading:
            head = desk.head(session_id)
            if head != self._head or len(self._pieces) == MOST_PIECES:
                self._head, self._pieces = head, {}
            if seq not in self._pieces:
                found = desk.events(session_id, seq, PAGE)
                text = b"".join(b"id: %d\nevent: recorded\ndata: %b\n\n" % (each.seq, encoded(each)) for each in found)
                self._pieces[seq] = text, found[-1].seq if found else seq
            return self._pieces[seq]


class Live:
    """The streams of one process. No more than `most` are open at a time; each takes about `seconds`."""

    def __init__(self, desk: Desk, most: int, seconds: float) -> None:
        self._desk = desk
        self._most = most
        self._seconds = seconds
        self._told: dict[str, _Told] = {}
        self._mutex = threading.Lock()
        self._open = 0
        self._ends = False

    def stream(self, session_id: str, token: str | None, after: int) -> Stream:
        """Begin to tell a session's events after a seq. Whoever has the stream closes it. Raises TooManyStreams."""
        with self._mutex:
            if self._open >= self._most:
                raise TooManyStreams
            self._open += 1
            told = self._told.setdefault(session_id, _Told())
            told.listeners += 1
        return Stream(self, session_id, self._pieces(told, session_id, token, after))

    def end(self) -> None:
        """Let all streams end; the process is about to stop."""
        self._ends = True

    def left(self, session_id: str) -> None:
        """Note that a stream was closed."""
        with self._mutex:
            self._open -= 1
            self._told[session_id].listeners -= 1
            if not self._told[session_id].listeners:
                del self._told[session_id]

    def _pieces(self, told: _Told, session_id: str, token: str | None, after: int) -> Iterator[bytes]:
        began = looked = said = monotonic()
        until = began + self._seconds * random.uniform(1 - AROUND, 1 + AROUND)  # noqa: S311 - no secret
        yield RETRY
        is_news = True
        with suppress(NotAdmitted, NotThere, StoreBusy):
            while not self._ends and (now := monotonic()) < until:
                if now - looked >= LOOK_SECONDS:
                    self._desk.admit(session_id, token, ROLES)
                    looked = now
                text = b""
                if is_news:
                    with limited(inf):
                        text, after = told.after(after, session_id, self._desk)
                elif now - said >= BEAT_SECONDS:
                    text = HEARTBEAT
                if text:
                    said = now
                    yield text
                is_news = self._desk.store.wait_for_news(session_id, after, LOOK_SECONDS)


class Stream:
    """The pieces of a stream that are to be sent, as they come up."""

    def __init__(self, live: Live, session_id: str, pieces: Iterator[bytes]) -> None:
        self._live = live
        self._session_id = session_id
        self._pieces = pieces
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """Let others have its place. It is closed also if nothing of it was ever sent."""
        if self._is_open:
            self._is_open = False
            self._live.left(self._session_id)
