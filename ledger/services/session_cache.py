"""Folded sessions in memory, found by the heads of their logs.

The hash chain makes a head the name of one history, so the version of a transaction that was rolled back is never asked
for. The writers of a group commit see each other's rows before they are committed, while all others read the log as it
was before: so several versions of a session are cached, which share nearly everything.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from math import inf
from typing import NamedTuple
from weakref import WeakValueDictionary

from ledger.codec.hash_chain import row_hash
from ledger.codec.log import read_event, read_opening, rule_book
from ledger.cooperation import yielding
from ledger.games import GAMES
from ledger.i18n.sentences import Malformed
from ledger.records import replace
from ledger.rulebook.refusal import Refused
from ledger.serving.metrics import CACHE_LOOKS
from ledger.session.events import PlayerErased
from ledger.session.history import Session, SessionState
from ledger.storage.store import Reader, Store
from ledger.storage.stored import Head, StoredEvent, StoredSession

MAX_CACHED_EVENTS = 50_000
"""How many events the cached sessions have together; one takes about 2 kB with the table and the books after it."""

MAX_VERSIONS = 66
"""How many versions of a session are cached: of all writers of a group commit, and the one before."""


class LogIsDamaged(Exception):
    """What lies in the database of this session is not what was recorded; `fuda-ledger verify` says where."""


class ConcurrentAppend(Exception):
    """Too many rows were appended meanwhile to be folded under a lock."""


class CachedSession(NamedTuple):
    """A version of a session: folded up to a head of its log."""

    session: Session
    head: Head

    @property
    def weight(self) -> int:
        """How many events it takes as much memory as: a session without any is 8 kB, an event 2 kB."""
        return self.head.seq + 4


class SessionCache:
    """The recently used sessions of one store. Thread-safe."""

    def __init__(self, store: Store, max_events: int) -> None:
        self._store = store
        self._max_events = max_events
        self._events = 0
        self._lock = threading.Lock()
        self._versions: OrderedDict[str, tuple[CachedSession, ...]] = OrderedDict()
        self._folding: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def get(self, session_id: str, *, keep: bool = True) -> CachedSession:
        """Give a session at the end of its log; one request at a time folds it, and others wait for that.

        Without `keep` it is not cached if it was not yet.

        Raises NotFound, LogIsDamaged.
        """
        if version := self._find(session_id, self._store.head(session_id)):
            return version
        with self._lock:
            lock = self._folding.setdefault(session_id, threading.Lock())
        with lock, self._store.snapshot() as reader:
            return self.get_at(session_id, reader.head(session_id), reader, keep=keep)

    def get_at(
        self, session_id: str, head: Head, reader: Reader, max_rows: float = inf, *, keep: bool = True
    ) -> CachedSession:
        """Give a session at the head that its log has for a reader, of a snapshot or in a transaction.

        It is folded on from a cached version, or else from its opening. Raises ConcurrentAppend if that would be more
        than `max_rows` rows, LogIsDamaged.
        """
        if version := self._find(session_id, head):
            return version
        try:
            version = fold_on(*self._base(session_id, head, reader, max_rows))
        except (Malformed, Refused) as error:
            raise LogIsDamaged(session_id) from error
        if version.head != head:
            raise LogIsDamaged(session_id)
        if keep:
            self.put(version)
        return version

    def newest(self, session_id: str) -> CachedSession | None:
        """Give the newest cached version of a session, without asking the store."""
        with self._lock:
            return next(iter(self._versions.get(session_id, ())), None)

    def _find(self, session_id: str, head: Head) -> CachedSession | None:
        with self._lock:
            for version in self._versions.get(session_id, ()):
                if version.head == head:
                    self._versions.move_to_end(session_id)
                    CACHE_LOOKS.labels("hit").inc()
                    return version
        return None

    def _base(
        self, session_id: str, head: Head, reader: Reader, max_rows: float
    ) -> tuple[CachedSession, Iterable[StoredEvent]]:
        """Give the newest cached version and the rows since, if it is a little behind; or else the opening, and all."""
        version = self.newest(session_id)
        if version and 0 < head.seq - version.head.seq <= max_rows:
            rows = list(reader.events(session_id, after=version.head.seq))
            erases = any(row.type == PlayerErased.type for row in rows)  # the version has the name
            if not erases and rows and rows[0].hash == row_hash(version.head.hash, *rows[0].hashed):
                CACHE_LOOKS.labels("behind").inc()
                return version, rows
        if head.seq > max_rows:
            raise ConcurrentAppend
        stored = reader.session(session_id)
        CACHE_LOOKS.labels("miss").inc()
        self.evict(session_id)
        return opened(stored), reader.events(session_id)

    def put(self, version: CachedSession) -> None:
        """Cache a version; evict the least recently used sessions if there are too many events in all."""
        session_id = version.session.id
        with self._lock:
            self._versions[session_id] = (version, *self._pop(session_id)[: MAX_VERSIONS - 1])
            self._events += version.weight
            while self._events > self._max_events and len(self._versions) > 1:
                self._pop(next(iter(self._versions)))

    def evict(self, session_id: str) -> None:
        with self._lock:
            self._pop(session_id)

    def _pop(self, session_id: str) -> tuple[CachedSession, ...]:
        versions = self._versions.pop(session_id, ())
        if versions:
            self._events -= versions[0].weight  # older versions take next to nothing
        return versions


def opened(stored: StoredSession) -> CachedSession:
    """Give a session before its first event."""
    opening = read_opening(stored.body, stored.words, stored.version)
    state = SessionState.opened(GAMES[opening.game], opening)
    return CachedSession(Session(stored.id, opening, stored.created_at, state), Head(0, row_hash(b"", *stored.hashed)))


def fold_on(version: CachedSession, rows: Iterable[StoredEvent]) -> CachedSession:
    """Fold further rows of the log. Raises Malformed, Refused."""
    session, head = version
    state, game = session.state, session.opening.game
    for row in yielding(rows):
        state = state.record(read_event(row.type, row.body, row.words, rule_book(game, row.version)), row.version).state
        head = Head(state.seq, row.hash)
    return CachedSession(replace(session, state=state), head)
