"""What a person does here: open a session, record what was seen, look at the books, hand out links.

It looks sessions up folded (`session_cache`); how reports get into them, `recording` knows, and `access`, who may do
what. How it is asked is the API's business.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from math import inf
from typing import Any, TypeVar

from ledger.access import (
    MOST_LINKS,
    MOST_LINKS_EVER,
    Access,
    DeadTokens,
    LinkIsDead,
    NotAdmitted,
    OddsNotWanted,
    Once,
    RoleTooSmall,
    Token,
    is_alive,
    new_link,
    not_the_last_owner,
)
from ledger.answers.corrections import Changes, changes_answer
from ledger.answers.events import LoggedEvent
from ledger.answers.log import with_statuses
from ledger.books import Entry
from ledger.budget import limited
from ledger.codec import write_opening
from ledger.games import GAMES, newest
from ledger.history import Session, SessionState, Step, next_evening, settlement_of
from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.play.values import BANK, POT, PlayerId
from ledger.recording import KeyReused, Recorder, Stale, count, entries_between, need_no_future
from ledger.records import Record, replace
from ledger.retention import day_of, idle_since, jump
from ledger.sentences import Fault, Malformed, WrongParameter, say
from ledger.session.events import PotBrought
from ledger.session.refusals import LinksAreUsedUp, TooManyLinks
from ledger.session.table import Opening, Round
from ledger.session_cache import CachedSession, SessionCache, first_hash, folded_from
from ledger.settlement import Settlement
from ledger.store import (
    ROLES,
    Contents,
    Head,
    Made,
    MadeBefore,
    NotThere,
    Role,
    Store,
    StoredEvent,
    StoredLink,
    StoredSession,
    timestamp,
)
from ledger.verification import Verified, verify

T = TypeVar("T")

CLOCK = partial(datetime.now, UTC)

MEMORY_BYTES = 100 * 1024 * 1024
"""About how many bytes the folded sessions that a process keeps may take."""

KEYS_KEPT = timedelta(hours=24)
"""How long a request that makes a session or a link may be repeated with its idempotency key."""

MOST_EVENTS_TOGETHER = 30_000
"""How many events several sessions have that are looked at one after the other: of fifty usual evenings."""


class SessionArchive(Record):
    """Everything of a session as it stood at one moment; what is recorded later is not in it.

    It is read as it is asked for. If the session is deleted meanwhile, whoever reads on is told so by NotThere, since
    what they have would else pass for all of it.
    """

    session: Session
    store: Store

    def events(self) -> Iterator[LoggedEvent]:
        """Read the log, oldest first, each event with what became of it."""
        told = with_statuses(self.store, self.session.id, self.rows(), self.session.state)
        return all_of(told, self.session.state.seq)

    def rows(self) -> Iterator[StoredEvent]:
        """Read the log as it is stored, oldest first."""
        last = self.session.state.seq
        return all_of(self.store.events(self.session.id, limit=last), last)

    def opening(self) -> StoredSession:
        stored = self.store.session(self.session.id)
        if stored is None:
            raise NotThere
        return stored

    def entries(self) -> Iterator[Entry]:
        """Read the ledger, oldest first."""
        last = self.session.state.books.last_entry
        return all_of(self.store.entries(self.session.id, limit=last), last)


def all_of(found: Iterator[T], count: int) -> Iterator[T]:
    """Give what is found of so many. Raises NotThere where it ends too early."""
    for one in found:
        count -= 1
        yield one
    if count:
        raise NotThere


class Desk:
    """The front desk of one process."""

    def __init__(
        self, store: Store, *, clock: Callable[[], datetime] = CLOCK, memory_bytes: int = MEMORY_BYTES
    ) -> None:
        self.store = store
        self.access = Access(store, clock)
        self._cache = SessionCache(store, memory_bytes)
        self.recorder = Recorder(store, self._cache, clock)

    # --- opening and looking ----------------------------------------------------------------------------------------

    def open(
        self, opening: Opening, reports: Sequence[Event] = (), once: Once | None = None
    ) -> tuple[Session, StoredLink, str]:
        """Open a session, perhaps with events in it already; give it with its owner's link and that link's token.

        The token is not kept. Raises Refused for the events, and MadeBefore, and has then opened nothing.
        """
        if opening.played_on:
            need_no_future([("/played_on", opening.played_on)], self.access.clock())
        session_id, now = new_session_id(), self._now()
        written = write_opening(opening)
        version = newest(opening.game).version
        stored = StoredSession(session_id, written.body, version, now, written.texts)
        link, token = new_link(session_id, "owner", self.access.clock(), once=once)
        state = SessionState.opened(GAMES[opening.game], opening)
        fresh = CachedSession(Session(session_id, opening, now, state), Head(0, first_hash(stored)))
        done = self.recorder.fold(fresh, reports, link.id)
        contents = Contents(done.stored, done.entries, done.after.session.state.balances)
        made = self._making(once, session_id, link, len(done.stored))
        self.store.open_session(stored, fresh.head.hash, link, contents, made)
        count(done)
        return done.after.session, link, token

    def take_in(
        self, stored: StoredSession, contents: Contents, once: Once | None = None
    ) -> tuple[Session, StoredLink, str]:
        """Open a session that has been recorded elsewhere, and was checked; give it as `open` does."""
        link, token = new_link(stored.id, "owner", self.access.clock(), once=once)
        made = self._making(once, stored.id, link, len(contents.events))
        folded = folded_from(stored, contents.events)  # before it is kept: who cannot be answered has opened nothing
        self.store.open_session(stored, first_hash(stored), link, contents, made)
        self._cache.keep(folded)
        return folded.session, link, token

    def next_evening(self, token: str) -> tuple[Opening, Sequence[Event]]:
        """Say how the people of a session would open another, and what they would report first: a pot they bring.

        Raises Malformed, unless the token is of a link that may record, and RoundIsOpen. The session is not written to.
        """
        said = Token.read(token)
        try:
            self.access.link(said.home, said, ("owner", "scorer"))
        except (NotAdmitted, RoleTooSmall):
            needed = say("the token of a link is needed that is alive, and may record in the earlier session")
            raise Malformed(Fault("/continues", needed)) from None
        opening, pot = next_evening(self.session(said.home))
        return opening, [PotBrought(pot)] if pot else []

    def head(self, session_id: str) -> Head:
        """Say where a session's log ends. Raises NotThere."""
        return self._cache.head(session_id)

    def rule_book(self, session_id: str) -> RuleBook[Any]:
        """Give the newest rule book of the game that a session plays, and always will. Raises NotThere."""
        known = self._cache.entry(session_id).committed or self._cache.look(session_id)
        return newest(known.session.opening.game)

    def session(self, session_id: str, at: int | None = None) -> Session:
        """Look at a session as it stands, or as it stood when `at` was its last event. Raises NotThere."""
        session = self._cache.look(session_id).session
        if at is None:
            return session
        if at > session.state.seq:
            raise NotThere
        return replace(session, state=session.state.at(at))

    def round(self, session_id: str, number: int, at: int | None = None) -> tuple[Session, Round]:
        """Look at one round of a session. Raises NotThere."""
        session = self.session(session_id, at)
        return session, round_of(session.state, number)

    def session_that_wants_odds(self, session_id: str) -> Session:
        """Look at a session whose table wants to be told the chances. Raises NotThere, OddsNotWanted."""
        session = self.session(session_id)
        if not session.state.table.odds:
            raise OddsNotWanted
        return session

    def events(self, session_id: str, after: int, limit: int) -> list[LoggedEvent]:
        """Read the log after a seq, oldest first, each event with what became of it."""
        state = self.session(session_id).state
        rows = self.store.events(session_id, after=after, limit=max(0, min(limit, state.seq - after)))
        return list(with_statuses(self.store, session_id, rows, state))

    def entries(self, session_id: str, after: int, limit: int, account: str | None = None) -> list[Entry]:
        """Read the books after an entry's id, oldest first, perhaps of one account alone.

        Raises Malformed for an account that this session does not have.
        """
        if account is not None:
            accounts = [POT, BANK, *(player.id for player in self.session(session_id).state.table.players)]
            if account not in accounts:
                needed = say("one of these is needed: {words}", words=", ".join(accounts))
                raise Malformed(WrongParameter("account", needed))
        return list(self.store.entries(session_id, after=after, limit=limit, account=account))

    def changes(self, session_id: str, seq: int) -> Changes:
        """Work out again what an event changed: what lies between the session before and after it. Raises NotThere."""
        if seq == 0:
            raise NotThere
        after = self.session(session_id, seq).state
        before = after.at(seq - 1)
        return changes_answer(before, after, entries_between(self.store, session_id, before, after))

    def archive(self, session_id: str) -> SessionArchive:
        """Give everything of a session as it stands now, to be read as it is asked for."""
        return SessionArchive(self.session(session_id), self.store)

    def replay(self, session_id: str, number: int, after: int = 0, limit: int | None = None) -> list[Step]:
        """Give the steps of a round after so many, in order: each event, the table after it, what moved."""
        session, done = self.round(session_id, number)
        last = None if limit is None else after + limit
        return list(islice(session.state.steps(done.number), after, last))

    def settlement(self, session_id: str, via: PlayerId | None = None) -> tuple[Session, Settlement]:
        """Say who pays whom to clear all balances, perhaps through one player.

        Raises NotThere for a player who is not of this session.
        """
        session = self.session(session_id)
        if via is not None and session.state.table.player(via) is None:
            raise NotThere
        return session, settlement_of(session.state, via)

    def sessions(self, tokens: Sequence[str]) -> Iterator[Session]:
        """Give several sessions, each by a token of its own, one after the other; none is kept for it.

        Raises DeadTokens, Malformed for more events than may be looked at together, TakesTooLong.
        """
        homes, dead = dict[str, None](), list[int]()
        for place, token in enumerate(map(Token.read, tokens)):
            try:
                self.access.link(token.home, token, ROLES)
            except NotAdmitted:
                dead.append(place)
            homes[token.home] = None
        if dead:
            raise DeadTokens(dead)
        count = sum(self.head(home).seq for home in homes)
        if count > MOST_EVENTS_TOGETHER:
            needed = say(
                "sessions with at most {most} events in all are needed; these have {count}",
                most=MOST_EVENTS_TOGETHER,
                count=count,
            )
            raise Malformed(Fault("/tokens", needed))
        for home in homes:
            yield self._cache.glance(home).session

    def verify(self, session_id: str) -> Verified:
        """Check a session's whole record, from the database alone. Raises NotThere."""
        self.head(session_id)
        return verify(self.store, session_id)

    # --- making once ------------------------------------------------------------------------------------------------

    def must_be_new(self, once: Once) -> None:
        """Make sure that a request has not been done before. Raises MadeBefore.

        Keys that are too old are forgotten from time to time (`tidy`), and here only if it is that of this request: to
        look for them in every database would have each request wait for one that is out of reach.
        """
        made = self.store.made(once.digest)
        if made and made.made_at >= self._keys_kept_since():
            raise MadeBefore(made)
        if made:
            self._forget_keys()

    def made_again(self, made: Made, once: Once) -> tuple[Session, StoredLink, str]:
        """Give what a request has made, as it was then, with the same token. Raises KeyReused, LinkIsDead."""
        if made.request != once.fingerprint:
            raise KeyReused
        link = next((link for link in self.store.links(made.session) if link.id == made.link), None)
        if link is None or link.salt is None or not is_alive(link, self.access.latest_moment()):
            raise LinkIsDead
        return self.session(made.session, made.seq), link, once.token(made.session, link.salt)

    def _making(self, once: Once | None, session_id: str, link: StoredLink, seq: int = 0) -> Made | None:
        """Say what a request makes that is to be done once."""
        return None if once is None else Made(once.digest, once.fingerprint, session_id, seq, link.id, self._now())

    def _forget_keys(self) -> None:
        self.store.forget_made(self._keys_kept_since())

    def _keys_kept_since(self) -> str:
        return timestamp(self.access.clock() - KEYS_KEPT)

    # --- deleting ---------------------------------------------------------------------------------------------------

    def delete(self, session_id: str, expected: Callable[[int], bool] | None = None) -> bool:
        """Delete a session and all that is in it, for good; False if something of it may not be cleared away yet.

        Raises NotThere, and Stale for an unexpected last seq.
        """
        if expected and not expected(seq := self.head(session_id).seq):
            raise Stale(seq)
        with limited(inf):  # once it has begun, there is no session any more
            is_deleted = self.store.delete_session(session_id)
        self._cache.drop(session_id)
        if not is_deleted:
            raise NotThere
        return not self.store.forgetting_is_pending()

    def idle_since(self, keep_days: int | None) -> str | None:
        """Give the moment since which nothing was recorded in sessions that may be deleted; None if none may be."""
        now = self.access.clock()
        today, days = day_of(now), list(self.store.days())
        noted = [*days, today] if today not in days else days
        return None if keep_days is None else idle_since(noted, keep_days, now)

    def _note_today(self) -> None:
        """Note that the service runs today; a jump of the clock since the day before is logged once."""
        if self.store.note_day(day_of(self.access.clock())) and (days := jump(self.store.days())):
            logging.getLogger(__name__).warning(
                "The clock has jumped by %s days since the service ran last, or it was off for as long: that counts as"
                " one day of LEDGER_KEEP_DAYS, and no session is deleted because of it. See that the clock is right",
                days,
            )

    def tidy(self, keep_days: int | None) -> Iterator[str]:
        """Delete sessions that nobody needs any more, and give each when it is gone: whoever asks on can pause between.

        They are those in which nothing was recorded for so many days, if there is a number, and those whose deletion
        was not brought to its end.
        """
        self._note_today()
        self._forget_keys()
        self._cache.drop_deleted()
        since = self.idle_since(keep_days)
        for session_id in self.store.sessions_to_delete(since):
            if self.store.delete_session(session_id, idle_since=since):
                self._cache.drop(session_id)
                yield session_id

    # --- links ------------------------------------------------------------------------------------------------------

    def add_link(
        self, session_id: str, role: Role, label: str | None, expires_at: datetime | None, once: Once | None = None
    ) -> tuple[StoredLink, str]:
        """Make a link to a session; give it with its token, which is not kept.

        Raises NotThere, MadeBefore, Malformed for an end that is past, and TooManyLinks or LinksAreUsedUp (several at
        the same moment may go beyond that).
        """
        links, now = self.store.links(session_id), self.access.clock()
        if expires_at is not None and expires_at <= now:
            needed = say("a moment that is still to come is needed; it is {now} here", now=timestamp(now))
            raise Malformed(Fault("/expires_at", needed))
        if len(links) >= MOST_LINKS_EVER:
            raise LinksAreUsedUp(at_most=MOST_LINKS_EVER)
        if sum(is_alive(link, now) for link in links) >= MOST_LINKS:
            raise TooManyLinks(at_most=MOST_LINKS)
        link, token = new_link(session_id, role, self.access.clock(), label, expires_at, once=once)
        try:
            self.store.add_link(session_id, link, self._making(once, session_id, link))
        except KeyError:
            raise NotThere from None
        return link, token

    def live_tokens(self, session_id: str) -> AbstractSet[bytes]:
        """Give the digests of the tokens that open a session now."""
        now = self.access.latest_moment()
        return {link.token_hash for link in self.store.links(session_id) if is_alive(link, now)}

    def revoke_link(self, session_id: str, link_id: str, *, even_if_last: bool = False) -> None:
        """Make a link dead. Raises NotThere, and LastOwnerLink for the last one that owns the session."""
        check = None if even_if_last else not_the_last_owner(link_id, self.access.latest_moment())
        if "\0" in link_id or not self.store.revoke_link(session_id, link_id, self._now(), check):
            raise NotThere

    def revoke_expired_links(self) -> None:
        """Make links dead whose end is past, tried or not, so that they stay so whatever a clock says later."""
        self.store.revoke_expired_links(timestamp(self.access.latest_moment()))

    def _now(self) -> str:
        return timestamp(self.access.clock())


def round_of(state: SessionState, number: int) -> Round:
    """Find one round of a session. Raises NotThere."""
    found = state.round(number)
    if found is None:
        raise NotThere
    return found


def new_session_id() -> str:
    """Give an id that no session has."""
    return secrets.token_hex(8)
