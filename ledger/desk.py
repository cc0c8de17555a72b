"""What a person does here: open a session, record what was seen, look at the books, hand out links.

The only place that joins the rules and the store: it looks sessions up folded (`session_cache`), folds reports onto
them, and writes what came of it, all or nothing. Who may do what, `access` knows; how it is asked is the API's
business.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, NamedTuple

from ledger.access import NotThere, RoleTooSmall, admitted, home_of, new_link
from ledger.answers.corrections import Changes, changes_answer
from ledger.answers.encoding import ABSENT
from ledger.answers.events import Corrected, LoggedEvent, Part, target_of
from ledger.books import Entry
from ledger.codec import read_event, write_event, write_opening
from ledger.erasure import forgotten
from ledger.games import GAMES, newest
from ledger.hash_chain import row_hash
from ledger.history import Address, Moment, Row, Session, SessionState, moments, settlement_of
from ledger.play import Chips, Event, PlayerId, RuleBook
from ledger.session import (
    BalancesBrought,
    Brought,
    Correction,
    Opening,
    PlayerErased,
    Round,
)
from ledger.session_cache import CachedSession, SessionCache, first_hash
from ledger.settlement import Settlement
from ledger.store import (
    ROLES,
    Contents,
    Head,
    Log,
    Role,
    Store,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    timestamp,
)
from ledger.verification import Verified, verify

EVENTS_IN_MEMORY = 50_000
"""How many events of folded sessions a process keeps; each takes about 2 kB."""


class Stale(Exception):
    """The session has moved on since you looked."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class KeyReused(Exception):
    """This Idempotency-Key was used with another request; a new request needs a new key."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What recording did, or would do: the events, the entries they caused, and the session after them."""

    events: Sequence[LoggedEvent]
    entries: Sequence[Entry]
    session: Session
    changes: Changes | None = None
    replayed: bool = False

    @property
    def ended(self) -> Sequence[Round]:
        """The rounds that these events have ended."""
        return self.session.state.ended_since(self.events[0].seq)


@dataclass(frozen=True, slots=True)
class Request:
    """Who reports, and under which conditions.

    `expected` says whether a seq is one the reporter has seen; `key` is an idempotency key, `fingerprint` says which
    request it belongs to.
    """

    by: str
    role: str = "scorer"
    expected: Callable[[int], bool] | None = None
    key: str | None = None
    fingerprint: bytes = b""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class SessionArchive:
    """Everything of a session as it stood at one moment; what is recorded later is not in it."""

    session: Session
    store: Store

    def events(self) -> Iterator[LoggedEvent]:
        """Read the log, oldest first, each event with what became of it."""
        return with_statuses(self.store, self.session.id, self.rows(), self.session.state)

    def rows(self) -> Iterator[StoredEvent]:
        """Read the log as it is stored, oldest first."""
        return self.store.events(self.session.id, limit=self.session.state.seq)

    def opening(self) -> StoredSession:
        """Read the opening as it is stored."""
        stored = self.store.session(self.session.id)
        if stored is None:
            raise NotThere
        return stored

    def entries(self) -> Iterator[Entry]:
        """Read the ledger, oldest first."""
        return self.store.entries(self.session.id, limit=self.session.state.last_entry)


class Desk:
    """The front desk of one process."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        events_in_memory: int = EVENTS_IN_MEMORY,
    ) -> None:
        self.store = store
        self._clock = clock
        self._cache = SessionCache(store, events_in_memory)

    # --- opening and looking ----------------------------------------------------------------------------------------

    def open(self, opening: Opening, reports: Sequence[Event] = ()) -> tuple[Session, StoredLink, str]:
        """Open a session, perhaps with events in it already; give it with its owner's link and that link's token.

        The token is not kept. Raises Refused for the events, and has then opened nothing.
        """
        session_id, now = new_session_id(), self._now()
        written = write_opening(opening)
        version = newest(opening.game).version
        stored = StoredSession(session_id, written.body, version, now, written.texts)
        link, token = new_link(session_id, "owner", self._clock())
        state = SessionState.opened(GAMES[opening.game], opening)
        fresh = CachedSession(Session(session_id, opening, now, state), Head(0, first_hash(stored)))
        done = self._fold(fresh, reports, link.id)
        contents = Contents(done.rows, done.entries, done.folded.session.state.balances)
        self.store.open_session(stored, fresh.head.hash, link, contents)
        return done.folded.session, link, token

    def take_in(self, stored: StoredSession, contents: Contents) -> tuple[Session, StoredLink, str]:
        """Open a session that has been recorded elsewhere, and was checked; give it as `open` does."""
        link, token = new_link(stored.id, "owner", self._clock())
        self.store.open_session(stored, first_hash(stored), link, contents)
        return self.session(stored.id), link, token

    def open_with_balances(self, opening: Opening, balances: Sequence[Chips]) -> tuple[Session, StoredLink, str]:
        """Open a session for people who bring balances along, in seat order. Raises Refused if they do not sum."""
        brought = BalancesBrought(tuple(Brought(f"p{seat}", chips) for seat, chips in enumerate(balances, 1)))
        return self.open(opening, [brought])

    def head(self, session_id: str) -> Head:
        """Say where a session's log ends. Raises NotThere."""
        head = self.store.head(session_id)
        if head is None:
            raise NotThere
        return head

    def rule_book(self, session_id: str) -> RuleBook[Any]:
        """Give the newest rule book of the game that a session plays, and always will. Raises NotThere."""
        known = self._cache.remembered(session_id) or self._look(session_id)
        return newest(known.session.opening.game)

    def session(self, session_id: str, at: int | None = None) -> Session:
        """Look at a session as it stands, or as it stood when `at` was its last event. Raises NotThere."""
        session = self._look(session_id).session
        if at is None:
            return session
        if at > session.state.seq:
            raise NotThere
        return replace(session, state=session.state.at(at))

    def round(self, session_id: str, number: int, at: int | None = None) -> tuple[Session, Round]:
        """Look at one round of a session. Raises NotThere."""
        session = self.session(session_id, at)
        found = session.state.round(number)
        if found is None:
            raise NotThere
        return session, found

    def _look(self, session_id: str) -> CachedSession:
        try:
            return self._cache.look(session_id)
        except KeyError:
            raise NotThere from None

    def events(self, session_id: str, after: int, limit: int) -> list[LoggedEvent]:
        """Read the log after a seq, oldest first, each event with what became of it."""
        state = self.session(session_id).state
        rows = self.store.events(session_id, after=after, limit=limit)
        return list(with_statuses(self.store, session_id, rows, state))

    def entries(self, session_id: str, after: int, limit: int) -> list[Entry]:
        """Read the books after an entry's id, oldest first."""
        return list(self.store.entries(session_id, after=after, limit=limit))

    def changes(self, session_id: str, seq: int) -> Changes:
        """Work out again what an event changed: what lies between the session before and after it. Raises NotThere."""
        if seq == 0:
            raise NotThere
        after = self.session(session_id, seq).state
        before = after.at(seq - 1)
        return changes_answer(before, after, self._entries_between(session_id, before, after))

    def _entries_between(self, session_id: str, before: SessionState, after: SessionState) -> list[Entry]:
        """Read the entries that were added from one state of a session to a later one."""
        added = after.last_entry - before.last_entry
        return list(self.store.entries(session_id, after=before.last_entry, limit=added)) if added else []

    def archive(self, session_id: str) -> SessionArchive:
        """Give everything of a session as it stands now, to be read as it is asked for."""
        return SessionArchive(self.session(session_id), self.store)

    def replay(self, session_id: str, number: int) -> list[Moment]:
        """Give the moments of a round, in order: each event, the table after it, what moved."""
        session, done = self.round(session_id, number)
        return list(moments(session.state, done.number))

    # --- recording --------------------------------------------------------------------------------------------------

    def record(self, session_id: str, reports: Sequence[Event], request: Request) -> Answer:
        """Record events, all or none.

        Raises Refused (with the `index` of the event), Stale, KeyReused, NotThere, RoleTooSmall, StoreBusy, StoreFull.
        """
        if request.role != "owner" and any(isinstance(event, PlayerErased) for event in reports):
            raise RoleTooSmall
        self.session(session_id)
        if request.dry_run:
            return self._tried(session_id, reports, request)
        key = hashlib.sha256(request.key.encode()).digest() if request.key else None
        if key and (earlier := self.store.reply(session_id, key)):
            return self._answered(session_id, earlier, request)
        with self.store.writing(session_id) as log:
            meanwhile = log.reply(key) if key else None
            if meanwhile is None:
                folded, done = self._written(session_id, log, reports, request, key)
        if meanwhile is not None:
            return self._answered(session_id, meanwhile, request)
        if any(isinstance(event, PlayerErased) for event in reports):
            self._cache.drop(session_id)
            rows = self.store.events(session_id, after=folded.head.seq, limit=len(done.rows))
            done = done._replace(folded=self._look(session_id), rows=list(rows))
        self._cache.keep(done.folded)
        return answer(folded.session.state, done.folded.session, done.rows, done.entries)

    def _written(
        self, session_id: str, log: Log, reports: Sequence[Event], request: Request, key: bytes | None
    ) -> tuple[CachedSession, _Done]:
        """Fold reports onto a session whose log nobody else can write to now, and append what came of it."""
        folded = self._cache.caught_up(session_id, self._cache.remembered(session_id), log.head, log.events)
        if request.expected and not request.expected(folded.head.seq):
            raise Stale(folded.head.seq)
        done = self._fold(folded, reports, request.by)
        reply = None
        if key:
            reply = StoredReply(key, request.fingerprint, done.rows[0].seq, done.rows[-1].seq, self._now())
        log.append(done.rows, done.entries, changed_balances(folded, done.folded), reply)
        for event in reports:
            if isinstance(event, PlayerErased):
                links = self.store.links(session_id)
                log.forget(*forgotten(event.player, done.folded.session.state, log.words(), links))
        return folded, done

    def _tried(self, session_id: str, reports: Sequence[Event], request: Request) -> Answer:
        """Work out what recording would do, and keep nothing of it."""
        folded = self._look(session_id)
        if request.expected and not request.expected(folded.head.seq):
            raise Stale(folded.head.seq)
        done = self._fold(folded, reports, request.by)
        return answer(folded.session.state, done.folded.session, done.rows, done.entries, tell_changes=True)

    def _answered(self, session_id: str, earlier: StoredReply, request: Request) -> Answer:
        """Give the answer that a request with this key was given before."""
        if earlier.request != request.fingerprint:
            raise KeyReused
        first, last = earlier.first_seq, earlier.last_seq
        rows = list(self.store.events(session_id, after=first - 1, limit=last - first + 1))
        after = self.session(session_id, last)
        before = after.state.at(first - 1)
        entries = self._entries_between(session_id, before, after.state)
        return replace(answer(before, after, rows, entries), replayed=True)

    def _fold(self, folded: CachedSession, reports: Iterable[Event], by: str) -> _Done:
        """Fold reports onto a session and write the rows for the log."""
        state, head = folded.session.state, folded.head
        rows: list[StoredEvent] = []
        entries: list[Entry] = []
        now, version = self._now(), newest(folded.session.opening.game).version
        for recorded in state.record_all((event, version) for event in reports):
            state = recorded.state
            rows.append(chained(recorded.row, head.hash, now, by))
            head = Head(rows[-1].seq, rows[-1].hash)
            entries += recorded.entries
        return _Done(folded.moved_on(state, head), rows, entries)

    def settlement(self, session_id: str, via: PlayerId | None = None) -> tuple[Session, Settlement]:
        """Say who pays whom to clear all balances, perhaps through one player.

        Raises NotThere for a player who is not of this session.
        """
        session = self.session(session_id)
        if via is not None and session.state.table.player(via) is None:
            raise NotThere
        return session, settlement_of(session.state, via)

    def sessions(self, tokens: Iterable[str]) -> list[Session]:
        """Look at several sessions, each by a token of its own. Raises NotAdmitted."""
        homes = {home_of(token): token for token in tokens}
        for home, token in homes.items():
            self.admit(home, token, ROLES)
        return [self.session(home) for home in homes]

    def verify(self, session_id: str) -> Verified:
        """Check a session's whole record, from the database alone. Raises NotThere."""
        self.head(session_id)
        return verify(self.store, session_id)

    # --- links ------------------------------------------------------------------------------------------------------

    def admit(self, session_id: str, token: str | None, roles: Container[str]) -> StoredLink:
        """Let somebody in who has a link that may do this. Raises NotAdmitted, NotThere, RoleTooSmall."""
        return admitted(self.store, session_id, token, roles, self._clock())

    def add_link(
        self, session_id: str, role: Role, label: str | None, expires_at: datetime | None
    ) -> tuple[StoredLink, str]:
        """Make a link to a session; give it with its token, which is not kept."""
        link, token = new_link(session_id, role, self._clock(), label, expires_at)
        self.store.add_link(session_id, link)
        return link, token

    def revoke_link(self, session_id: str, link_id: str) -> None:
        """Make a link dead. Raises NotThere."""
        if not self.store.revoke_link(session_id, link_id, self._now()):
            raise NotThere

    def _now(self) -> str:
        return timestamp(self._clock())


# --- folding the log ------------------------------------------------------------------------------------------------


class _Done(NamedTuple):
    """A session after new events, the rows to be written, and the entries they caused."""

    folded: CachedSession
    rows: list[StoredEvent]
    entries: list[Entry]


def answer(
    before: SessionState,
    after: Session,
    rows: Sequence[StoredEvent],
    entries: Sequence[Entry],
    *,
    tell_changes: bool = False,
) -> Answer:
    """Say what recording did; if it corrected anything, with what became of the events and what it changed."""
    rounds = {row.seq: row.round for row in takewhile(lambda row: row.seq >= rows[0].seq, after.state.rows())}
    events = [replace(logged(row, after.state), round=rounds[row.seq]) for row in rows]
    if tell_changes or any(isinstance(told.event, Correction) for told in events):
        events = list(as_they_stand(events, after.state))
        return Answer(events, entries, after, changes_answer(before, after.state, entries))
    return Answer(events, entries, after)


def with_statuses(
    store: Store, session_id: str, rows: Iterable[StoredEvent], state: SessionState
) -> Iterator[LoggedEvent]:
    """Tell rows of the log with what had become of them by then, and the corrections that did it."""
    by = dict[int, Corrected]()
    for event in as_they_stand((logged(row, state) for row in rows), state):
        became = state.statuses(event.seq).get(Address(event.seq)) if event.status != "standing" else None
        if became is None:
            yield event
            continue
        seq = became.correction
        if seq not in by:
            by[seq] = corrected_by(next(store.events(session_id, after=seq - 1, limit=1)))
        yield replace(event, correction=by[seq])


def as_they_stand(events: Iterable[LoggedEvent], state: SessionState) -> Iterator[LoggedEvent]:
    """Tell events with what had become of them by then, and the round they belong to, or last did."""
    for event in events:
        statuses = state.statuses(event.seq)
        became = statuses.get(Address(event.seq))
        parts = tuple(Part(at.part, *status) for at, status in statuses.items() if at.part)
        yield replace(
            event,
            status=became.status if became else "standing",
            round=state.round_of(event.seq),
            parts=parts or ABSENT,
        )


def logged(row: StoredEvent, state: SessionState) -> LoggedEvent:
    """Tell a row of the log."""
    event = read_event(row.type, row.body, row.words, state.table.rule_books[row.version])
    return LoggedEvent(
        event=event,
        seq=row.seq,
        target=target_of(event),
        round=None,
        recorded_at=row.recorded_at,
        recorded_by=row.recorded_by,
    )


def corrected_by(row: StoredEvent) -> Corrected:
    """Say which row corrected an event."""
    note = row.words["note"].text if "note" in row.words else None
    return Corrected(row.seq, row.recorded_at, row.recorded_by, note)


def new_session_id() -> str:
    """Give an id that no session has."""
    return secrets.token_hex(8)


def changed_balances(before: CachedSession, after: CachedSession) -> dict[str, int]:
    """Give the balances that are not what they were."""
    old, new = before.session.state.balances, after.session.state.balances
    return {account: balance for account, balance in new.items() if old.get(account) != balance}


def chained(row: Row, before: bytes, recorded_at: str, recorded_by: str) -> StoredEvent:
    """Write a row for the log, with the hash that chains it to the row before."""
    kind, body, texts = write_event(row.event)
    hashed = (row.seq, kind, row.version, body, recorded_at, recorded_by)
    return StoredEvent(*hashed, hash=row_hash(before, *hashed), words=texts)
