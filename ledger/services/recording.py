"""Recording: lock the session's log, fold the reports onto its state, append the result; all of it or nothing.

What takes long (a correction, an erasure, many events) is folded before the lock, and the result is used if the head is
still the same. If not, it is folded before the lock once more, and at the third try under the lock, so that a
correction succeeds however busy the session is.

An answer follows from the log alone, from which a repeated Idempotency-Key is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain, repeat
from math import inf
from typing import NamedTuple, get_args

from ledger import history
from ledger.access import RoleTooSmall
from ledger.books import Entry
from ledger.codec import write_event
from ledger.codec.files import MAX_EVENTS_IN_A_FILE
from ledger.cooperation import yielding
from ledger.erasure import overwritten
from ledger.hash_chain import row_hash
from ledger.history import Row, Session, SessionState, concerned
from ledger.idempotency import IdempotencyKey, need_new
from ledger.play.events import Event
from ledger.play.values import PlayerId
from ledger.records import Record, replace
from ledger.responses.corrections import Changes, changes_answer
from ledger.responses.events import Labels, LoggedEvent, Recorded, labels_of, logged_event, stands
from ledger.responses.rounds import round_answer
from ledger.responses.sessions import session_answer
from ledger.session.corrections import Correction
from ledger.session.days import SAYS_A_DAY, days_in, need_no_future
from ledger.session.events import OddsSwitched, PlayerErased
from ledger.session.refusals import SessionIsFull, TooManyPeople
from ledger.session.table import Round
from ledger.session_cache import FAR, CachedSession, FarBehind, SessionCache
from ledger.storage.errors import AlreadyProcessed, NotFound, StoreBusy
from ledger.storage.records import Head, StoredEvent, timestamp
from ledger.storage.store import Log, Store

FOR_THE_OWNER = frozenset({PlayerErased, OddsSwitched})
"""Events that only the owner reports."""

TAKES_LONG = frozenset({PlayerErased, *get_args(Correction)})
"""Events that are folded before the lock: a correction reaches back, and an erasure searches the log."""

MAX_UNDER_LOCK = 20
"""How many other events are folded under the lock: a millisecond."""

MAX_PEOPLE = 100
"""How many people may join a session in all."""

MAX_EVENTS_IN_A_SESSION = MAX_EVENTS_IN_A_FILE - MAX_PEOPLE
"""How many events a session may have: as many as a file may hold, less one erasure for each person."""


class Stale(Exception):
    """The session has moved on since you looked."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class HeadMoved(Exception):
    """The log's head has changed since the reports were folded before the lock."""


class Request(Record):
    """The terms of a report: `by`, `label` and `role` are the id, the label and the role of the link in use.

    `expected` says whether a last seq is one of If-Match.
    """

    by: str
    label: str | None = None
    role: str = "scorer"
    expected: Callable[[int], bool] | None = None
    key: IdempotencyKey | None = None
    dry_run: bool = False


class Answer(Record, kw_only=True):
    """What recording did, or would do: the events, the entries they caused, and the session after them.

    `changes` is what a correction or a dry run changes of what was there before.
    """

    events: tuple[LoggedEvent, ...]
    entries: tuple[Entry, ...]
    changes: Changes | None
    session: Session
    replayed: bool = False

    @property
    def ended(self) -> Sequence[Round]:
        """The rounds that these events ended."""
        return self.session.state.ended_since(self.events[0].seq)

    def response(self, *, briefly: bool) -> Recorded:
        """Give the response; a brief one has of the session and of the rounds only the numbers."""
        done, after = Recorded(events=self.events, entries=self.entries, changes=self.changes), self.session
        if briefly:
            return replace(done, seq=after.state.seq, rounds_ended=tuple(each.number for each in self.ended))
        rounds = tuple(round_answer(each, after.names) for each in self.ended)
        return replace(done, session=session_answer(after), ended=rounds)


class Folded(NamedTuple):
    """Reports folded onto a session: the versions before and after, the result of each, the rows for the log."""

    before: CachedSession
    after: CachedSession
    recorded: Sequence[history.Recorded]
    stored: Sequence[StoredEvent]
    entries: Sequence[Entry]


class Recorder:
    """Records in the sessions of one store, for one process."""

    def __init__(self, store: Store, cache: SessionCache, clock: Callable[[], datetime]) -> None:
        self.store = store
        self.cache = cache
        self._clock = clock

    def record(self, session_id: str, reports: Sequence[Event], request: Request) -> Answer:
        """Record events, all or none, or answer what that would do.

        Raises Refused (with the `index` of the event), Stale, KeyReused, NotFound, RoleTooSmall, StoreBusy, StoreFull.
        """
        need_role(request, reports)
        if request.dry_run:
            return answer_of(self._fold(self.cache.look(session_id), reports, request), request)
        try:
            folded = self._recorded(session_id, reports, request)
        except AlreadyProcessed:
            return self._repeated(session_id, request)
        if not erased_players(reports):
            return answer_of(folded, request)
        self.cache.drop(session_id)  # it has the words from before the erasure
        self.store.engine.clean_up()
        return self._answer_from_log(session_id, folded.stored[0].seq, folded.stored[-1].seq)

    def _recorded(self, session_id: str, reports: Sequence[Event], request: Request) -> Folded:
        """Record events, with at most two tries to fold them before the lock. Raises AlreadyProcessed."""
        takes_long = len(reports) > MAX_UNDER_LOCK or not TAKES_LONG.isdisjoint(map(type, reports))
        for tries_left in (2, 1, 0):
            ahead = None
            if takes_long:
                need_new(request.key, self.store)
                ahead = self._fold(self.cache.look(session_id), reports, request)
            elif tries_left < 2 or not self.cache.versions(session_id):
                self.cache.look(session_id)
            with suppress(HeadMoved, FarBehind), self.store.transaction(session_id) as log:
                need_new(request.key, log)
                before = self.cache.at(session_id, log.end, log, max_rows=FAR if tries_left else inf)
                if ahead and ahead.before.head != before.head:
                    if tries_left:
                        raise HeadMoved
                    ahead = None
                folded = ahead or self._fold(before, reports, request)
                self._append(log, folded, request)
                return folded
        raise StoreBusy

    def _fold(self, before: CachedSession, reports: Sequence[Event], request: Request) -> Folded:
        """Check If-Match, fold, and check the role for corrected events. Raises Stale, Refused, RoleTooSmall."""
        if request.expected and not request.expected(before.head.seq):
            raise Stale(before.head.seq)
        folded = self.fold(before, reports, request.by)
        parts = (each.row.parts for each in folded.recorded)
        need_role(request, concerned(chain.from_iterable(parts), folded.after.session.state.rows))
        return folded

    def fold(self, before: CachedSession, reports: Sequence[Event], by: str) -> Folded:
        """Fold reports onto a session, and write the rows for the log. Raises Refused, Malformed for a future day."""
        state, head = before.session.state, before.head
        if dated := [(n, report) for n, report in enumerate(reports) if isinstance(report, SAYS_A_DAY)]:
            need_no_future([day for n, report in dated for day in days_in(report, f"/events/{n}")], self._clock())
        done, stored = list[history.Recorded](), list[StoredEvent]()
        now, table = timestamp(self._clock()), state.table
        for recorded in state.record_all(yielding(zip(reports, repeat(max(table.rule_books))))):
            state, row = recorded.state, recorded.row
            if row.seq > MAX_EVENTS_IN_A_SESSION + MAX_PEOPLE * isinstance(row.event, PlayerErased):
                raise SessionIsFull(at_most=MAX_EVENTS_IN_A_SESSION)
            done.append(recorded)
            stored.append(chained(row, head.hash, now, by))
            head = Head(row.seq, stored[-1].hash)
        people = len(state.table.players)
        if people > MAX_PEOPLE and people > len(table.players):
            raise TooManyPeople(at_most=MAX_PEOPLE)
        entries = list(chain.from_iterable(recorded.entries for recorded in done))
        return Folded(before, before.moved_on(state, head), done, stored, entries)

    def _append(self, log: Log, folded: Folded, request: Request) -> None:
        """Append the rows with an idempotency record, and overwrite the words of erased players."""
        first, last = folded.stored[0], folded.stored[-1]
        record = None
        if request.key:
            record = request.key.record(log.session_id, last.seq, last.recorded_at, first_seq=first.seq)
        log.append(folded.stored, folded.entries, record)
        if players := erased_players(each.row.event for each in folded.recorded):
            state = folded.after.session.state
            log.overwrite(*overwritten(players, state, log.words(log.session_id), log.links(log.session_id)))
        else:
            self.cache.put(folded.after)

    def _repeated(self, session_id: str, request: Request) -> Answer:
        """Answer a repeated request as it was answered before. Raises KeyReused."""
        record = request.key.find(self.store) if request.key else None
        if record is None:  # it was found in a group whose commit failed
            raise StoreBusy
        answer = self._answer_from_log(session_id, record.first_seq or record.last_seq, record.last_seq)
        return replace(answer, replayed=True)

    def _answer_from_log(self, session_id: str, first: int, last: int) -> Answer:
        """Answer what the rows of the log from one seq to another did. Raises NotFound."""
        session = self.cache.look(session_id).session
        after = replace(session, state=session.state.at(last))
        before, rows, rounds = after.state.at(first - 1), after.state.rows[first - 1 :], after.state.rounds_of_events()
        stored = list(self.store.events(session_id, after=first - 1, limit=len(rows)))
        if len(stored) != len(rows):
            raise NotFound  # the session was deleted meanwhile
        entries = entries_between(self.store, session_id, before, after.state)
        events = [(row.event, each, rounds.get(row.seq)) for row, each in zip(rows, stored, strict=True)]
        corrects = any(row.parts for row in rows)
        return answer(after, events, entries, labels_of(self.store, session_id), before if corrects else None)


def answer_of(folded: Folded, request: Request) -> Answer:
    """Answer what the reports did, or would do."""
    corrects = any(each.row.parts for each in folded.recorded)
    before = folded.before.session.state if request.dry_run or corrects else None
    events = [(done.row.event, row, done.round) for done, row in zip(folded.recorded, folded.stored, strict=True)]
    return answer(folded.after.session, events, folded.entries, {request.by: request.label}, before)


def answer(
    after: Session,
    events: Iterable[tuple[Event, StoredEvent, int | None]],
    entries: Sequence[Entry],
    labels: Labels,
    before: SessionState | None,
) -> Answer:
    """Answer what events, each with its row and the number of its round, did; with `before` also what they changed."""
    now = stands(after.state) if before else None
    logged = tuple(
        logged_event(event, row, labels.get(row.recorded_by), **(now(row.seq) if now else {"round": number}))
        for event, row, number in events
    )
    changes = changes_answer(before, after.state, entries) if before else None
    return Answer(events=logged, entries=tuple(entries), session=after, changes=changes)


def need_role(request: Request, events: Iterable[Event]) -> None:
    """Make sure that the role is enough for events. Raises RoleTooSmall."""
    if request.role != "owner" and not FOR_THE_OWNER.isdisjoint(map(type, events)):
        raise RoleTooSmall


def erased_players(events: Iterable[Event]) -> list[PlayerId]:
    return [event.player for event in events if isinstance(event, PlayerErased)]


def entries_between(store: Store, session_id: str, before: SessionState, after: SessionState) -> list[Entry]:
    """Read the entries between one state of a session and a later one."""
    first, last = before.books.last_entry, after.books.last_entry
    return list(store.entries(session_id, after=first, limit=last - first)) if first < last else []


def chained(row: Row, before: bytes, recorded_at: str, recorded_by: str) -> StoredEvent:
    """Write a row of the log, with the hash that chains it to the row before."""
    kind, body, texts = write_event(row.event)
    hashed = (row.seq, kind, row.version, body, recorded_at, recorded_by)
    return StoredEvent(*hashed, hash=row_hash(before, *hashed), words=texts)
