"""Folded sessions, kept in memory and checked against the log before they are used.

A session is folded once and then only caught up: what another process has recorded meanwhile is folded on, if its first
row's hash follows from the head that was folded to. If it does not (somebody put another database in place), or if a
person was forgotten meanwhile (whose name is still in what we hold), the session is folded anew from its opening.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ledger.evening import Evening, Sitting
from ledger.games import GAMES
from ledger.play import event_type
from ledger.seal import row_hash
from ledger.session import PlayerErased
from ledger.store import Head, Store, StoredEvent, StoredSession
from schemas.events import from_log
from schemas.sessions import opening_from_log

ERASURE = event_type(PlayerErased)


class Folded(NamedTuple):
    """A session folded up to a head of its log."""

    sitting: Sitting
    head: Head

    def moved_on(self, evening: Evening, head: Head) -> Folded:
        """Give the same session at a later head of its log."""
        sitting = self.sitting
        return Folded(Sitting(sitting.id, sitting.opening, sitting.created_at, evening), head)


class Memory:
    """The sessions of one store that were used last, folded, up to a number of events; safe between threads."""

    def __init__(self, store: Store, most_events: int) -> None:
        self._store = store
        self._most = most_events
        self._held = 0
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, Folded] = OrderedDict()

    def look(self, session_id: str) -> Folded:
        """Give a session as its log stands now. Raises KeyError if there is none."""
        remembered = self.remembered(session_id)
        head = self._store.head(session_id)
        if head is None:
            raise KeyError(session_id)
        folded = self.caught_up(session_id, remembered, head, lambda after: self._store.events(session_id, after=after))
        self.keep(folded)
        return folded

    def caught_up(
        self, session_id: str, folded: Folded | None, head: Head, events: Callable[[int], Iterable[StoredEvent]]
    ) -> Folded:
        """Bring a folded session up to the head of its log, whose rows after a seq `events` reads."""
        if folded is not None and folded.head == head:
            return folded
        if folded is not None and folded.head.seq < head.seq:
            rows = list(events(folded.head.seq))
            if rows and follows(folded.head, rows[0]) and not any(row.type == ERASURE for row in rows):
                return fold_on(folded, head, rows)
        return fold_on(self._opened(session_id), head, events(0))

    def remembered(self, session_id: str) -> Folded | None:
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

    def keep(self, folded: Folded) -> None:
        """Keep a folded session, unless a newer one is here; let go of those not used for longest."""
        session_id = folded.sitting.id
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

    def _opened(self, session_id: str) -> Folded:
        stored = self._store.session(session_id)
        if stored is None:
            raise KeyError(session_id)
        opening = opening_from_log(stored.body, stored.words, stored.version)
        evening = Evening.opened(GAMES[opening.game], opening)
        return Folded(Sitting(session_id, opening, stored.created_at, evening), Head(0, first_hash(stored)))


def fold_on(folded: Folded, head: Head, rows: Iterable[StoredEvent]) -> Folded:
    """Fold further rows of the log on, as far as a head."""
    evening = folded.sitting.evening
    for row in rows:
        if row.seq > head.seq:
            break
        evening = evening.record(from_log(row.type, row.body, row.words), row.version).evening
    return folded.moved_on(evening, head)


def follows(head: Head, row: StoredEvent) -> bool:
    """Say whether a row's hash was made over this head."""
    return row.hash == row_hash(head.hash, *row.sealed)


def first_hash(session: StoredSession) -> bytes:
    """Give the hash that a session's chain begins with: of its opening."""
    return row_hash(b"", *session.sealed)
