"""Folded sessions in memory: an LRU cache of bounded size, checked against the log before anything is served from it.

A cached version of a session stands at a head of its log: a seq and a hash. The hash chain makes a head the name of one
history, so a version is served only for the very head that it was folded to, or caught up from there: the rows that
another process has appended are folded on if the first of them follows from the version's hash. If it does not, or if a
player was erased meanwhile (whose name is still in memory), the session is folded anew from its opening.

A `CacheEntry` has the newest committed version. A writer that joins the open transaction of a group commit sees rows
that are not committed yet: the newest pending version spares it reading and folding those of all before it (with 16
connections in one session 1.4 times as many reports a second). It is found by its head as any other, and forgotten on a
rollback.

A log never loses an event that was committed. If it does, or has another one in its place, the database was replaced
under the service: the store is marked as lost, and nothing is answered from it any more.

One request at a time folds a session for reading; others wait for that as long as their own time lasts, and find it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import takewhile
from math import inf
from typing import NamedTuple, NoReturn
from weakref import WeakValueDictionary

from ledger.budget import breathe, limited, seconds_left
from ledger.codec import read_opening, read_row
from ledger.games import GAMES
from ledger.garbage import gc_paused
from ledger.hash_chain import row_hash
from ledger.history import Session, SessionState
from ledger.meters import CACHE_BYTES, CACHE_LOOKS
from ledger.play.refusals import Refused
from ledger.sentences import Malformed
from ledger.session.events import PlayerErased
from ledger.store import DatabaseExchanged, Head, Log, NotThere, Store, StoreBusy, StoredEvent, StoredSession

ERASURE = PlayerErased.type

BYTES_A_SESSION = 6_000
"""About how many bytes a session takes before its first event, with its place in the cache."""

BYTES_A_ROW = 1_000
"""About how many bytes a row of the log takes with the books after it, and an event with the table after it."""

FAR = 100
"""How many rows may be folded while others wait for a lock: some milliseconds."""


class LogIsDamaged(Exception):
    """What lies in the database of this session is not what was recorded; `fuda-ledger verify` says where."""


class FarBehind(Exception):
    """More rows would have to be folded than the caller may."""


class CachedSession(NamedTuple):
    """A version of a session: folded up to a head of its log."""

    session: Session
    head: Head

    def moved_on(self, state: SessionState, head: Head) -> CachedSession:
        """Give the same session at a later head of its log."""
        session = self.session
        return CachedSession(Session(session.id, session.opening, session.created_at, state), head)


def bytes_of(version: CachedSession) -> int:
    """Say about how many bytes a session takes."""
    state = version.session.state
    return BYTES_A_SESSION + BYTES_A_ROW * (len(state.rows) + len(state.slots))


class CacheEntry(NamedTuple):
    """What is cached of one session: its newest committed version, and a pending one if that goes further.

    `held` is about how many bytes it takes; both versions share what they have in common.
    """

    committed: CachedSession | None = None
    pending: CachedSession | None = None
    held: int = 0

    def nearest(self, head: Head) -> CachedSession | None:
        """Give the version at a head, or else the newest one before it."""
        for version in (self.pending, self.committed):
            if version and (version.head == head or version.head.seq < head.seq):
                return version
        return None

    def with_committed(self, version: CachedSession) -> CacheEntry:
        """Give the entry with a version that is committed; an older pending one is of no use any more."""
        if self.committed and self.committed.head.seq > version.head.seq:
            version = self.committed
        if self.pending and self.pending.head.seq > version.head.seq:
            return CacheEntry(version, self.pending, self.held)
        return CacheEntry(version, None, bytes_of(version))

    def with_pending(self, version: CachedSession) -> CacheEntry:
        """Give the entry with a version that was appended and is not committed yet."""
        return CacheEntry(self.committed, version, bytes_of(version))

    def without_pending(self, head: Head) -> CacheEntry:
        """Give the entry without a version whose transaction was rolled back."""
        if self.pending is None or self.pending.head != head:
            return self
        return NOTHING_CACHED if self.committed is None else NOTHING_CACHED.with_committed(self.committed)

    def contradicts(self, head: Head) -> bool:
        """Say whether a log cannot end at a head, as it has been further, or had another event there."""
        known = self.committed and self.committed.head
        return known is not None and (known.seq > head.seq or (known.seq == head.seq and known != head))


NOTHING_CACHED = CacheEntry()


class CommittedLog(NamedTuple):
    """A session's log as everybody reads it."""

    store: Store
    session_id: str

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""
        return self.store.session(self.session_id)

    def events(self, after: int) -> Iterable[StoredEvent]:
        """Read the rows after a seq, oldest first."""
        return self.store.events(self.session_id, after=after)


Readable = Log | CommittedLog
"""What a session is folded from: its log, locked for writing, or the committed one."""


class SessionCache:
    """The sessions of one store that were used last, folded, up to a number of bytes; safe between threads."""

    def __init__(self, store: Store, most_bytes: int) -> None:
        self._store = store
        self._most = most_bytes
        self._held = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()
        self._folding: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    # --- reading ----------------------------------------------------------------------------------------------------

    def head(self, session_id: str) -> Head:
        """Say where a session's log ends now. Raises NotThere, DatabaseExchanged."""
        entry = self.entry(session_id)  # before the head is read, which then cannot be older
        head = self._store.head(session_id)
        if head is None:
            raise NotThere
        if entry.contradicts(head):
            self.lose(session_id)
        return head

    def entry(self, session_id: str) -> CacheEntry:
        """Give what is cached of a session, without asking the store."""
        with self._lock:
            return self._entries.get(session_id, NOTHING_CACHED)

    def look(self, session_id: str) -> CachedSession:
        """Give a session as its log stands now, and keep it, however long folding takes.

        Raises NotThere, DatabaseExchanged, and StoreBusy if another request still folds it when this one's time is
        over.
        """
        head = self.head(session_id)
        version = self.entry(session_id).nearest(head)
        if version is not None and version.head == head:
            CACHE_LOOKS.add("hit")
            self.keep(version)
            return version
        with self._one_at_a_time(session_id) as has_waited:
            if has_waited:
                head = self.head(session_id)
            with limited(inf):
                version = self.catch_up(session_id, head, CommittedLog(self._store, session_id))
            self.keep(version)
            return version

    def glance(self, session_id: str) -> CachedSession:
        """Give a session as `look` does, within this request's time, and without keeping it."""
        return self.catch_up(session_id, self.head(session_id), CommittedLog(self._store, session_id))

    def catch_up(self, session_id: str, head: Head, log: Readable, most: float = inf) -> CachedSession:
        """Give a session at a head of its log, from the nearest cached version, or else from its opening.

        Raises FarBehind if more rows than `most` would have to be folded, LogIsDamaged for what could not have been
        recorded, NotThere, DatabaseExchanged.
        """
        version = self.entry(session_id).nearest(head)
        if version is not None and version.head == head:
            CACHE_LOOKS.add("hit")
            return version
        try:
            if version is not None and head.seq - version.head.seq <= most:
                rows = list(log.events(version.head.seq))
                if rows and not follows(version.head, rows[0]):
                    self._check_past(session_id, log)
                elif rows and not any(row.type == ERASURE for row in rows):
                    CACHE_LOOKS.add("behind")
                    return fold_on(version, head, rows)
            if head.seq > most:
                raise FarBehind
            CACHE_LOOKS.add("miss")
            if (stored := log.session()) is None:
                raise NotThere
            return fold_on(opened(stored), head, log.events(0))
        except (Malformed, Refused) as error:
            raise LogIsDamaged(session_id) from error

    def _check_past(self, session_id: str, log: Readable) -> None:
        """Make sure that a log has the event at the committed head, unless it is being deleted."""
        version = self.entry(session_id).committed
        if version is None or not version.head.seq:
            return
        found = next(iter(log.events(version.head.seq - 1)), None)
        if found and found.seq == version.head.seq and found.hash != version.head.hash:
            self.lose(session_id)

    def lose(self, session_id: str) -> NoReturn:
        """Mark the store as lost, since the log has lost what was committed. Raises DatabaseExchanged."""
        self._store.lose(session_id)
        raise DatabaseExchanged

    @contextmanager
    def _one_at_a_time(self, session_id: str) -> Iterator[bool]:
        """Let one request at a time fold a session; say whether this one had to wait. Raises StoreBusy."""
        with self._lock:
            turn = self._folding.setdefault(session_id, threading.Lock())
        has_waited = not turn.acquire(blocking=False)
        if has_waited and not turn.acquire(timeout=seconds_left() or -1):
            raise StoreBusy
        try:
            yield has_waited
        finally:
            turn.release()

    # --- keeping ----------------------------------------------------------------------------------------------------

    def keep(self, version: CachedSession) -> None:
        """Keep a committed version; evict the sessions used least recently if all take too much."""
        with self._lock:
            old = self._entries.get(version.session.id, NOTHING_CACHED)
            self._put(version.session.id, old, old.with_committed(version))

    def keep_pending(self, version: CachedSession) -> None:
        """Keep a version that was appended and is not committed yet, for who joins the same transaction."""
        with self._lock:
            old = self._entries.get(version.session.id, NOTHING_CACHED)
            self._put(version.session.id, old, old.with_pending(version))

    def roll_back(self, version: CachedSession) -> None:
        """Forget a version whose transaction was rolled back."""
        with self._lock:
            old = self._entries.get(version.session.id, NOTHING_CACHED)
            self._put(version.session.id, old, old.without_pending(version.head))

    def drop(self, session_id: str) -> None:
        """Keep nothing of a session."""
        with self._lock:
            if gone := self._entries.pop(session_id, None):
                self._held -= gone.held
                CACHE_BYTES.put(self._held)

    def drop_deleted(self) -> None:
        """Keep nothing of sessions that another process has deleted."""
        with self._lock:
            cached = list(self._entries)
        for session_id in cached:
            breathe()
            try:
                self.head(session_id)
            except NotThere:
                self.drop(session_id)

    def _put(self, session_id: str, old: CacheEntry, new: CacheEntry) -> None:
        """Put an entry in an old one's place, and evict others if that is needed; `_lock` is held."""
        self._entries[session_id] = new
        self._entries.move_to_end(session_id)
        self._held += new.held - old.held
        while self._held > self._most and len(self._entries) > 1:
            _, gone = self._entries.popitem(last=False)
            self._held -= gone.held
        CACHE_BYTES.put(self._held)


# --- folding --------------------------------------------------------------------------------------------------------


def opened(stored: StoredSession) -> CachedSession:
    """Give a session as it stood before its first event."""
    opening = read_opening(stored.body, stored.words, stored.version)
    state = SessionState.opened(GAMES[opening.game], opening)
    return CachedSession(Session(stored.id, opening, stored.created_at, state), Head(0, first_hash(stored)))


def folded_from(stored: StoredSession, rows: Sequence[StoredEvent]) -> CachedSession:
    """Fold a session from its opening and the rows of its log, however long that takes."""
    fresh = opened(stored)
    head = Head(rows[-1].seq, rows[-1].hash) if rows else fresh.head
    with limited(inf):
        return fold_on(fresh, head, rows)


def fold_on(version: CachedSession, head: Head, rows: Iterable[StoredEvent]) -> CachedSession:
    """Fold further rows of the log, as far as a head."""
    game = version.session.opening.game
    reports = ((read_row(row, game), row.version) for row in takewhile(lambda row: row.seq <= head.seq, rows))
    with gc_paused() if head.seq - version.head.seq > FAR else nullcontext():
        return version.moved_on(version.session.state.after(reports), head)


def follows(head: Head, row: StoredEvent) -> bool:
    """Say whether a row's hash was made over the hash of a head."""
    return row.hash == row_hash(head.hash, *row.hashed)


def first_hash(session: StoredSession) -> bytes:
    """Give the hash that a session's chain begins with: of its opening."""
    return row_hash(b"", *session.hashed)
