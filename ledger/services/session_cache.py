"""Folded sessions in memory: a bounded dict, in which a session is found by the head of its log.

The hash chain makes a head the name of one history. So a version is used for the very head that it was folded to, or
caught up: later rows are folded on if they follow from the version's hash. The version of a transaction that was rolled
back is never asked for. After an erasure a session is folded anew from its opening, as the old version has the name.

The writers of a group commit see each other's rows before they are committed, while all others still read the log as
it was before. So several versions of a session are cached; they share nearly everything.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import takewhile
from math import inf
from typing import NamedTuple
from weakref import WeakValueDictionary

from ledger.codec import read_event, read_opening, rule_book
from ledger.cooperation import yielding
from ledger.games import GAMES
from ledger.hash_chain import row_hash
from ledger.history import Session, SessionState
from ledger.play.refusals import Refused
from ledger.records import replace
from ledger.sentences import Malformed
from ledger.serving.metrics import CACHE_LOOKS
from ledger.session.events import PlayerErased
from ledger.storage.errors import NotFound
from ledger.storage.records import Head, StoredEvent, StoredSession
from ledger.storage.store import Reader, Store

MAX_CACHED_EVENTS = 50_000
"""How many events the cached sessions have together; one takes about 2 kB with the table and the books after it."""

MAX_VERSIONS = 66
"""How many versions of a session are cached: of all writers of a group commit, and the one before."""

FAR = 100
"""How many rows may be folded under a lock: some milliseconds."""


class LogIsDamaged(Exception):
    """What lies in the database of this session is not what was recorded; `fuda-ledger verify` says where."""


class FarBehind(Exception):
    """More rows would have to be folded than the caller allows."""


class CachedSession(NamedTuple):
    """A version of a session: folded up to a head of its log."""

    session: Session
    head: Head

    def moved_on(self, state: SessionState, head: Head) -> CachedSession:
        """Give the same session at a later head of its log."""
        return CachedSession(replace(self.session, state=state), head)


class SessionCache:
    """The recently used sessions of one store. Thread-safe."""

    def __init__(self, store: Store, max_events: int) -> None:
        self._store = store
        self._max_events = max_events
        self._events = 0
        self._lock = threading.Lock()
        self._versions: OrderedDict[str, tuple[CachedSession, ...]] = OrderedDict()
        self._folding: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def head(self, session_id: str) -> Head:
        """Read the head of a session's log. Raises NotFound."""
        head = self._store.head(session_id)
        if head is None:
            raise NotFound
        return head

    def versions(self, session_id: str) -> Sequence[CachedSession]:
        """Give the cached versions of a session, newest first, without asking the store."""
        with self._lock:
            return self._versions.get(session_id, ())

    def look(self, session_id: str, *, keep: bool = True) -> CachedSession:
        """Give a session at the end of its log; one request at a time folds it, and others wait for that.

        Raises NotFound, LogIsDamaged.
        """
        head = self.head(session_id)
        if version := self._found(session_id, head):
            return version
        with self._lock:
            lock = self._folding.setdefault(session_id, threading.Lock())
        with lock:
            return self.at(session_id, self.head(session_id), self._store, keep=keep)

    def at(
        self, session_id: str, head: Head, reader: Reader, *, max_rows: float = inf, keep: bool = True
    ) -> CachedSession:
        """Give a session at a head of its log, folded on from a cached version, or else from its opening.

        Raises FarBehind if more than `max_rows` rows would have to be folded, LogIsDamaged, NotFound.
        """
        if version := self._found(session_id, head):
            return version
        try:
            version = self._caught_up(session_id, head, reader, max_rows)
            if version is None:
                if head.seq > max_rows:
                    raise FarBehind
                if (stored := reader.session(session_id)) is None:
                    raise NotFound
                CACHE_LOOKS.labels("miss").inc()
                self.drop(session_id)
                version = fold_on(opened(stored), head, reader.events(session_id))
        except (Malformed, Refused, LogIsDamaged) as error:
            if reader.head(session_id) is None:  # it was deleted while it was read
                raise NotFound from None
            raise LogIsDamaged(session_id) from error
        if keep:
            self.put(version)
        return version

    def _found(self, session_id: str, head: Head) -> CachedSession | None:
        with self._lock:
            version = next((each for each in self._versions.get(session_id, ()) if each.head == head), None)
            if version:
                self._versions.move_to_end(session_id)
                CACHE_LOOKS.labels("hit").inc()
        return version

    def _caught_up(self, session_id: str, head: Head, reader: Reader, max_rows: float) -> CachedSession | None:
        """Fold what was appended since a cached version, if there is one of this log without an erasure since."""
        for version in self.versions(session_id):
            if 0 < head.seq - version.head.seq <= max_rows:
                rows = list(reader.events(session_id, after=version.head.seq, limit=head.seq - version.head.seq))
                if any(row.type == PlayerErased.type for row in rows):
                    return None
                if rows and rows[0].hash == row_hash(version.head.hash, *rows[0].hashed):
                    CACHE_LOOKS.labels("behind").inc()
                    return fold_on(version, head, rows)
        return None

    def put(self, version: CachedSession) -> None:
        """Cache a version; evict the least recently used sessions if there are too many events in all."""
        with self._lock:
            others = self._pop(version.session.id)
            self._versions[version.session.id] = (version, *others)[:MAX_VERSIONS]
            self._events += version.head.seq
            while self._events > self._max_events and len(self._versions) > 1:
                self._pop(next(iter(self._versions)))

    def drop_deleted(self) -> None:
        """Keep nothing of sessions that another process has deleted."""
        with self._lock:
            kept = [*self._versions]
        there = self._store.last_seqs(kept)
        for session_id in kept:
            if session_id not in there:
                self.drop(session_id)

    def drop(self, session_id: str) -> None:
        """Remove a session from the cache."""
        with self._lock:
            self._pop(session_id)

    def _pop(self, session_id: str) -> tuple[CachedSession, ...]:
        versions = self._versions.pop(session_id, ())
        self._events -= sum(version.head.seq for version in versions[:1])  # older versions take next to nothing
        return versions


# --- folding --------------------------------------------------------------------------------------------------------


def opened(stored: StoredSession) -> CachedSession:
    """Give a session before its first event."""
    opening = read_opening(stored.body, stored.words, stored.version)
    state = SessionState.opened(GAMES[opening.game], opening)
    return CachedSession(Session(stored.id, opening, stored.created_at, state), Head(0, first_hash(stored)))


def fold_on(version: CachedSession, head: Head, rows: Iterable[StoredEvent]) -> CachedSession:
    """Fold further rows of the log, up to a head. Raises LogIsDamaged if they end before it."""
    game = version.session.opening.game
    reports = (
        (read_event(row.type, row.body, row.words, rule_book(game, row.version)), row.version)
        for row in takewhile(lambda row: row.seq <= head.seq, rows)
    )
    state = version.session.state.after(yielding(reports))
    if state.seq != head.seq:
        raise LogIsDamaged(version.session.id)
    return version.moved_on(state, head)


def first_hash(session: StoredSession) -> bytes:
    """Give the hash of a session's opening, with which its chain begins."""
    return row_hash(b"", *session.hashed)
