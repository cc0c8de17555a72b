"""Folded sessions, kept in memory and checked against the log before they are used.

A session is folded once and then only caught up: what another process has recorded meanwhile is folded on, if its first
row's hash follows from the head that was folded to. If it does not, or if a person was forgotten meanwhile (whose name
is still in what we hold), the session is folded anew from its opening.

A log never goes back, nor is its past another. If it does, somebody has put something else into the database, and has
thereby undone what people were told is kept: the store is told, and nobody is answered from there any more. What a log
is held to is the newest head that is known to be committed, and only a look that began after that was known counts.

Who writes finds what others have appended in the same transaction, which nobody may see who only looks: of a session
several states can be here, and each is found by the very head of the log that it was folded up to. A hash names one
history, so what is found under a head is right, whatever becomes of the transaction; but for people's words, so who
forgets somebody writes alone.

A session is folded by one request at a time: others who ask for it wait, as long as their own time lasts, and find it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import takewhile
from math import inf
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

from ledger.budget import breathe, limited, seconds_left
from ledger.codec import read_opening, read_row
from ledger.games import GAMES
from ledger.garbage import gc_paused
from ledger.hash_chain import row_hash
from ledger.history import MOST_OF_THE_PAST, Session, SessionState
from ledger.meters import CACHE_BYTES, CACHE_LOOKS
from ledger.play import Refused
from ledger.sentences import Malformed
from ledger.session import PlayerErased
from ledger.store import DatabaseExchanged, Head, Store, StoreBusy, StoredEvent, StoredSession

ERASURE = PlayerErased.type

BYTES_A_SESSION = 6_000
"""About how many bytes a session takes before its first event, with what keeps it findable."""

FAR = 100
"""How many rows a session may be caught up with while others wait for their turn to write: some milliseconds."""


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

    def without_much_past(self, most: int) -> CachedSession:
        """Let go of how it stood before, if that takes more than so many bytes, or than any may."""
        state = self.session.state
        short = state.without_much_past(min(most, MOST_OF_THE_PAST))
        return self if short is state else self.moved_on(short, self.head)


class _Known(NamedTuple):
    """What is known of a session: how it stood at some heads of its log, the newest last; the newest committed head."""

    stands: tuple[CachedSession, ...]
    kept: Head | None = None

    @property
    def held(self) -> int:
        """About how many bytes it takes. The states share what they have in common."""
        return self.stands[-1].session.state.held + BYTES_A_SESSION if self.stands else 0

    def nearest(self, head: Head) -> CachedSession | None:
        """Give how it stood at a head, or else at the last that is known before it."""
        stands = (known for known in reversed(self.stands) if known.head == head or known.head.seq < head.seq)
        return next(stands, None)

    def and_then(self, folded: CachedSession) -> _Known:
        """Give the same with a further stand, which may not be committed yet."""
        others = [known for known in self.stands if known.head != folded.head]
        return self._replace(stands=tuple(sorted([*others, folded], key=lambda known: known.head.seq)))

    def and_now(self, folded: CachedSession) -> _Known:
        """Give the same with a further stand, which is committed; those before it are not needed any more."""
        later = [known for known in self.stands if known.head.seq >= folded.head.seq]
        kept = self.kept if self.kept and self.kept.seq > folded.head.seq else folded.head
        return _Known(tuple(later), kept).and_then(folded)

    def and_not(self, head: Head) -> _Known:
        """Give the same without a stand that was not committed after all."""
        return self._replace(stands=tuple(known for known in self.stands if known.head != head))

    def contradicts(self, head: Head) -> bool:
        """Say whether a log cannot end at a head, as it has gone further before, or had another event there."""
        return self.kept is not None and (self.kept.seq > head.seq or (self.kept.seq == head.seq and self.kept != head))


NOTHING_KNOWN = _Known(())


class Readable(Protocol):
    """What a session is folded from: a log that is open for writing, or what is kept."""

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""

    def events(self, after: int) -> Iterable[StoredEvent]:
        """Read the rows after a seq, oldest first."""


class Kept:
    """A session's log as a store keeps it, for who only looks."""

    def __init__(self, store: Store, session_id: str) -> None:
        self._store = store
        self._session = session_id

    def session(self) -> StoredSession | None:
        """Find the session as it was opened."""
        return self._store.session(self._session)

    def events(self, after: int) -> Iterable[StoredEvent]:
        """Read the rows after a seq, oldest first."""
        return self._store.events(self._session, after=after)


class SessionCache:
    """The sessions of one store that were used last, folded, up to a number of bytes; safe between threads."""

    def __init__(self, store: Store, most_bytes: int) -> None:
        self._store = store
        self._most = most_bytes
        self._held = 0
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, _Known] = OrderedDict()
        self._turns: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends now. Raises DatabaseExchanged if it has gone back."""
        known = self._known(session_id)  # before the look, which then cannot be older than what is known
        head = self._store.head(session_id)
        if head is not None and known.contradicts(head):
            self._store.lose(session_id)
            raise DatabaseExchanged
        return head

    def look(self, session_id: str) -> CachedSession:
        """Give a session as its log stands now.

        Raises KeyError if there is none, DatabaseExchanged, and StoreBusy if another request still folds it when this
        one's time is over.
        """
        head = self._need_head(session_id)
        known = self._nearest(session_id, head)
        if known is not None and known.head == head:
            CACHE_LOOKS.add("hit")
            self.keep(known)
            return known
        with self._folding(session_id) as has_waited:
            if has_waited:
                head = self._need_head(session_id)
            with to_the_end(is_long=self.is_far_behind(session_id, head)):
                folded = self.caught_up(session_id, head, Kept(self._store, session_id))
            self.keep(folded)
            return folded

    def _need_head(self, session_id: str) -> Head:
        head = self.head(session_id)
        if head is None:
            raise KeyError(session_id)
        return head

    @contextmanager
    def _folding(self, session_id: str) -> Iterator[bool]:
        """Let one request at a time fold a session; say whether this one had to wait. Raises StoreBusy.

        If the one before fails, the next tries for itself.
        """
        with self._lock:
            turn = self._turns.setdefault(session_id, threading.Lock())
        has_waited = not turn.acquire(blocking=False)
        if has_waited and not turn.acquire(timeout=seconds_left() or -1):
            raise StoreBusy
        try:
            yield has_waited
        finally:
            turn.release()

    def glance(self, session_id: str) -> CachedSession:
        """Give a session as `look` does, within this request's time, and without keeping what is folded for it."""
        return self.caught_up(session_id, self._need_head(session_id), Kept(self._store, session_id))

    def caught_up(self, session_id: str, head: Head, log: Readable) -> CachedSession:
        """Give a session as it stands at a head of its log.

        Raises LogIsDamaged for what could not have been recorded.
        """
        folded = self._nearest(session_id, head)
        if folded is not None and folded.head == head:
            CACHE_LOOKS.add("hit")
            return folded
        try:
            if folded is not None:
                rows = list(log.events(folded.head.seq))
                if rows and not follows(folded.head, rows[0]):
                    self._make_sure_of_the_past(session_id, log)
                if rows and follows(folded.head, rows[0]) and not any(row.type == ERASURE for row in rows):
                    CACHE_LOOKS.add("behind")
                    return fold_on(folded, head, rows)
            CACHE_LOOKS.add("miss")
            return fold_on(opened(log, session_id), head, log.events(0))
        except (Malformed, Refused) as error:
            raise LogIsDamaged(session_id) from error

    def has_gone_on(self, session_id: str, head: Head) -> bool:
        """Say whether a log is known not to end at a head any more."""
        return self._known(session_id).contradicts(head)

    def make_sure_it_goes_on(self, session_id: str, head: Head) -> None:
        """Make sure that a log has not gone back, while nobody else can write to it. Raises DatabaseExchanged."""
        if self.has_gone_on(session_id, head):
            self._store.lose(session_id)
            raise DatabaseExchanged

    def _make_sure_of_the_past(self, session_id: str, log: Readable) -> None:
        """Make sure that a log has the event that is known to be committed. Raises DatabaseExchanged.

        What is not there at all is being deleted.
        """
        kept = self._known(session_id).kept
        found = next(iter(log.events(kept.seq - 1)), None) if kept and kept.seq else None
        if kept and found and found.seq == kept.seq and found.hash != kept.hash:
            self._store.lose(session_id)
            raise DatabaseExchanged

    def is_far_behind(self, session_id: str, head: Head) -> bool:
        """Say whether catching up with a head of a log would keep others waiting."""
        nearest = self._nearest(session_id, head)
        return head.seq - (nearest.head.seq if nearest else 0) > FAR

    def remembered(self, session_id: str) -> CachedSession | None:
        """Give a session as it was folded last, if it is still here."""
        with self._lock:
            known = self._sessions.get(session_id)
            return known.stands[-1] if known and known.stands else None

    def expected(self, session_id: str) -> Head | None:
        """Say where a session's log ends if nobody else has written, if it is known how the session stands there."""
        known = self._known(session_id)
        return known.kept if any(stand.head == known.kept for stand in known.stands) else None

    def drop_those_that_are_gone(self) -> None:
        """Keep no session that another process has deleted."""
        with self._lock:
            known = list(self._sessions)
        for session_id in known:
            breathe()
            if self.head(session_id) is None:
                self.drop(session_id)

    def drop(self, session_id: str) -> None:
        """Keep a folded session no longer."""
        with self._lock:
            if gone := self._sessions.pop(session_id, None):
                self._held -= gone.held
                CACHE_BYTES.put(self._held)

    def keep(self, folded: CachedSession) -> None:
        """Keep a session as its log stands; let go of those not used for longest, and of its own past if that is long.

        A newer stand that is here already may not have been committed yet, and stays beside it.
        """
        short = folded.without_much_past(self._most)
        self._note(folded.session.id, lambda known: known.and_now(short))

    def appended(self, folded: CachedSession) -> None:
        """Keep a session as it stands once what was appended is committed, for who writes in the same transaction."""
        self._note(folded.session.id, lambda known: known.and_then(folded))

    def take_back(self, session_id: str, head: Head) -> None:
        """Do not keep how a session stood at a head that its log has not reached."""
        self._note(session_id, lambda known: known.and_not(head))

    def _note(self, session_id: str, noted: Callable[[_Known], _Known]) -> None:
        with self._lock:
            old = self._sessions.get(session_id, NOTHING_KNOWN)
            new = self._sessions[session_id] = noted(old)
            self._sessions.move_to_end(session_id)
            self._held += new.held - old.held
            while self._held > self._most and len(self._sessions) > 1:
                _, gone = self._sessions.popitem(last=False)
                self._held -= gone.held
            CACHE_BYTES.put(self._held)

    def _nearest(self, session_id: str, head: Head) -> CachedSession | None:
        """Give a session as it stands at a head, or else at the last one that is known before it."""
        return self._known(session_id).nearest(head)

    def _known(self, session_id: str) -> _Known:
        with self._lock:
            return self._sessions.get(session_id, NOTHING_KNOWN)


def opened(log: Readable, session_id: str) -> CachedSession:
    """Read a session as it stood before its first event. Raises KeyError if it is not there any more."""
    stored = log.session()
    if stored is None:
        raise KeyError(session_id)
    return as_opened(stored)


def as_opened(stored: StoredSession) -> CachedSession:
    """Give a session as it stood before its first event."""
    opening = read_opening(stored.body, stored.words, stored.version)
    state = SessionState.opened(GAMES[opening.game], opening)
    return CachedSession(Session(stored.id, opening, stored.created_at, state), Head(0, first_hash(stored)))


def folded_from(stored: StoredSession, rows: Sequence[StoredEvent]) -> CachedSession:
    """Fold a session from its opening and the rows of its log, wherever they are."""
    fresh = as_opened(stored)
    head = Head(rows[-1].seq, rows[-1].hash) if rows else fresh.head
    with to_the_end(is_long=len(rows) > FAR):
        return fold_on(fresh, head, rows)


@contextmanager
def to_the_end(*, is_long: bool) -> Iterator[None]:
    """Fold as long as it takes: it is done once, and whoever asks again would begin anew."""
    with limited(inf), gc_paused() if is_long else nullcontext():
        yield


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
