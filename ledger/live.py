"""What is recorded, told as it is recorded: the events of a session after a seq, again and again (server-sent events).

A stream has no memory of its own. Its cursor is the seq of the event it told last, so whoever comes back with that
misses nothing and is told nothing twice, whichever process they come back to. After about a minute it ends by itself,
and the client comes back.

Of all who listen to a session in one process, each has a stream, and all have one teller, which is told how far the log
goes, looks which links are alive, and wakes the streams; what one of them reads and writes down, the others take over.
One thread a process looks for all tellers, as long as anybody listens.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import suppress
from math import inf
from time import monotonic, sleep
from typing import NamedTuple

from ledger.access import Token
from ledger.codec.writer import encoded
from ledger.desk import Desk
from ledger.logs import unhandled
from ledger.meters import STREAMED_SESSIONS, STREAMS
from ledger.storage.errors import NotFound, StoreError

PAGE = 100
"""How many events are read at a time."""

MOST_PIECES = 16
"""How many pieces of one session are kept for others who listen to it."""

LOOK_SECONDS = 0.5
"""How often a teller looks whether links are still alive, if there is no news."""

PAUSE_SECONDS = 0.002
"""How long everybody else goes first before heads are read again: what comes together is told together."""

BEAT_SECONDS = 15.0
"""After how long without an event a comment says that the line is not dead."""

HANG_UP_SECONDS = 1.0
"""How long a stream waits before it looks whether anybody is still there."""

AROUND = 0.1
"""By which part of its time a stream ends earlier or later, so that not everybody comes back at once."""

RETRY = b"retry: 1000\n\n"
"""After how many milliseconds a client comes back."""

HEARTBEAT = b": still here\n\n"


class TooManyStreams(Exception):
    """As many people follow along here as this service can take; ask again in a moment, or read the log meanwhile."""


class StreamPlaces(NamedTuple):
    """How many streams a process keeps open: in all, and of them those of one session, of one link, of one address.

    Whoever can open sessions can make as many links to them as they like; so nobody gets all places but by coming from
    several addresses.
    """

    most: int

    @property
    def of_a_session(self) -> int:
        """Nine in ten, so that a whole hall may follow one evening, and there is room for others."""
        return max(1, self.most * 9 // 10)

    @property
    def of_a_link(self) -> int:
        """As many: a hall reads the link from the wall."""
        return self.of_a_session

    @property
    def of_an_address(self) -> int:
        """As many: a hall has one address."""
        return self.of_a_session


class Listener(NamedTuple):
    """Somebody who listens: with which token, since when by the monotonic clock, and whether they have hung up."""

    token: bytes
    since: float
    has_hung_up: Callable[[], bool]


class _Teller:
    """Tells a session to all who listen to it in this process, from when the first does until the last has left."""

    def __init__(self, desk: Desk, session_id: str) -> None:
        self.listeners = 0
        self.is_over = False
        self._desk = desk
        self._session_id = session_id
        self._seq = 0
        self._alive: Container[bytes] = ()
        self._looked = -inf
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._pieces: dict[int, tuple[bytes, int]] = {}

    def end(self) -> None:
        """Let all streams of this session end."""
        with self._changed:
            self.is_over = True
            self._changed.notify_all()

    def look(self, seq: int | None) -> None:
        """Be told how far the log goes, None if the session is gone; from time to time see which links are alive."""
        now = monotonic()
        if seq is None:
            self.end()
        elif seq != self._seq or now - self._looked >= LOOK_SECONDS:
            alive = self._desk.access.live_tokens(self._session_id)
            with self._changed:
                if (seq, alive) != (self._seq, self._alive):
                    if seq != self._seq:
                        self._pieces = {}
                    self._seq, self._alive = seq, alive
                    self._changed.notify_all()
                self._looked = now

    def lets_in(self, listener: Listener) -> bool:
        """Say whether a listener may go on. Who was let in after the last look has a link that is alive."""
        return not self.is_over and (listener.token in self._alive or listener.since >= self._looked)

    def wait(self, listener: Listener, after: int, seconds: float) -> bool:
        """Wait until there is more to tell or the stream has to end; False if neither happens in so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._seq > after or not self.lets_in(listener), seconds)

    def after(self, seq: int) -> tuple[bytes, int]:
        """Give some events after a seq as they are sent, and the seq of the last of them.

        What was written down is right as long as the log has not gone on: a correction changes how older events are
        told, too.
        """
        with self._reading:
            pieces = self._pieces
            if seq not in pieces:
                if len(pieces) == MOST_PIECES:
                    pieces.clear()
                found = self._desk.events(self._session_id, seq, PAGE)
                text = b"".join(b"id: %d\nevent: recorded\ndata: %b\n\n" % (e.seq, encoded(e)) for e in found)
                pieces[seq] = text, found[-1].seq if found else seq
            return pieces[seq]


class Live:
    """The streams of one process. No more than `most` are open at a time; each takes about `seconds`."""

    def __init__(self, desk: Desk, most: int, seconds: float) -> None:
        self._desk = desk
        self._places = StreamPlaces(most)
        self._seconds = seconds
        self._tellers: dict[str, _Teller] = {}
        self._mutex = threading.Lock()
        self._open = Counter[object]()
        self._streams = set[Stream]()
        self._counted = (0, 0)
        self._is_watching = False
        self._committed = threading.Event()
        desk.store.on_commit = self._committed.set

    def _watch(self) -> None:
        """Look how far the logs go of all sessions that are followed here, in one statement, until none is.

        A commit of this process is told at once.
        """
        store = self._desk.store
        while True:
            with self._mutex:
                tellers = dict(self._tellers)
                self._is_watching = bool(tellers)
            if not tellers:
                return
            self._committed.clear()
            try:
                seqs = store.last_seqs([*tellers])
                for session_id, teller in tellers.items():
                    teller.look(seqs.get(session_id))
            except Exception as error:  # noqa: BLE001 - clients come back, and are told what is the matter
                if not isinstance(error, StoreError):
                    unhandled(error)
                for teller in tellers.values():
                    teller.end()
            sleep(PAUSE_SECONDS)
            self._committed.wait(store.engine.poll_seconds)

    def stream(
        self, session_id: str, token: str, after: int, has_hung_up: Callable[[], bool], caller: int | None = None
    ) -> Stream:
        """Begin to tell a session's events after a seq, to somebody whose token has just been looked at.

        `caller` stands for the address that they ask from, if it is counted how many streams that has. Whoever has the
        stream closes it. Raises TooManyStreams.
        """
        digest, places = Token.read(token).digest, self._places
        shares: dict[object, int] = {None: places.most, session_id: places.of_a_session, digest: places.of_a_link}
        if caller is not None:
            shares[caller] = places.of_an_address
        if self._is_full(shares):
            self._release_those_who_hung_up()
        with self._mutex:
            if self._is_full(shares):
                raise TooManyStreams
            self._open.update(shares.keys())
            teller = self._tellers.get(session_id)
            if teller is None or teller.is_over:
                teller = self._tellers[session_id] = _Teller(self._desk, session_id)
            teller.listeners += 1
            self._count()
            if not self._is_watching:
                self._is_watching = True
                threading.Thread(target=self._watch, daemon=True).start()

        def left() -> None:
            with self._mutex:
                self._streams.discard(stream)
                for share in shares:
                    self._open[share] -= 1
                self._open = +self._open
                teller.listeners -= 1
                if not teller.listeners and self._tellers.get(session_id) is teller:
                    del self._tellers[session_id]
                self._count()

        listener = Listener(digest, monotonic(), has_hung_up)
        stream = Stream(told(teller, listener, after, self._seconds), left, has_hung_up)
        self._streams.add(stream)
        return stream

    def _is_full(self, shares: Mapping[object, int]) -> bool:
        return any(self._open[share] >= most for share, most in shares.items())

    def _release_those_who_hung_up(self) -> None:
        """Free the places of closed connections now; each stream looks for itself only once a second."""
        for stream in [stream for stream in self._streams.copy() if stream.has_hung_up()]:
            stream.close()

    def _count(self) -> None:
        """Say how many streams are open, and to how many sessions; another application in this process has its own."""
        counted, self._counted = self._counted, (self._open[None], len(self._tellers))
        STREAMS.add(self._counted[0] - counted[0])
        STREAMED_SESSIONS.add(self._counted[1] - counted[1])

    def end(self) -> None:
        """Let all streams end; the process is about to stop."""
        with self._mutex:
            self._places = StreamPlaces(0)
            for teller in self._tellers.values():
                teller.end()


def told(teller: _Teller, listener: Listener, after: int, seconds: float) -> Iterator[bytes]:
    """Give the pieces of a stream as they come up, for about so many seconds."""
    until = monotonic() + seconds * random.uniform(1 - AROUND, 1 + AROUND)  # noqa: S311 - no secret
    said = monotonic()
    yield RETRY
    while teller.lets_in(listener) and (now := monotonic()) < until:
        is_news = teller.wait(listener, after, min(until - now, HANG_UP_SECONDS))
        if listener.has_hung_up() or not teller.lets_in(listener):
            return
        text = b""
        if is_news:
            with suppress(NotFound, StoreError):
                text, after = teller.after(after)
            if not text:  # it has been deleted, or somebody put another log in its place
                return
        elif monotonic() - said >= BEAT_SECONDS:
            text = HEARTBEAT
        if text:
            said = monotonic()
            yield text


class Stream:
    """The pieces of a stream that are to be sent, as they come up."""

    def __init__(self, pieces: Iterator[bytes], left: Callable[[], None], has_hung_up: Callable[[], bool]) -> None:
        self.has_hung_up = has_hung_up
        self._pieces = pieces
        self._left = left
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        """Let others have its place. It is closed also if nothing of it was ever sent."""
        if self._is_open:
            self._is_open = False
            self._left()
