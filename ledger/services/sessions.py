"""Sessions: opening, reading and deleting them.

`session_cache` has them folded, `recording` adds events, and `access` checks and makes links.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from ledger.accounting.books import Entry
from ledger.accounting.settlement import Settlement
from ledger.codec.log import write_record
from ledger.games import newest
from ledger.i18n.sentences import Fault, Malformed, WrongParameter, say
from ledger.records import replace
from ledger.responses.events import Changes, LoggedEvent, changes_answer, with_statuses
from ledger.responses.reports import settlement_answer
from ledger.rulebook.event import Event
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import BANK, POT, PlayerId
from ledger.services import access
from ledger.services.idempotency_keys import RETENTION, IdempotencyKey
from ledger.services.recording import PreconditionFailed, Recorder, Request, entries_between
from ledger.services.session_cache import MAX_CACHED_EVENTS, CachedSession, SessionCache, fold_on, opened
from ledger.session.events import PotBrought, need_no_future
from ledger.session.history import Session, SessionState, continue_session, settlement_of
from ledger.session.table import Opening, Round
from ledger.storage.errors import NotFound, StoreBusy
from ledger.storage.store import Store, timestamp
from ledger.storage.stored import ROLES, SessionCopy, StoredLink, StoredSession

CLOCK = partial(datetime.now, UTC)

MAX_EVENTS_TOGETHER = 30_000
"""How many events the sessions of one request may have in all: those of fifty usual evenings."""

Created = tuple[Session, StoredLink, str]
"""A session, its owner's link or a new one, and the link's token, which is not stored."""


class SessionService:
    """The sessions of one store, for one process."""

    def __init__(
        self, store: Store, *, clock: Callable[[], datetime] = CLOCK, max_cached_events: int = MAX_CACHED_EVENTS
    ) -> None:
        self.store = store
        self.access = access.Access(store, clock)
        self._cache = SessionCache(store, max_cached_events)
        self.recorder = Recorder(store, self._cache, clock)

    def open(self, opening: Opening, reports: Sequence[Event] = (), key: IdempotencyKey | None = None) -> Created:
        """Open a session, perhaps with its first events.

        Raises Malformed, Refused for an event, AlreadyProcessed; then nothing is opened.
        """
        if opening.played_on:
            need_no_future([("/played_on", opening.played_on)], self.access.clock())
        written, version, now = write_record(opening), newest(opening.game).version, timestamp(self.access.clock())
        stored = StoredSession(new_session_id(), written.body, version, now, written.texts)
        link, token = access.new_link(stored.id, "owner", now, key)
        done = self.recorder.fold(opened(stored), reports, Request(by=link.id, role="owner"))
        rows = [row for _event, row, _round in done.rows]
        self._create(SessionCopy(stored, done.head, rows, done.entries, [link]), done.session, key)
        return done.session, link, token

    def create_imported(self, copy: SessionCopy, key: IdempotencyKey | None = None) -> Created:
        """Open a copy of a session that was verified, with a new owner's link."""
        link, token = access.new_link(copy.session.id, "owner", timestamp(self.access.clock()), key)
        session = fold_on(opened(copy.session), copy.events).session
        self._create(copy._replace(links=[link]), session, key)
        return session, link, token

    def _create(self, copy: SessionCopy, session: Session, key: IdempotencyKey | None) -> None:
        now = timestamp(self.access.clock())
        records = [key.record(copy.session.id, copy.head.seq, now, link_id=copy.links[0].id)] if key else []
        self.store.create_session(copy._replace(records=records), now)
        self._cache.put(CachedSession(session, copy.head))

    def continue_session(self, token: str) -> tuple[Opening, Sequence[Event]]:
        """Give the opening that continues a session, and its first event: the pot that is brought along, if any.

        Raises Malformed unless the token is of a link that may record, and RoundIsOpen.
        """
        continued = access.Token.read(token)
        try:
            self.access.link(continued.home, continued, ("owner", "scorer"))
        except (access.NotAdmitted, access.RoleTooSmall):
            needed = say("the token of a link is needed that is alive, and may record in the earlier session")
            raise Malformed(Fault("/continues", needed)) from None
        opening, pot = continue_session(self.session(continued.home))
        return opening, [PotBrought(pot)] if pot else []

    def rule_book(self, session_id: str) -> RuleBook[Any]:
        """Give the newest rule book of a session's game, which never changes. Raises NotFound."""
        version = self._cache.newest(session_id) or self._cache.get(session_id)
        return newest(version.session.opening.game)

    def session(self, session_id: str, at: int | None = None) -> Session:
        """Give a session as it stands, or as it stood when `at` was its last event. Raises NotFound."""
        session = self._cache.get(session_id).session
        if at is None:
            return session
        if at > session.state.seq:
            raise NotFound
        return replace(session, state=session.state.at(at))

    def round(self, session_id: str, number: int, at: int | None = None) -> tuple[Session, Round]:
        """Give a session and one of its rounds. Raises NotFound."""
        session = self.session(session_id, at)
        return session, round_of(session.state, number)

    def events(self, session_id: str, after: int, limit: int) -> list[LoggedEvent]:
        """Read the log after a seq, oldest first, each event with its corrections. Raises NotFound."""
        state = self.session(session_id).state
        rows = self.store.events(session_id, after=after, limit=min(limit, state.seq - after))
        return list(with_statuses(self.store, session_id, rows, state))

    def entries(self, session_id: str, after: int, limit: int, account: str | None = None) -> list[Entry]:
        """Read the entries after an id, oldest first; of all accounts, or of one.

        Raises Malformed for an account that this session does not have.
        """
        if account is not None:
            accounts = [POT, BANK, *(player.id for player in self.session(session_id).state.table.players)]
            if account not in accounts:
                needed = say("one of these is needed: {words}", words=", ".join(accounts))
                raise Malformed(WrongParameter("account", needed))
        return list(self.store.entries(session_id, after=after, limit=limit, account=account))

    def changes(self, session_id: str, seq: int) -> Changes:
        """Compare a session before and after an event. Raises NotFound."""
        if seq == 0:
            raise NotFound
        after = self.session(session_id, seq).state
        before = after.at(seq - 1)
        return changes_answer(before, after, entries_between(self.store, session_id, before, after))

    def settlement(self, session_id: str, via: PlayerId | None = None) -> Settlement:
        """Work out the payments that clear all balances, perhaps all of them `via` one player.

        Raises NotFound, also for a player of another session.
        """
        session = self.session(session_id)
        if via is not None and session.state.table.player(via) is None:
            raise NotFound
        return settlement_answer(settlement_of(session.state, via), session.chip_value)

    def sessions(self, tokens: Sequence[str]) -> Iterator[Session]:
        """Give several sessions one after the other, each by a token; none is cached for it.

        Raises DeadTokens, Malformed for more than MAX_EVENTS_TOGETHER.
        """
        read, dead = list(map(access.Token.read, tokens)), list[Fault]()
        for place, token in enumerate(read):
            try:
                self.access.link(token.home, token, ROLES)
            except access.NotAdmitted:
                needed = say("a token of a session is needed, of a link that is alive")
                dead.append(Fault(f"/tokens/{place}", needed))
        if dead:
            raise access.DeadTokens(*dead)
        homes = dict.fromkeys(token.home for token in read)
        count = sum(self.store.head(home).seq for home in homes)
        if count > MAX_EVENTS_TOGETHER:
            needed = say(
                "sessions with at most {most} events in all are needed; these have {count}",
                most=MAX_EVENTS_TOGETHER,
                count=count,
            )
            raise Malformed(Fault("/tokens", needed))
        for home in homes:
            yield self._cache.get(home, keep=False).session

    def check_not_processed(self, key: IdempotencyKey) -> None:
        """Make sure that the key of an opening or of a new link is new. Raises AlreadyProcessed, KeyReused."""
        before = timestamp(self.access.clock() - RETENTION)
        record = self.store.idempotency_record(*key.place)
        if record and record.created_at < before:
            self.store.delete_records(before)
        key.check_not_processed(self.store)

    def replay_creation(self, key: IdempotencyKey) -> Created:
        """Give the session and the link that a request has made, as they were then, with the same token.

        Raises KeyReused, LinkIsDead, StoreBusy.
        """
        record = key.find(self.store)
        if record is None:  # it was found in a group whose commit failed
            raise StoreBusy
        link = next((link for link in self.store.links(record.session_id) if link.id == record.link_id), None)
        if link is None or link.salt is None or not access.is_alive(link, self.access.clock()):
            raise access.LinkIsDead
        session = self.session(record.session_id, record.last_seq)
        return session, link, key.token(record.session_id, link.salt)

    def delete(self, session_id: str, expected: Callable[[int], bool] | None = None) -> None:
        """Delete a session for good. Raises NotFound, and PreconditionFailed if its last seq is not `expected`."""
        with self.store.transaction(session_id) as log:
            if expected and not expected(log.end.seq):
                raise PreconditionFailed(log.end.seq)
            log.delete()
        self._cache.evict(session_id)
        self.store.engine.clean_up()

    def idle_since(self, keep_days: int | None) -> str | None:
        """Give the moment before which an unused session may be deleted; None if none may be.

        None may be without `keep_days`, or if the clock is behind the newest row in the database: it must be wrong.
        """
        now, last = self.access.clock(), self.store.last_used()
        if keep_days is None or (last and timestamp(now) < last):
            return None
        return timestamp(now - timedelta(days=keep_days))

    def tidy(self, keep_days: int | None) -> Iterator[str]:
        """Delete expired idempotency records and idle sessions; give the id of each deleted session."""
        self.store.delete_records(timestamp(self.access.clock() - RETENTION))
        self.store.engine.clean_up()
        since = self.idle_since(keep_days) or ""
        for session_id in self.store.idle_sessions(since):
            with suppress(NotFound), self.store.transaction(session_id) as log:
                if session_id not in log.idle_sessions(since):
                    continue
                log.delete()
            self._cache.evict(session_id)
            yield session_id
        self.store.engine.clean_up()


def round_of(state: SessionState, number: int) -> Round:
    """Give one round of a session. Raises NotFound."""
    if (found := state.round(number)) is None:
        raise NotFound
    return found


def new_session_id() -> str:
    return secrets.token_hex(8)
