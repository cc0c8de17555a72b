"""What a person does here: open a session, record what was seen, look at the books, hand out links.

The only place that joins the rules and the store: it looks sessions up folded (`session_cache`), folds reports onto
them, and writes what came of it, all or nothing. Who may do what, `access` knows; how it is asked is the API's
business.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from math import inf
from typing import Any, NamedTuple

from ledger.access import NotThere, RoleTooSmall, admitted, home_of, new_link
from ledger.answers.corrections import Changes, changes_answer
from ledger.answers.events import LoggedEvent
from ledger.answers.log import as_they_stand, logged, told, with_statuses
from ledger.books import Entry
from ledger.budget import TakesTooLong, limited
from ledger.codec import write_event, write_opening
from ledger.erasure import forgotten
from ledger.games import GAMES, newest
from ledger.hash_chain import row_hash
from ledger.history import Moment, Row, Session, SessionState, moments, settlement_of
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
    StoreBusy,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    timestamp,
)
from ledger.verification import Verified, verify

EVENTS_IN_MEMORY = 50_000
"""How many events of folded sessions a process keeps; each takes about 2 kB."""


FEW = 20
"""As many plain reports are folded while others wait for their turn to write: a millisecond."""

LONGEST_TURN = 0.01
"""How many seconds what was folded too early may be folded again while others wait."""

MOST_TURNS = 3
"""How often one may ask for the turn to write, when others always come in between, before one is told to come back."""


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
        contents = Contents(done.stored, done.entries, done.after.session.state.balances)
        self.store.open_session(stored, fresh.head.hash, link, contents)
        return done.after.session, link, token

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
        rows = self.store.events(session_id, after=after, limit=max(0, min(limit, state.seq - after)))
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
        if request.dry_run:
            done = self._tried(self._look(session_id), reports, request)
            return done.answer(tell_changes=True)
        key = hashlib.sha256(request.key.encode()).digest() if request.key else None
        takes_long = may_take_long(reports)
        for turn in range(MOST_TURNS):
            before = None if takes_long or turn else self._cache.remembered(session_id)
            before = before or self._look(session_id)
            if key and (earlier := self.store.reply(session_id, key)):
                return self._answered(session_id, earlier, request)
            ahead = self._tried(before, reports, request) if takes_long else None
            with suppress(_TurnGivenBack):
                return self._recorded(session_id, reports, request, key, ahead)
        raise StoreBusy

    def _recorded(
        self, session_id: str, reports: Sequence[Event], request: Request, key: bytes | None, ahead: _Done | None
    ) -> Answer:
        """Record reports once it is our turn to write; `ahead` is what came of them before, if nothing came between."""
        erases = any(isinstance(event, PlayerErased) for event in reports)
        with self._writing(session_id, alone=erases) as log:
            meanwhile = log.reply(key) if key else None
            if meanwhile is None:
                done = self._folded_now(session_id, log, reports, request, ahead)
                reply = key and StoredReply(key, request.fingerprint, *done.first_and_last, self._now())
                log.append(done.stored, done.entries, changed_balances(done.before, done.after), reply or None)
                for event in reports:
                    if isinstance(event, PlayerErased):
                        links = self.store.links(session_id)
                        log.forget(*forgotten(event.player, done.after.session.state, log.words(), links))
                if not erases:
                    self._cache.appended(done.after)
        if meanwhile is not None:
            return self._answered(session_id, meanwhile, request)
        if erases:
            self._cache.drop(session_id)
            with limited(inf):  # it is kept
                return self._told_again(session_id, *done.first_and_last)
        self._cache.keep(done.after)
        return done.answer()

    @contextmanager
    def _writing(self, session_id: str, *, alone: bool) -> Iterator[Log]:
        """Open a log for writing; what was appended and could not be kept is not remembered either."""
        log, began = None, None
        try:
            with ExitStack() as stack:
                try:
                    log = stack.enter_context(self.store.writing(session_id, alone=alone))
                except KeyError:
                    raise NotThere from None
                began = log.head
                yield log
        except BaseException:
            if log is not None and log.head != began:
                self._cache.drop(session_id)
            raise

    def _folded_now(
        self, session_id: str, log: Log, reports: Sequence[Event], request: Request, ahead: _Done | None
    ) -> _Done:
        """Fold reports onto a session whose log nobody else can write to now.

        What may take long was folded before, and is folded again only if something came between, and as long as others
        can wait.
        """
        if self._cache.is_far_behind(session_id, log.head):
            raise _TurnGivenBack
        folded = self._cache.caught_up(session_id, log.head, log.events)
        if ahead is None:
            return self._tried(folded, reports, request)
        if ahead.before.head == folded.head:
            return ahead
        try:
            with limited(LONGEST_TURN):
                return self._tried(folded, reports, request)
        except TakesTooLong:
            raise _TurnGivenBack from None

    def _tried(self, before: CachedSession, reports: Iterable[Event], request: Request) -> _Done:
        """Fold reports onto a session, if it stands as the reporter has seen it, and write the rows for the log."""
        if request.expected and not request.expected(before.head.seq):
            raise Stale(before.head.seq)
        return self._fold(before, reports, request.by)

    def _answered(self, session_id: str, earlier: StoredReply, request: Request) -> Answer:
        """Give the answer that a request with this key was given before."""
        if earlier.request != request.fingerprint:
            raise KeyReused
        return replace(self._told_again(session_id, earlier.first_seq, earlier.last_seq), replayed=True)

    def _told_again(self, session_id: str, first: int, last: int) -> Answer:
        """Tell what recording some events did, from the log."""
        after = self.session(session_id, last)
        before = after.state.at(first - 1)
        rounds = {row.seq: row.round for row in takewhile(lambda row: row.seq >= first, after.state.rows())}
        rows = self.store.events(session_id, after=first - 1, limit=last - first + 1)
        events = [logged(row, after.state, rounds[row.seq]) for row in rows]
        return answer(before, after, events, self._entries_between(session_id, before, after.state))

    def _fold(self, folded: CachedSession, reports: Iterable[Event], by: str) -> _Done:
        """Fold reports onto a session and write the rows for the log."""
        state, head = folded.session.state, folded.head
        rows: list[Row] = []
        stored: list[StoredEvent] = []
        entries: list[Entry] = []
        now, version = self._now(), newest(folded.session.opening.game).version
        for recorded in state.record_all((event, version) for event in reports):
            state = recorded.state
            rows.append(recorded.row)
            stored.append(chained(recorded.row, head.hash, now, by))
            head = Head(stored[-1].seq, stored[-1].hash)
            entries += recorded.entries
        return _Done(folded, folded.moved_on(state, head), rows, stored, entries)

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


class _TurnGivenBack(Exception):
    """Others have waited long enough; reports are folded onto what came between, and then it is our turn again."""


class _Done(NamedTuple):
    """A session before and after new events, their rows as they are and as they are stored, the entries they caused."""

    before: CachedSession
    after: CachedSession
    rows: Sequence[Row]
    stored: Sequence[StoredEvent]
    entries: Sequence[Entry]

    @property
    def first_and_last(self) -> tuple[int, int]:
        """The numbers of the first and of the last event."""
        return self.rows[0].seq, self.rows[-1].seq

    def answer(self, *, tell_changes: bool = False) -> Answer:
        """Say what recording them did."""
        events = [told(row.event, stored, row.round) for row, stored in zip(self.rows, self.stored, strict=True)]
        before, after = self.before.session.state, self.after.session
        return answer(before, after, events, self.entries, tell_changes=tell_changes)


def may_take_long(reports: Sequence[Event]) -> bool:
    """Say whether reports are folded before it is our turn to write, so that nobody waits for that."""
    return len(reports) > FEW or any(isinstance(event, Correction) for event in reports)


def answer(
    before: SessionState,
    after: Session,
    events: Sequence[LoggedEvent],
    entries: Sequence[Entry],
    *,
    tell_changes: bool = False,
) -> Answer:
    """Say what recording did; if it corrected anything, with what became of the events and what it changed."""
    if tell_changes or any(isinstance(told.event, Correction) for told in events):
        events = list(as_they_stand(events, after.state))
        return Answer(events, entries, after, changes_answer(before, after.state, entries))
    return Answer(events, entries, after)


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
