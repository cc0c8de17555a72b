"""How reports become rows of the log: folded onto the session as it stands, written all or none, and answered.

What is quick is folded when it is our turn to write. What may take long (many reports, or a correction) is folded
before, so that nobody waits for it, and once more only if others came between. An answer is what the log tells: so a
request that is repeated with its idempotency key is answered again from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from itertools import chain, takewhile
from math import inf
from typing import NamedTuple

from ledger.access import NotThere, RoleTooSmall
from ledger.answers.corrections import Changes, changes_answer
from ledger.answers.events import LoggedEvent
from ledger.answers.log import as_they_stand, labels_of, logged, told
from ledger.books import Entry
from ledger.budget import TakesTooLong, limited
from ledger.codec import write_event
from ledger.codec.files import MOST_EVENTS_IN_A_FILE
from ledger.erasure import Erasure, labels_to_forget, words_to_forget
from ledger.games import newest
from ledger.hash_chain import SaltedText, row_hash
from ledger.history import Row, Session, SessionState, concerned
from ledger.meters import EVENTS
from ledger.play import Event
from ledger.records import Record, replace
from ledger.session import Correction, OddsSwitched, PlayerErased, PlayerJoined, PlayerRenamed, Round
from ledger.session.refusals import SessionIsFull, TooManyPeople
from ledger.session_cache import CachedSession, SessionCache
from ledger.store import Head, Log, NothingKept, Store, StoreBusy, StoredEvent, StoredLink, StoredReply, timestamp

FOR_THE_OWNER = (PlayerErased, OddsSwitched)
"""What only the owner reports."""

FEW = 20
"""As many plain reports are folded while others wait for their turn to write: a millisecond."""

LONGEST_TURN = 0.01
"""How many seconds what was folded too early may be folded again while others wait."""

MOST_TURNS = 3
"""How often one may ask for the turn to write, when others always come in between, before one is told to come back."""


MOST_PEOPLE = 100
"""How many people may sit down in a session, one after the other."""

MOST_EVENTS_IN_A_SESSION = MOST_EVENTS_IN_A_FILE - MOST_PEOPLE
"""How many events a session may have: as many as a file may hold, once everybody in it is erased as well.

A file of so many is larger than LEDGER_IMPORT_BYTES is by default; whoever runs the service can raise that.
"""


class Stale(Exception):
    """The session has moved on since you looked."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class KeyReused(Exception):
    """This Idempotency-Key was used with another request; a new request needs a new key."""


class Answer(Record):
    """What recording did, or would do: the events, the entries they caused, and the session after them.

    `erasure_is_pending` says that a name that these events had forgotten may not be cleared away yet.
    """

    events: Sequence[LoggedEvent]
    entries: Sequence[Entry]
    session: Session
    changes: Changes | None = None
    replayed: bool = False
    erasure_is_pending: bool = False

    @property
    def ended(self) -> Sequence[Round]:
        """The rounds that these events have ended."""
        return self.session.state.ended_since(self.events[0].seq)


class Request(Record):
    """Who reports, and under which conditions.

    `by` and `label` are of the link in use. `expected` says whether a seq is one the reporter has seen; `key` is an
    idempotency key, `fingerprint` says which request it belongs to. `link` is given if it is only believed to be as it
    is: then recording makes sure of it.
    """

    by: str
    label: str | None = None
    role: str = "scorer"
    expected: Callable[[int], bool] | None = None
    key: str | None = None
    fingerprint: bytes = b""
    dry_run: bool = False
    link: StoredLink | None = None


class _TurnGivenBack(Exception):
    """Nothing is kept yet: others have waited long enough, or the database was lost. Then it is our turn again."""


class Done(NamedTuple):
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

    def answer(self, label: str | None, *, tell_changes: bool = False) -> Answer:
        """Say what recording them did; `label` is what the link is called that they were reported through."""
        events = [told(row.event, stored, label, row.round) for row, stored in zip(self.rows, self.stored, strict=True)]
        before, after = self.before.session.state, self.after.session
        return answer(before, after, events, self.entries, tell_changes=tell_changes)


class Search(NamedTuple):
    """What erasing players forgets of a log up to a seq, searched before the turn to write: others may still record."""

    upto: int
    erasures: Sequence[Erasure]
    words: dict[tuple[int, str], str]


class Recorder:
    """Records in the sessions of one store, for one process."""

    def __init__(self, store: Store, cache: SessionCache, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock

    def look(self, session_id: str) -> CachedSession:
        """Look at a session as its log stands now. Raises NotThere."""
        try:
            return self._cache.look(session_id)
        except KeyError:
            raise NotThere from None

    def glance(self, session_id: str) -> CachedSession:
        """Look at a session that need not be kept in memory. Raises NotThere, TakesTooLong."""
        try:
            return self._cache.glance(session_id)
        except KeyError:
            raise NotThere from None

    def fold(self, folded: CachedSession, reports: Iterable[Event], by: str) -> Done:
        """Fold reports onto a session and write the rows for the log."""
        state, head = folded.session.state, folded.head
        rows: list[Row] = []
        stored: list[StoredEvent] = []
        entries: list[Entry] = []
        now, version = timestamp(self._clock()), newest(folded.session.opening.game).version
        for recorded in state.record_all((event, version) for event in reports):
            state = recorded.state
            if recorded.row.seq > MOST_EVENTS_IN_A_SESSION + MOST_PEOPLE * isinstance(recorded.row.event, PlayerErased):
                raise SessionIsFull(at_most=MOST_EVENTS_IN_A_SESSION)
            rows.append(recorded.row)
            stored.append(chained(recorded.row, head.hash, now, by))
            head = Head(stored[-1].seq, stored[-1].hash)
            entries += recorded.entries
        people = len(state.table.players)
        if people > MOST_PEOPLE and people > len(folded.session.state.table.players):
            raise TooManyPeople(at_most=MOST_PEOPLE)
        return Done(folded, folded.moved_on(state, head), rows, stored, entries)

    def record(self, session_id: str, reports: Sequence[Event], request: Request) -> Answer:
        """Record events, all or none.

        Raises Refused (with the `index` of the event), Stale, KeyReused, NotThere, RoleTooSmall, StoreBusy, StoreFull.
        """
        if request.role != "owner" and any(isinstance(event, FOR_THE_OWNER) for event in reports):
            raise RoleTooSmall
        if request.dry_run:
            done = self._tried(self.look(session_id), reports, request)
            return done.answer(request.label, tell_changes=True)
        key = hashlib.sha256(request.key.encode()).digest() if request.key else None
        takes_long = may_take_long(reports)
        for turn in range(MOST_TURNS):
            before = None if takes_long or turn else self._cache.remembered(session_id)
            before = before or self.look(session_id)
            if key and (earlier := self._store.reply(session_id, key)):
                return self._answered(session_id, earlier, request)
            ahead = self._tried(before, reports, request) if takes_long else None
            search = self._searched(session_id, ahead, reports) if ahead and turn < MOST_TURNS - 1 else None
            expected = None if takes_long or turn else self._cache.expected(session_id)
            with suppress(_TurnGivenBack):
                return self._recorded(session_id, reports, request, key, ahead, search=search, expected=expected)
        raise StoreBusy

    def _recorded(  # noqa: PLR0913 - all of it is about one turn
        self,
        session_id: str,
        reports: Sequence[Event],
        request: Request,
        key: bytes | None,
        ahead: Done | None,
        *,
        search: Search | None,
        expected: Head | None,
    ) -> Answer:
        """Record reports once it is our turn to write; `ahead` is what came of them before, if nothing came between.

        `search` is what they forget, if anything; without one that is searched while others wait.
        """
        erases = any(isinstance(event, PlayerErased) for event in reports)
        with self._writing(session_id, alone=erases, expected=expected, by=request.link) as log:
            meanwhile = log.reply(key) if key else None
            if meanwhile is None:
                done = self._folded_now(session_id, log, reports, request, ahead, expected=expected)
                if search and searched_in_vain(search, done):
                    raise _TurnGivenBack
                reply = key and StoredReply(key, request.fingerprint, *done.first_and_last, timestamp(self._clock()))
                log.append(done.stored, done.entries, changed_balances(done.before, done.after), reply or None)
                if erases:
                    forget(log, search or search_all(log, erasures_of(reports, done)))
                if not erases:
                    self._cache.appended(done.after)
        if meanwhile is not None:
            return self._answered(session_id, meanwhile, request)
        count(done)
        if erases:
            self._cache.drop(session_id)
            with limited(inf):  # it is kept, and one look that fails must not say otherwise
                with suppress(Exception):
                    return self._told_again(session_id, *done.first_and_last)
                return self._told_again(session_id, *done.first_and_last)
        self._cache.keep(done.after)
        return done.answer(request.label)

    def _searched(self, session_id: str, ahead: Done, reports: Sequence[Event]) -> Search | None:
        """Search what reports forget of the log as it stands; None if they erase nobody. Raises NotThere."""
        erasures = erasures_of(reports, ahead)
        if not erasures:
            return None
        opening, upto = self._store.session(session_id), ahead.before.head.seq
        if opening is None:
            raise NotThere
        words = chain(said_in(0, opening.words), said_in_rows(self._store.events(session_id, limit=upto)))
        return Search(upto, erasures, words_to_forget(erasures, words))

    @contextmanager
    def _writing(self, session_id: str, *, alone: bool, expected: Head | None, by: StoredLink | None) -> Iterator[Log]:
        """Open a log for writing; what was appended and could not be kept is not remembered either.

        Raises NotThere, LinkChanged, _TurnGivenBack, StoreBusy, StoreFull.
        """
        log, began = None, None
        try:
            with ExitStack() as stack:
                try:
                    opened = self._store.writing(session_id, alone=alone, expected=expected, by=by)
                    log = stack.enter_context(opened)
                except KeyError:
                    raise NotThere from None
                began = log.head
                yield log
        except BaseException as error:
            if log is not None and log.head != began:
                if isinstance(error, NothingKept):  # as the log goes on from what was there
                    self._cache.take_back(session_id, log.head)
                else:
                    self._cache.drop(session_id)
            if isinstance(error, NothingKept):
                raise _TurnGivenBack from error
            raise

    def _folded_now(  # noqa: PLR0913 - all of it is about one turn
        self,
        session_id: str,
        log: Log,
        reports: Sequence[Event],
        request: Request,
        ahead: Done | None,
        *,
        expected: Head | None,
    ) -> Done:
        """Fold reports onto a session whose log nobody else can write to now.

        What may take long was folded before, and is folded again only if something came between, and as long as others
        can wait.
        """
        if log.head != expected:
            self._cache.make_sure_it_goes_on(session_id, log.head)
        elif self._cache.has_gone_on(session_id, expected):
            raise _TurnGivenBack  # somebody here has written since, and the store may only have believed us
        if self._cache.is_far_behind(session_id, log.head):
            raise _TurnGivenBack
        folded = self._cache.caught_up(session_id, log.head, log)
        if ahead is None:
            return self._tried(folded, reports, request)
        if ahead.before.head == folded.head:
            return ahead
        try:
            with limited(LONGEST_TURN):
                return self._tried(folded, reports, request)
        except TakesTooLong:
            raise _TurnGivenBack from None

    def _tried(self, before: CachedSession, reports: Iterable[Event], request: Request) -> Done:
        """Fold reports onto a session, if it stands as the reporter has seen it, and write the rows for the log."""
        if request.expected and not request.expected(before.head.seq):
            raise Stale(before.head.seq)
        done = self.fold(before, reports, request.by)
        if request.role != "owner" and any(isinstance(event, FOR_THE_OWNER) for event in concerned_by(done.rows)):
            raise RoleTooSmall  # by a correction
        return done

    def _answered(self, session_id: str, earlier: StoredReply, request: Request) -> Answer:
        """Give the answer that a request with this key was given before."""
        if earlier.request != request.fingerprint:
            raise KeyReused
        return replace(self._told_again(session_id, earlier.first_seq, earlier.last_seq), replayed=True)

    def _told_again(self, session_id: str, first: int, last: int) -> Answer:
        """Tell what recording some events did, from the log."""
        session = self.look(session_id).session
        after = replace(session, state=session.state.at(last))
        before = after.state.at(first - 1)
        rounds = {row.seq: row.round for row in takewhile(lambda row: row.seq >= first, after.state.rows())}
        rows = self._store.events(session_id, after=first - 1, limit=last - first + 1)
        labels = labels_of(self._store, session_id)
        events = [logged(row, after.state, labels, rounds[row.seq]) for row in rows]
        told = answer(before, after, events, entries_between(self._store, session_id, before, after.state))
        erases = any(isinstance(one.event, PlayerErased) for one in events)
        return replace(told, erasure_is_pending=erases and self._store.forgetting_is_pending())


def erasures_of(reports: Sequence[Event], done: Done) -> Sequence[Erasure]:
    """Say whom reports erase."""
    state = done.after.session.state
    return [Erasure(event.player, state) for event in reports if isinstance(event, PlayerErased)]


def said_in(seq: int, words: Mapping[str, SaltedText]) -> Iterator[tuple[tuple[int, str], str]]:
    """Give the words of a row with their places."""
    return (((seq, place), said.text) for place, said in words.items())


def searched_in_vain(search: Search, done: Done) -> bool:
    """Say whether what came after a search may have changed names, or words before it."""
    first, _last = done.first_and_last
    between = takewhile(lambda row: row.seq > search.upto, done.after.session.state.rows())
    return first > search.upto + 1 and any(
        isinstance(row.event, (Correction, PlayerJoined, PlayerRenamed))
        or (isinstance(row.event, PlayerErased) and row.seq < first)
        for row in between
    )


def said_in_rows(rows: Iterable[StoredEvent]) -> Iterator[tuple[tuple[int, str], str]]:
    """Give the words of rows with their places."""
    return chain.from_iterable(said_in(row.seq, row.words) for row in rows)


def forget(log: Log, search: Search) -> None:
    """Write over what erasing players forgets: what was found before, and what came since."""
    since = words_to_forget(search.erasures, said_in_rows(log.events(search.upto)))
    log.forget({**search.words, **since}, labels_to_forget(search.erasures, log.links()))


def search_all(log: Log, erasures: Sequence[Erasure]) -> Search:
    """Search a log while others wait, as names have changed again and again before that."""
    words = words_to_forget(erasures, ((at, said.text) for at, said in log.words().items()))
    return Search(log.head.seq, erasures, words)


def count(done: Done) -> None:
    """Count events that are kept."""
    game = done.after.session.opening.game
    for stored in done.stored:
        EVENTS.add(game, stored.type)


def concerned_by(rows: Sequence[Row]) -> Iterator[Event]:
    """Give the events of the table that corrections among some rows are about."""
    return chain.from_iterable(concerned(row) for row in rows if isinstance(row.event, Correction))


def may_take_long(reports: Sequence[Event]) -> bool:
    """Say whether reports are folded before it is our turn to write, so that nobody waits for that."""
    return len(reports) > FEW or any(isinstance(event, (Correction, PlayerErased)) for event in reports)


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


def entries_between(store: Store, session_id: str, before: SessionState, after: SessionState) -> Sequence[Entry]:
    """Read the entries that were added from one state of a session to a later one."""
    added = after.last_entry - before.last_entry
    return list(store.entries(session_id, after=before.last_entry, limit=added)) if added else []


def changed_balances(before: CachedSession, after: CachedSession) -> dict[str, int]:
    """Give the balances that are not what they were."""
    old, new = before.session.state.balances, after.session.state.balances
    return {account: balance for account, balance in new.items() if old.get(account) != balance}


def chained(row: Row, before: bytes, recorded_at: str, recorded_by: str) -> StoredEvent:
    """Write a row for the log, with the hash that chains it to the row before."""
    kind, body, texts = write_event(row.event)
    hashed = (row.seq, kind, row.version, body, recorded_at, recorded_by)
    return StoredEvent(*hashed, hash=row_hash(before, *hashed), words=texts)
