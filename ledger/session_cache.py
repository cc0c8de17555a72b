"""Folded sessions, kept in memory and checked against the log before they are used.

A session is folded once and then only caught up: what another process has recorded meanwhile is folded on, if its first
row's hash follows from the head that was folded to. If it does not (somebody put another database in place), or if a
person was forgotten meanwhile (whose name is still in what we hold), the session is folded anew from its opening.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import NamedTuple

from ledger.codec import read_opening, read_row
from ledger.games import GAMES
from ledger.hash_chain import row_hash
from ledger.history import Session, SessionState
from ledger.play import Refused, event_type
from ledger.sentences import Malformed
from ledger.session import PlayerErased
from ledger.store import Head, Store, StoredEvent, StoredSession

ERASURE = event_type(PlayerErased)


class LogIsDamaged(Exception):
    """What lies in the database of this session is not what was recorded; `fuda-ledger verify` says where."""


class CachedSession(NamedTuple):
    """A session folded up to a head of its log."""

    session: Session
    head: Head

    def moved_on(self, state: SessionState, head: Head) -> CachedSession:
        """Give the same session at a later head of its log."""
        session = self.session
        return CachedSession(Session(session.id, session.opening, session.created_at, state), head)


class SessionCache:
    """The sessions of one store that were used last, folded, up to a number of events; safe between threads."""

    def __init__(self, store: Store, most_events: int) -> None:
        self._store = store
        self._most = most_events
        self._held = 0
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, CachedSession] = OrderedDict()

    def look(self, session_id: str) -> CachedSession:
        """Give a session as its log stands now. Raises KeyError if there is none."""
        remembered = self.remembered(session_id)
        head = self._store.head(session_id)
        if head is None:
            raise KeyError(session_id)
        folded = self.caught_up(session_id, remembered, head, lambda after: self._store.events(session_id, after=after))
        self.keep(folded)
        return folded

    def caught_up(
        self, session_id: str, folded: CachedSession | None, head: Head, events: Callable[[int], Iterable[StoredEvent]]
    ) -> CachedSession:
        """Bring a folded session up to the head of its log, whose rows after a seq `events` reads.

        Raises LogIsDamaged for what could not have been recorded.
        """
        if folded is not None and folded.head == head:
            return folded
        try:
            if folded is not None and folded.head.seq < head.seq:
                rows = list(events(folded.head.seq))
                if rows and follows(folded.head, rows[0]) and not any(row.type == ERASURE for row in rows):
                    return fold_on(folded, head, rows)
            return fold_on(self._opened(session_id), head, events(0))
        except (Malformed, Refused) as error:
            raise LogIsDamaged(session_id) from error

    def remembered(self, session_id: str) -> CachedSession | None:
        """Give a session as it was folded last, if it is still here."""
        with self._lock:
            if session_id in self._sessions:
                self._sessions.move_to_end(session_id)
            return self._sessions.get(session_id)

    def drop(self, session_id: str) -> None:
        """Keep a folded session no longer."""
        with self._lock:
            if gone := self._sessions.pop(session_id, None):
                self._held -= gone.head.seq

    def keep(self, folded: CachedSession) -> None:
        """Keep a folded session, unless a newer one is here; let go of those not used for longest."""
        session_id = folded.session.id
        with self._lock:
            old = self._sessions.get(session_id)
            if old and old.head.seq > folded.head.seq:
                return
            self._sessions[session_id] = folded
            self._sessions.move_to_end(session_id)
            self._held += folded.head.seq - (old.head.seq if old else 0)
            while self._held > self._most and len(self._sessions) > 1:
                _, gone = self._sessions.popitem(last=False)
                self._held -= gone.head.seq

    def _opened(self, session_id: str) -> CachedSession:
        stored = self._store.session(session_id)
        if stored is None:
            raise KeyError(session_id)
        opening = read_opening(stored.body, stored.words, stored.version)
        state = SessionState.opened(GAMES[opening.game], opening)
        return CachedSession(Session(session_id, opening, stored.created_at, state), Head(0, first_hash(stored)))


def fold_on(folded: CachedSession, head: Head, rows: Iterable[StoredEvent]) -> CachedSession:
    """Fold further rows of the log on, as far as a head."""
    game = folded.session.opening.game
    known = takewhile(lambda row: row.seq <= head.seq, rows)
    return folded.moved_on(folded.session.state.after((read_row(row, game), row.version) for row in known), head)


def follows(head: Head, row: StoredEvent) -> bool:
    """Say whether a row's hash was made over this head."""
    return row.hash == row_hash(head.hash, *row.hashed)


def first_hash(session: StoredSession) -> bytes:
    """Give the hash that a session's chain begins with: of its opening."""
    return row_hash(b"", *session.hashed)
