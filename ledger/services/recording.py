"""Recording: lock the session's log, fold the reports onto its state, append the result; all of it or nothing.

What takes long (a correction, an erasure, many events) is folded before the lock, and used if the head is still the
same; at the third try it is folded under the lock, so that a correction succeeds however busy the session is.

An answer follows from the log alone, from which a repeated Idempotency-Key is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import repeat
from math import inf
from typing import NamedTuple, get_args

from ledger.accounting.books import Entry
from ledger.codec.export_file import MAX_EVENTS_IN_A_FILE
from ledger.codec.hash_chain import row_hash
from ledger.codec.log import write_record
from ledger.cooperation import yielding
from ledger.records import Record, replace
from ledger.responses.events import Labels, Recorded, changes_answer, labels_of, logged_event, stands
from ledger.responses.rounds import round_answer
from ledger.responses.sessions import session_answer
from ledger.rulebook.event import Event
from ledger.rulebook.values import PlayerId
from ledger.services.access import RoleTooSmall
from ledger.services.erasure import overwritten
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.services.session_cache import CachedSession, ConcurrentAppend, SessionCache
from ledger.session.corrections import Correction
from ledger.session.events import SAYS_A_DAY, OddsSwitched, PlayerErased, days_in, need_no_future
from ledger.session.history import Session, SessionState, concerned
from ledger.session.history.effective import Part
from ledger.session.refusals import SessionIsFull, TooManyPeople
from ledger.storage.errors import AlreadyProcessed, NotFound, StoreBusy
from ledger.storage.store import Store, timestamp
from ledger.storage.stored import Head, StoredEvent

FOR_THE_OWNER = frozenset({PlayerErased, OddsSwitched})
"""Events that only the owner reports."""

TAKES_LONG = frozenset({PlayerErased, *get_args(Correction)})
"""Events that are folded before the lock: a correction reaches back, and an erasure searches the log."""

MAX_UNDER_LOCK = 50
"""How many events are folded under the lock, of others or of a report: some milliseconds."""

MAX_PEOPLE = 100
"""How many people may join a session in all."""

MAX_EVENTS_IN_A_SESSION = MAX_EVENTS_IN_A_FILE - MAX_PEOPLE
"""How many events a session may have: as many as a file may hold, less one erasure for each person."""


class PreconditionFailed(Exception):
    """The session has moved on since you looked."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


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


class Recording(NamedTuple):
    """Events folded onto a session: its state before, the session and its head after, the rows, the entries.

    A row comes with its event and the number of its round. If it `compares`, the response has what has changed.
    """

    before: SessionState
    session: Session
    head: Head
    rows: Sequence[tuple[Event, StoredEvent, int | None]]
    entries: Sequence[Entry]
    labels: Labels
    compares: bool
    erased: Sequence[PlayerId] = ()
    replayed: bool = False

    def response(self, *, briefly: bool = False) -> Recorded:
        """Give the response; a brief one has of the session and of the rounds only the numbers."""
        after, state = self.session, self.session.state
        now = stands(state) if self.compares else None
        events = [
            logged_event(event, row, self.labels.get(row.recorded_by), **(now(row.seq) if now else {"round": number}))
            for event, row, number in self.rows
        ]
        changes = changes_answer(self.before, state, self.entries) if self.compares else None
        done = Recorded(events=tuple(events), entries=tuple(self.entries), changes=changes)
        ended = state.ended_since(self.before.seq + 1)
        if briefly:
            return replace(done, seq=state.seq, rounds_ended=tuple([each.number for each in ended]))
        rounds = tuple([round_answer(each, after.names) for each in ended])
        return replace(done, session=session_answer(after), ended=rounds)


class Recorder:
    """Records in the sessions of one store, for one process."""

    def __init__(self, store: Store, cache: SessionCache, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock

    def record(self, session_id: str, reports: Sequence[Event], request: Request) -> Recording:
        """Record events, all or none; in a dry run only fold them.

        Raises Refused (with the `index` of the event), PreconditionFailed, KeyReused, NotFound, RoleTooSmall,
        StoreBusy, StoreFull.
        """
        need_role(request, reports)
        if request.dry_run:
            return self.fold(self._cache.get(session_id), reports, request)
        try:
            done = self._append(session_id, reports, request)
        except AlreadyProcessed:
            record = request.key.find(self._store) if request.key else None
            if record is None:  # it was found in a group whose commit failed
                raise StoreBusy from None
            return self._read(session_id, record.first_seq or record.last_seq, record.last_seq)._replace(replayed=True)
        if not done.erased:
            return done
        self._cache.evict(session_id)  # it has the words from before the erasure
        self._store.engine.clean_up()
        return self._read(session_id, done.before.seq + 1, done.head.seq)

    def _append(self, session_id: str, reports: Sequence[Event], request: Request) -> Recording:
        """Fold and append, with at most two tries to fold before the lock what takes long. Raises AlreadyProcessed."""
        takes_long = len(reports) > MAX_UNDER_LOCK or not TAKES_LONG.isdisjoint(map(type, reports))
        key, done, tries_left = request.key, None, 3
        while True:
            tries_left -= 1
            if takes_long:
                if key:
                    key.check_not_processed(self._store)
                done = self.fold(self._cache.get(session_id), reports, request)
            elif tries_left < 2:
                self._cache.get(session_id)
            with suppress(ConcurrentAppend), self._store.transaction(session_id) as log:
                if key:
                    key.check_not_processed(log)
                before = self._cache.get_at(session_id, log.end, log, MAX_UNDER_LOCK if tries_left else inf)
                if done and done.before is not before.session.state:
                    if tries_left:
                        raise ConcurrentAppend
                    done = None
                done = done or self.fold(before, reports, request)
                stored = [row for _event, row, _round in done.rows]
                last, first_seq = stored[-1], stored[0].seq
                record = key.record(session_id, last.seq, last.recorded_at, first_seq=first_seq) if key else None
                log.append(stored, done.entries, record)
                if done.erased:
                    words, links = log.words(session_id), log.links(session_id)
                    log.overwrite(*overwritten(done.erased, done.session.state, words, links))
                else:
                    self._cache.put(CachedSession(done.session, done.head))
                return done

    def fold(self, before: CachedSession, reports: Sequence[Event], request: Request) -> Recording:
        """Check what a request may report, fold it onto a session, and make the rows for the log.

        Raises PreconditionFailed, Refused, RoleTooSmall, Malformed for a future day.
        """
        session, head = before
        state, books = session.state, session.state.table.rule_books
        if request.expected and not request.expected(head.seq):
            raise PreconditionFailed(head.seq)
        if dated := [(n, report) for n, report in enumerate(reports) if isinstance(report, SAYS_A_DAY)]:
            need_no_future([day for n, report in dated for day in days_in(report, f"/events/{n}")], self._clock())
        rows, entries, parts = list[tuple[Event, StoredEvent, int | None]](), list[Entry](), list[Part]()
        now = timestamp(self._clock())
        for recorded in state.record_all(yielding(zip(reports, repeat(max(books))))):
            state, row = recorded.state, recorded.row
            if row.seq > MAX_EVENTS_IN_A_SESSION + MAX_PEOPLE * isinstance(row.event, PlayerErased):
                raise SessionIsFull(at_most=MAX_EVENTS_IN_A_SESSION)
            kind, body, words = write_record(row.event)
            hashed = (row.seq, kind, row.version, body, now, request.by)
            head = Head(row.seq, row_hash(head.hash, *hashed))
            rows.append((row.event, StoredEvent(*hashed, hash=head.hash, words=words), recorded.round))
            entries += recorded.entries
            parts += row.parts
        people = len(state.table.players)
        if people > MAX_PEOPLE and people > len(session.state.table.players):
            raise TooManyPeople(at_most=MAX_PEOPLE)
        if parts:
            need_role(request, concerned(parts, state.rows))
        erased = [report.player for report in reports if isinstance(report, PlayerErased)]
        after, labels = replace(session, state=state), {request.by: request.label}
        return Recording(session.state, after, head, rows, entries, labels, bool(parts) or request.dry_run, erased)

    def _read(self, session_id: str, first: int, last: int) -> Recording:
        """Read from the log what was recorded from one seq to another. Raises NotFound."""
        session = self._cache.get(session_id).session
        after = session.state.at(last)
        before, rounds = after.at(first - 1), after.rounds_of_events()
        stored = list(self._store.events(session_id, after=first - 1, limit=last - first + 1))
        if len(stored) <= last - first:
            raise NotFound  # the session was deleted meanwhile
        logged = after.rows[first - 1 :]
        rows = [(each.event, row, rounds.get(row.seq)) for each, row in zip(logged, stored, strict=True)]
        entries, labels = entries_between(self._store, session_id, before, after), labels_of(self._store, session_id)
        is_correction, head = any(each.parts for each in logged), Head(last, stored[-1].hash)
        return Recording(before, replace(session, state=after), head, rows, entries, labels, is_correction)


def need_role(request: Request, events: Iterable[Event]) -> None:
    if request.role != "owner" and not FOR_THE_OWNER.isdisjoint(map(type, events)):
        raise RoleTooSmall


def entries_between(store: Store, session_id: str, before: SessionState, after: SessionState) -> list[Entry]:
    """Read the entries between one state of a session and a later one."""
    first, last = before.books.last_entry, after.books.last_entry
    return list(store.entries(session_id, after=first, limit=last - first)) if first < last else []
