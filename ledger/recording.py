"""Recording: reports become rows of a session's log, all or none.

A `Turn` is one request's way into the log, in the order of its methods: prepare; take the lock; check the idempotency
key and If-Match; fold; append; answer once it is committed.

Short reports are folded under the lock. Long ones (a correction, an erasure, many events) are folded before, as others
would wait for that. If something was recorded in between, they are folded again: under the lock as long as that takes
milliseconds, and else in another try, without the lock. The last try may hold it for longer, so that a correction gets
in however busy the session is.

An answer follows from the log alone: a request that is repeated with its Idempotency-Key is answered from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from itertools import chain, repeat, starmap
from math import inf
from typing import NamedTuple, get_args

from ledger.access import RoleTooSmall
from ledger.answers.corrections import Changes, changes_answer
from ledger.answers.events import LoggedEvent, logged_event
from ledger.answers.log import Labels, as_they_stand, labels_of
from ledger.books import Balances, Entry
from ledger.budget import TakesTooLong, limited
from ledger.codec import write_event
from ledger.codec.files import MOST_EVENTS_IN_A_FILE
from ledger.erasure import Erasure, Search, labels_to_forget
from ledger.hash_chain import row_hash
from ledger.history import Recorded, Row, Session, SessionState, concerned
from ledger.meters import EVENTS
from ledger.play.events import Event
from ledger.records import Record, replace
from ledger.sentences import Fault, Malformed, say
from ledger.session.corrections import Correction, CorrectionsMade, EventAmended, EventInserted
from ledger.session.events import OddsSwitched, PlayerErased, RoundEntered, SessionDescribed
from ledger.session.refusals import SessionIsFull, TooManyPeople
from ledger.session.table import Round
from ledger.session_cache import FAR, CachedSession, CommittedLog, FarBehind, Readable, SessionCache
from ledger.store import (
    Head,
    Log,
    NothingKept,
    NotThere,
    Store,
    StoreBusy,
    StoredEvent,
    StoredLink,
    StoredReply,
    timestamp,
)

FOR_THE_OWNER = frozenset({PlayerErased, OddsSwitched})
"""What only the owner reports."""

CORRECTIONS = frozenset(get_args(Correction))

SHORT = 20
"""How many plain events are folded under the lock: a millisecond."""

LONGEST_TURN, LONGEST_LAST_TURN = 0.01, 1.0
"""How many seconds long reports may be folded again under the lock, and how many in the last try."""

MOST_TURNS = 3
"""How often a request tries to get its reports in before it is answered that the store is busy."""

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


class _TurnGivenBack(Exception):
    """The lock was held for long enough, or the log has moved on unnoticed: nothing is recorded in this try."""


class _AlreadyProcessed(Exception):
    """A request with this Idempotency-Key was recorded before."""

    def __init__(self, reply: StoredReply) -> None:
        super().__init__(reply)
        self.reply = reply


class Request(Record):
    """Who reports, and under which conditions.

    `by` and `label` are those of the link in use. `expected` says whether the reporter has seen a seq (If-Match), `key`
    is the Idempotency-Key and `fingerprint` tells the request from others with the same key. A `link` that comes from
    the cache is verified when the log is locked.
    """

    by: str
    label: str | None = None
    role: str = "scorer"
    expected: Callable[[int], bool] | None = None
    key: str | None = None
    fingerprint: bytes = b""
    dry_run: bool = False
    link: StoredLink | None = None


class Answer(Record):
    """What recording did, or would do: the events, the entries they caused, and the session after them.

    `erasure_is_pending` says that a name that these events had erased may not be cleared away yet.
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


class Folded(NamedTuple):
    """Reports folded onto a session: the versions before and after, what each report led to, the rows for the log."""

    before: CachedSession
    after: CachedSession
    recorded: Sequence[Recorded]
    stored: Sequence[StoredEvent]
    entries: Sequence[Entry]

    @property
    def changed_balances(self) -> Balances:
        """The balances that are not what they were."""
        old, new = self.before.session.state.books.balances, self.after.session.state.books.balances
        return {account: balance for account, balance in new.items() if old.get(account) != balance}


class Recorder:
    """Records in the sessions of one store, for one process."""

    def __init__(self, store: Store, cache: SessionCache, clock: Callable[[], datetime]) -> None:
        self.store = store
        self.cache = cache
        self._clock = clock

    def record(self, session_id: str, reports: Sequence[Event], request: Request) -> Answer:
        """Record events, all or none, or answer what that would do.

        Raises Refused (with the `index` of the event), Stale, KeyReused, NotThere, RoleTooSmall, StoreBusy, StoreFull.
        """
        turn = Turn(self, session_id, reports, request)
        return turn.dry_run() if request.dry_run else turn.take()

    def fold(self, before: CachedSession, reports: Sequence[Event], by: str) -> Folded:
        """Fold reports onto a session, and write the rows for the log."""
        state, head = before.session.state, before.head
        saying = [(n, each) for n, each in enumerate(reports) if isinstance(each, SAYS_A_DAY)]
        if days := [day for n, each in saying for day in days_in(each, f"/events/{n}")]:
            need_no_future(days, self._clock())
        found, stored, entries = list[Recorded](), list[StoredEvent](), list[Entry]()
        now, table = timestamp(self._clock()), state.table
        version = max(table.rule_books)
        for recorded in state.record_all(zip(reports, repeat(version))):
            state, row = recorded.state, recorded.row
            if row.seq > MOST_EVENTS_IN_A_SESSION + MOST_PEOPLE * isinstance(row.event, PlayerErased):
                raise SessionIsFull(at_most=MOST_EVENTS_IN_A_SESSION)
            found.append(recorded)
            stored.append(chained(row, head.hash, now, by))
            head = Head(row.seq, stored[-1].hash)
            entries += recorded.entries
        people = len(state.table.players)
        if people > MOST_PEOPLE and people > len(table.players):
            raise TooManyPeople(at_most=MOST_PEOPLE)
        return Folded(before, before.moved_on(state, head), found, stored, entries)


class Turn:
    """One request's turn to record in one session: see this module's docstring for its steps."""

    def __init__(self, recorder: Recorder, session_id: str, reports: Sequence[Event], request: Request) -> None:
        need_role(request, reports)
        self._recorder = recorder
        self._store, self._cache = recorder.store, recorder.cache
        self._session = session_id
        self._reports = reports
        self._request = request
        self._key = hashlib.sha256(request.key.encode()).digest() if request.key else None
        kinds = set(map(type, reports))
        self._erases, self._corrects = PlayerErased in kinds, not kinds.isdisjoint(CORRECTIONS)
        self._is_long = len(reports) > SHORT or self._erases or self._corrects
        self._tries_left = MOST_TURNS
        self._optimistic: Head | None = None
        self._folded: Folded | None = None
        self._search: Search | None = None

    def dry_run(self) -> Answer:
        """Answer what recording would do, and record nothing."""
        return self._answer(self._fold(self._cache.look(self._session)))

    def take(self) -> Answer:
        """Record, in another try if the turn was given back, or rolled back by a store that was lost meanwhile."""
        try:
            while self._tries_left:
                self._tries_left -= 1
                self._prepare()
                try:
                    folded = self._write()
                except (_TurnGivenBack, FarBehind, NothingKept):
                    continue
                return self._committed(folded)
        except _AlreadyProcessed as earlier:
            return self._repeat(earlier.reply)
        raise StoreBusy

    # --- before the lock --------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Do without the lock what may take long: fold the session, and long reports onto it; look for erased words.

        A short report whose session is cached does not ask the store where the log ends: the lock will tell.
        """
        is_short_and_first = not self._is_long and self._tries_left == MOST_TURNS - 1
        cached = self._cache.entry(self._session).committed if is_short_and_first else None
        known = cached or self._cache.look(self._session)
        self._optimistic = known.head if is_short_and_first else None
        if self._key:
            need_new_key(self._store.reply(self._session, self._key))
        if self._is_long:
            self._folded = self._fold(known)
            searches = self._erases and self._tries_left  # the last try does it under the lock
            self._search = self._searched(self._folded, CommittedLog(self._store, self._session)) if searches else None

    def _searched(self, folded: Folded, log: Readable) -> Search:
        """Search the log, from its opening on, for what erasing players writes over. Raises NotThere."""
        opening, state = log.session(), folded.after.session.state
        if opening is None:
            raise NotThere
        erasures = [Erasure(event.player, state) for event in self._reports if isinstance(event, PlayerErased)]
        return Search.of_log(erasures, folded.before.head.seq, opening.words, log.events(0))

    # --- under the lock ---------------------------------------------------------------------------------------------

    def _write(self) -> Folded:
        """Lock the log, check, fold, append, and commit."""
        folded = None
        try:
            with ExitStack() as stack:
                log = self._lock(stack)
                if self._key:
                    need_new_key(log.reply(self._key))
                folded = self._fold_under_lock(log)
                self._append(log, folded)
        except BaseException:
            if folded is not None:
                self._cache.roll_back(folded.after)
            raise
        return folded

    def _lock(self, stack: ExitStack) -> Log:
        """Lock the session's log for writing, until the stack ends.

        Raises NotThere, LinkChanged, NothingKept, StoreBusy, StoreFull.
        """
        alone, link = self._erases, self._request.link
        writing = self._store.writing(self._session, alone=alone, expected=self._optimistic, by=link)
        try:
            return stack.enter_context(writing)
        except KeyError:
            raise NotThere from None

    def _fold_under_lock(self, log: Log) -> Folded:
        """Fold onto the session as the locked log has it. Raises _TurnGivenBack, FarBehind, DatabaseExchanged."""
        if self._cache.entry(self._session).contradicts(log.head):
            if log.head == self._optimistic:  # another thread has written since, and the store may not have looked
                raise _TurnGivenBack
            self._cache.lose(self._session)
        is_last = not self._tries_left
        now = self._cache.catch_up(self._session, log.head, log, most=inf if is_last else FAR)
        if not self._is_long:
            return self._fold(now)
        try:
            with limited(LONGEST_LAST_TURN if is_last else LONGEST_TURN):
                return self._fold(now)
        except TakesTooLong:
            raise _TurnGivenBack from None

    def _fold(self, before: CachedSession) -> Folded:
        """Check If-Match, and fold; what was folded onto this very version before is taken as it is.

        Raises Stale, Refused, RoleTooSmall, TakesTooLong.
        """
        if self._request.expected and not self._request.expected(before.head.seq):
            raise Stale(before.head.seq)
        if self._folded and self._folded.before.head == before.head:
            return self._folded
        folded = self._recorder.fold(before, self._reports, self._request.by)
        parts = (each.row.parts for each in folded.recorded)
        need_role(self._request, concerned(chain.from_iterable(parts), folded.after.session.state.rows))
        return folded

    def _append(self, log: Log, folded: Folded) -> None:
        """Append the rows, with an idempotency record; what is erased is written over in the same transaction."""
        record = None
        if self._key:
            first, last = folded.stored[0], folded.stored[-1]
            record = StoredReply(self._key, self._request.fingerprint, first.seq, last.seq, last.recorded_at)
        log.append(folded.stored, folded.entries, folded.changed_balances, record)
        if not self._erases:
            self._cache.keep_pending(folded.after)
            return
        if self._search and not self._search.holds(folded.stored[0].seq, folded.after.session.state):
            raise _TurnGivenBack
        search = self._search or self._searched(folded, log)
        log.forget(search.words_with(log.events(search.upto)), labels_to_forget(search.erasures, log.links()))

    # --- after the commit -------------------------------------------------------------------------------------------

    def _committed(self, folded: Folded) -> Answer:
        """Count and cache what is committed, and answer. After an erasure the words in memory are the old ones."""
        count(folded)
        if not self._erases:
            self._cache.keep(folded.after)
            return self._answer(folded)
        self._cache.drop(self._session)
        first, last = folded.stored[0].seq, folded.stored[-1].seq
        with limited(inf):  # it is committed: a read that fails once must not look as if it were not
            with suppress(Exception):
                return self._answer_from_log(first, last)
            return self._answer_from_log(first, last)

    def _answer(self, folded: Folded) -> Answer:
        """Answer what the reports did, or would do."""
        before = folded.before.session.state if self._request.dry_run or self._corrects else None
        rows = zip(((each.row, each.round) for each in folded.recorded), folded.stored, strict=True)
        return answer(folded.after.session, rows, folded.entries, {self._request.by: self._request.label}, before)

    def _repeat(self, reply: StoredReply) -> Answer:
        """Give the answer that the request with this Idempotency-Key was given. Raises KeyReused."""
        if reply.request != self._request.fingerprint:
            raise KeyReused
        return replace(self._answer_from_log(reply.first_seq, reply.last_seq), replayed=True)

    def _answer_from_log(self, first: int, last: int) -> Answer:
        """Answer what some rows of the log did. Raises NotThere."""
        session = self._cache.look(self._session).session
        after = replace(session, state=session.state.at(last))
        before, rows, rounds = after.state.at(first - 1), after.state.rows[first - 1 :], after.state.rounds_of_events()
        stored = list(self._store.events(self._session, after=first - 1, limit=len(rows)))
        if len(stored) != len(rows):
            raise NotThere  # deleted meanwhile
        entries = entries_between(self._store, self._session, before, after.state)
        told = zip(((row, rounds.get(row.seq)) for row in rows), stored, strict=True)
        corrects = any(row.parts for row in rows)
        found = answer(after, told, entries, labels_of(self._store, self._session), before if corrects else None)
        erases = any(isinstance(row.event, PlayerErased) for row in rows)
        return replace(found, erasure_is_pending=erases and self._store.forgetting_is_pending())


def answer(
    after: Session,
    rows: Iterable[tuple[tuple[Row, int | None], StoredEvent]],
    entries: Sequence[Entry],
    labels: Labels,
    before: SessionState | None,
) -> Answer:
    """Answer what some rows, each of a round or of none, did.

    With the state before them also what they changed, and what became of them since.
    """
    told = ((row.event, stored, labels.get(stored.recorded_by), number) for (row, number), stored in rows)
    events = list(starmap(logged_event, told))
    if before is None:
        return Answer(events, entries, after)
    events = list(as_they_stand(events, after.state))
    return Answer(events, entries, after, changes_answer(before, after.state, entries))


def need_role(request: Request, events: Iterable[Event]) -> None:
    """Make sure that events are none that only the owner reports. Raises RoleTooSmall."""
    if request.role != "owner" and not FOR_THE_OWNER.isdisjoint(map(type, events)):
        raise RoleTooSmall


SAYS_A_DAY = (RoundEntered, SessionDescribed, *get_args(Correction))
"""Events that say, or put in place, on which day something was played."""


def days_in(event: Event, place: str) -> Iterator[tuple[str, str]]:
    """Find the days that an event says something was played on, given where it stands."""
    match event:
        case RoundEntered(played_on=str(day)) | SessionDescribed(played_on=str(day)):
            yield f"{place}/played_on", day
        case EventAmended() | EventInserted():
            yield from days_in(event.event, f"{place}/event")
        case CorrectionsMade():
            for number, part in enumerate(event.corrections):
                yield from days_in(part, f"{place}/corrections/{number}")


def need_no_future(days: Iterable[tuple[str, str]], now: datetime) -> None:
    """Refuse days that have not begun anywhere. Raises Malformed."""
    last = f"{now.astimezone(UTC) + timedelta(days=1):%Y-%m-%d}"
    needed = say("a day is needed that has begun somewhere: {last} or before", last=last)
    if ahead := [place for place, day in days if day > last]:
        raise Malformed(*(Fault(place, needed) for place in ahead))


def need_new_key(earlier: StoredReply | None) -> None:
    """Make sure that no request with this Idempotency-Key was recorded before. Raises _AlreadyProcessed."""
    if earlier:
        raise _AlreadyProcessed(earlier)


def count(folded: Folded) -> None:
    """Count events that are committed."""
    for stored in folded.stored:
        EVENTS.add(folded.after.session.opening.game, stored.type)


def entries_between(store: Store, session_id: str, before: SessionState, after: SessionState) -> list[Entry]:
    """Read the entries that were added from one state of a session to a later one."""
    first, last = before.books.last_entry, after.books.last_entry
    return list(store.entries(session_id, after=first, limit=last - first)) if first < last else []


def chained(row: Row, before: bytes, recorded_at: str, recorded_by: str) -> StoredEvent:
    """Write a row for the log, with the hash that chains it to the row before."""
    kind, body, texts = write_event(row.event)
    hashed = (row.seq, kind, row.version, body, recorded_at, recorded_by)
    return StoredEvent(*hashed, hash=row_hash(before, *hashed), words=texts)
