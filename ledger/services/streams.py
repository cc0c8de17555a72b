"""Streams: the events of a session as they are recorded, as server-sent events.

The cursor of a stream is the seq of its last event, so a client that reconnects, to any worker, gets every event once.
A stream ends by itself after about a minute.

All streams of a session in one worker share a channel. One thread a worker reads the heads of all followed sessions in
one statement, every 20 ms on SQLite and every 100 ms on PostgreSQL, and at once after a commit of its own worker.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Container, Iterator
from functools import lru_cache, partial
from math import inf
from time import monotonic, sleep

from ledger.codec.encoding import encoded
from ledger.services.access import Token
from ledger.services.sessions import SessionService
from ledger.serving.logs import unhandled
from ledger.serving.metrics import STREAMED_SESSIONS, STREAMS
from ledger.storage.errors import NotFound, StoreError

STREAM_SECONDS = 60.0
"""How long a stream lasts; each up to a tenth longer or shorter, so that not all clients reconnect at once."""

PAGE, MAX_PAGES = 100, 16
"""How many events are read at a time; how many encoded pages of a session are cached for its other streams."""

LINKS_SECONDS = 0.5
"""How often a channel reads which links are alive."""

PAUSE_SECONDS = 0.002
"""How long streams have to send before heads are read again: events of about the same time are sent together."""

CHECK_SECONDS = 1.0
"""How often a stream checks whether its client has hung up; one that reconnects needs its place."""

HEARTBEAT_SECONDS, HEARTBEAT = 15.0, b": still here\n\n"
"""How long a stream is silent before it sends a comment, and that comment."""

RETRY = b"retry: 1000\n\n"
"""After how many milliseconds a client reconnects."""


class TooManyStreams(Exception):
    """As many people follow along here as this service can take; ask again in a moment, or read the log meanwhile."""


def read_page(service: SessionService, session_id: str, after: int, _last: int) -> tuple[bytes, int]:
    """Give the events after a seq as they are sent, and the seq of the last. Raises NotFound, StoreError.

    The end of the log is part of the cache's key: a correction changes how older events are sent, too.
    """
    found = service.events(session_id, after, PAGE)
    text = b"".join(b"id: %d\nevent: recorded\ndata: %b\n\n" % (e.seq, encoded(e)) for e in found)
    return text, found[-1].seq if found else after


class Channel:
    """A session that is followed in this worker: the end of its log, its live links, its encoded pages."""

    def __init__(self, service: SessionService, session_id: str) -> None:
        self.streams = 0
        self.is_closed = False
        self._service = service
        self._session_id = session_id
        self._seq = 0
        self._live_tokens: Container[bytes] = ()
        self._links_read = -inf
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._page = lru_cache(MAX_PAGES)(partial(read_page, service, session_id))

    def close(self) -> None:
        """End all streams of this session."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def update(self, seq: int | None) -> None:
        """Take the end of the log, None if the session is gone; read the live links every `LINKS_SECONDS`."""
        if seq is None or seq < self._seq:  # deleted, or another log is in its place
            self.close()
            return
        now = monotonic()
        if seq == self._seq and now < self._links_read + LINKS_SECONDS:
            return
        tokens = self._service.access.live_tokens(self._session_id)
        with self._changed:
            is_news = (seq, tokens) != (self._seq, self._live_tokens)
            self._seq, self._live_tokens, self._links_read = seq, tokens, now
            if is_news:
                self._changed.notify_all()

    def is_authorized(self, digest: bytes, since: float) -> bool:
        """Whether a stream may go on whose link was alive at the time `since`."""
        return not self.is_closed and (since >= self._links_read or digest in self._live_tokens)

    def stream(self, digest: bytes, after: int, has_hung_up: Callable[[], bool]) -> Iterator[bytes]:
        """Give the blocks of a stream as events are recorded."""
        since = sent = monotonic()
        until = since + STREAM_SECONDS * random.uniform(0.9, 1.1)  # noqa: S311 - no secret

        def wakes() -> bool:
            return self._seq > after or not self.is_authorized(digest, since)

        yield RETRY
        while (now := monotonic()) < until:
            with self._changed:
                self._changed.wait_for(wakes, min(until - now, CHECK_SECONDS))
            if has_hung_up() or not self.is_authorized(digest, since):
                return
            if self._seq > after:
                try:
                    with self._reading:  # one stream reads, the others find it cached
                        text, after = self._page(after, self._seq)
                except (NotFound, StoreError):
                    return
                if not text:
                    return
            elif monotonic() >= sent + HEARTBEAT_SECONDS:
                text = HEARTBEAT
            else:
                continue
            sent = monotonic()
            yield text


class Live:
    """The streams of a worker, at most `max_streams` at a time."""

    def __init__(self, service: SessionService, max_streams: int) -> None:
        self._service = service
        self._max_streams = max_streams
        self._streams = 0
        self._channels: dict[str, Channel] = {}
        self._lock = threading.Lock()
        self._is_watched = self._is_ending = False
        self._committed = threading.Event()
        service.store.on_commit = self._committed.set

    def follow(
        self, session_id: str, token: str, after: int, has_hung_up: Callable[[], bool]
    ) -> tuple[Iterator[bytes], Callable[[], None]]:
        """Open a stream of the events after a seq, for a token that was just checked. Raises TooManyStreams.

        Give its blocks, and the function that closes it.
        """
        with self._lock:
            if self._streams >= self._max_streams:
                raise TooManyStreams
            channel = self._channels.get(session_id)
            if channel is None or channel.is_closed:
                channel = self._channels[session_id] = Channel(self._service, session_id)
                channel.is_closed = self._is_ending
                STREAMED_SESSIONS.set(len(self._channels))
            channel.streams += 1
            self._streams += 1
            if not self._is_watched:
                self._is_watched = True
                threading.Thread(target=self._watch, daemon=True).start()
        STREAMS.inc()

        def leave() -> None:
            with self._lock:
                self._streams -= 1
                channel.streams -= 1
                if not channel.streams and self._channels.get(session_id) is channel:
                    del self._channels[session_id]
                    STREAMED_SESSIONS.set(len(self._channels))
            STREAMS.dec()

        return channel.stream(Token.read(token).digest, after, has_hung_up), leave

    def end(self) -> None:
        """End all streams, and those that are opened from now on at once: their clients reconnect to another worker."""
        with self._lock:
            self._is_ending = True
            for channel in self._channels.values():
                channel.close()

    def _watch(self) -> None:
        """Update the channels, as long as there are any."""
        store = self._service.store
        while True:
            with self._lock:
                channels = dict(self._channels)
                self._is_watched = bool(channels)
            if not channels:
                return
            self._committed.clear()
            try:
                seqs = store.last_seqs([*channels])
                for session_id, channel in channels.items():
                    channel.update(seqs.get(session_id))
            except Exception as error:  # noqa: BLE001 - clients reconnect, and get the error as an answer
                if not isinstance(error, StoreError):
                    unhandled(error)
                for channel in channels.values():
                    channel.close()
            sleep(PAUSE_SECONDS)
            self._committed.wait(store.engine.poll_seconds)
