"""The front desk: what a process remembers, and what happens when two of them write."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest

from ledger import budget
from ledger.app import create_app
from ledger.budget import TakesTooLong
from ledger.calculation import recalculate
from ledger.desk import MEMORY_BYTES, Desk
from ledger.games import GAMES
from ledger.history import Recorded, SessionState, replay
from ledger.history.replay import Replay
from ledger.play import Event, Refused
from ledger.recording import LONGEST_LAST_TURN, LONGEST_TURN, MOST_TURNS, Request, Stale
from ledger.records import replace
from ledger.retention import day_of
from ledger.session import ChipsMoved, EventAmended, EventTakenBack, PlayerErased
from ledger.session_cache import BYTES_A_SESSION, FAR, CachedSession, CommittedLog
from ledger.store import (
    Contents,
    DatabaseExchanged,
    Head,
    NotThere,
    Store,
    StoreBusy,
    StoredEvent,
    StoredSession,
    StoreFull,
    open_store,
)
from schemas.sessions import OpeningSchema
from tests.databases import by_hand, copied, kept_at
from tests.scorekeeper import Scorekeeper, event
from tests.session.tables import (
    LATER_BOOK,
    OPEN,
    amend,
    bets,
    chips,
    insert,
    opening,
    renamed,
    shippin_round,
    take_back,
)
from tests.store.memory import MemoryStore


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


Open = Callable[..., Desk]


@pytest.fixture
def desk_at(database: Path) -> Iterator[Open]:
    """Open desks at one database, as so many processes would."""
    stores: list[Store] = []

    def opened() -> Desk:
        stores.append(open_store(kept_at(database)))
        stores[-1].prepare()
        return Desk(stores[-1])

    yield opened
    for store in stores:
        store.close()


def record(desk: Desk, session: str, *events: Event, seen: int | None = None) -> int:
    """Record events, if the session stands where it was seen; gives the seq of the last."""
    expected = None if seen is None else (lambda seq: seq == seen)
    return desk.recorder.record(session, events, Request(by="test", expected=expected)).session.state.seq


def balance(desk: Desk, session: str, player: str = "p1") -> int:
    return desk.session(session).state.balances.get(player, 0)


@contextmanager
def watched(database: Path, memory_bytes: int = MEMORY_BYTES) -> Iterator[tuple[Desk, list[int]]]:
    """Open a desk, and a list of the seqs after which it reads logs."""
    read_after: list[int] = []
    with closing(open_store(kept_at(database))) as store, pytest.MonkeyPatch.context() as patch:
        events = store.events

        def read(session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
            read_after.append(after)
            return events(session_id, after=after, limit=limit)

        patch.setattr(store, "events", read)
        yield Desk(store, memory_bytes=memory_bytes), read_after


# --- remembering ----------------------------------------------------------------------------------------------------


def test_one_desk_sees_what_another_has_recorded(desk_at: Open) -> None:
    one, other = desk_at(), desk_at()
    session = one.open(opening())[0].id
    record(one, session, chips("bank", "p1", 5))
    assert balance(other, session) == 5
    record(other, session, chips("bank", "p1", 7))
    assert balance(one, session) == 12
    record(one, session, take_back(1))
    assert balance(other, session) == 7


def test_one_desk_goes_on_where_another_stopped(desk_at: Open) -> None:
    one, other = desk_at(), desk_at()
    session = one.open(opening())[0].id
    for number, report in enumerate(shippin_round(), 1):
        assert record((one, other)[number % 2], session, report) == number
    assert one.verify(session).findings == ()


def test_a_remembered_session_is_not_read_again_but_only_what_is_new(desk_at: Open, database: Path) -> None:
    writer = desk_at()
    session = writer.open(opening())[0].id
    record(writer, session, chips("bank", "p1", 5))
    with watched(database) as (desk, read_after):
        assert balance(desk, session) == 5
        assert balance(desk, session) == 5
        assert read_after == [0]
        record(writer, session, chips("bank", "p1", 2), chips("bank", "p1", 1))
        assert balance(desk, session) == 8
        assert read_after == [0, 1]


def test_a_session_that_was_dropped_from_memory_is_read_again(desk_at: Open, database: Path) -> None:
    writer = desk_at()
    sessions = [writer.open(opening())[0].id for _ in range(2)]
    for session in sessions:
        record(writer, session, *(chips("bank", "p1", 1) for _ in range(6)))
    with watched(database, memory_bytes=BYTES_A_SESSION) as (desk, read_after):
        assert [balance(desk, session) for session in (*sessions, sessions[0])] == [6, 6, 6]
        assert read_after == [0, 0, 0]
        assert balance(desk, sessions[0]) == 6
        assert read_after == [0, 0, 0]


def test_the_session_used_last_is_remembered_however_long_it_is(desk_at: Open, database: Path) -> None:
    writer = desk_at()
    session = writer.open(opening())[0].id
    record(writer, session, *(chips("bank", "p1", 1) for _ in range(30)))
    with watched(database, memory_bytes=BYTES_A_SESSION) as (desk, read_after):
        assert [balance(desk, session) for _ in range(3)] == [30, 30, 30]
        assert read_after == [0]


@pytest.mark.parametrize("amounts", [[], [1], [7, 2, 3]])
@pytest.mark.parametrize("finds_it", ["look", "head", "record", "correct", "tidy"])
def test_a_log_that_was_replaced_underneath_is_noticed(
    desk_at: Open, database: Path, tmp_path: Path, amounts: list[int], finds_it: str
) -> None:
    """Somebody restores an old copy, and others go on from there: what people were told is no part of that log."""
    desk = desk_at()
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    copied(database, tmp_path / "copy.db")
    record(desk, session, chips("bank", "p1", 100))
    assert balance(desk, session) == 105
    copied(tmp_path / "copy.db", database)
    fresh = desk_at()
    for amount in amounts:
        record(fresh, session, chips("bank", "p1", amount))
    find: dict[str, Callable[[], object]] = {
        "look": lambda: desk.session(session),
        "head": lambda: desk.head(session),
        "record": lambda: record(desk, session, chips("bank", "p1", 1)),
        "correct": lambda: record(desk, session, take_back(1)),
        "tidy": lambda: list(desk.tidy(None)),
    }
    if len(amounts) < 3 or finds_it not in {"head", "tidy"}:  # these see only how far it goes
        with pytest.raises(DatabaseExchanged):
            find[finds_it]()
        for use in find.values():
            with pytest.raises(DatabaseExchanged):
                use()
    assert balance(fresh, session) == 5 + sum(amounts)
    assert fresh.verify(session).findings == ()


def test_who_looked_before_something_was_kept_is_not_taken_for_one_who_finds_it_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between a look and what is made of it others record here, and what was seen is the past by then."""
    store = MemoryStore()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    look = store.head

    def looks_and_is_slow(session_id: str) -> Head | None:
        head = look(session_id)
        monkeypatch.undo()
        record(desk, session, chips("bank", "p1", 1))
        return head

    monkeypatch.setattr(store, "head", looks_and_is_slow)
    assert balance(desk, session) == 5
    assert balance(desk, session) == 6


def test_a_row_that_was_damaged_is_no_other_log(desk_at: Open, database: Path) -> None:
    desk, other = desk_at(), desk_at()
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    record(other, session, chips("bank", "p1", 5))
    by_hand(database, "UPDATE events SET recorded_by = 'nobody' WHERE seq = 2")
    assert balance(desk, session) == 10
    assert desk.verify(session).findings


def test_a_head_that_was_edited_does_not_stop_anybody_from_looking(desk_at: Open, database: Path) -> None:
    desk = desk_at()
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    by_hand(database, "UPDATE sessions SET seq = 9")
    assert balance(desk, session) == 5
    assert desk.verify(session).findings


def test_what_is_not_there_is_not_there(desk_at: Open) -> None:
    desk = desk_at()
    session = desk.open(opening())[0].id
    for look in (
        lambda: desk.session("nobodys"),
        lambda: desk.session(session, at=1),
        lambda: desk.round(session, 1),
        lambda: desk.replay(session, 1),
        lambda: desk.verify("nobodys"),
        lambda: desk.recorder.record("nobodys", [OPEN], Request(by="test")),
    ):
        with pytest.raises(NotThere):
            look()


# --- deleting -------------------------------------------------------------------------------------------------------


def lives_through(desk: Desk, days: int) -> None:
    """Have the service run on each of so many days before today, and today."""
    for ago in reversed(range(days + 1)):
        desk.store.note_day(day_of(desk.access.clock() - timedelta(days=ago)))


def ahead(days: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def test_a_clock_that_jumps_deletes_nothing_and_is_logged_once(desk_at: Open, caplog: pytest.LogCaptureFixture) -> None:
    """Started 500 days ahead with LEDGER_KEEP_DAYS=400, all would be gone."""
    desk, another = desk_at(), desk_at()
    desk.open(opening())
    lives_through(desk, 3)
    for days in (500, -500):
        for each in (desk, another):
            each.access.clock = partial(ahead, max(days, 0))
            for keep_days in (1, 30, 400):
                assert list(each.tidy(keep_days)) == []
    jumps = [record for record in caplog.records if "jumped" in record.message]
    assert [record.levelname for record in jumps] == ["WARNING"]


def test_what_nobody_has_used_for_so_many_days_is_deleted(database: Path) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    store = open_store(kept_at(database))
    store.prepare()
    desk = Desk(store, clock=lambda: now[0])
    unused, used, fresh = (desk.open(opening())[0].id for _ in range(3))
    now[0] += timedelta(days=20)
    record(desk, used, chips("bank", "p1", 5))
    desk.session(unused)  # who only looks records nothing
    now[0] += timedelta(days=20)
    record(desk, fresh, chips("bank", "p1", 5))
    lives_through(desk, 40)
    assert list(desk.tidy(None)) == []
    assert list(desk.tidy(10**9)) == []
    assert list(desk.tidy(40)) == []
    now[0] += timedelta(seconds=1)
    assert list(desk.tidy(40)) == [unused]
    assert list(desk.tidy(20)) == [used]
    assert store.session_ids() == [fresh]
    assert list(desk._cache._entries) == [fresh]
    store.close()


def test_a_session_that_was_brought_in_is_not_old_because_its_evening_is(desk_at: Open) -> None:
    desk = desk_at()
    moment = "2020-01-01T00:00:00Z"
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    stored, contents = desk.store.session(session), Contents(list(desk.store.events(session)))
    assert stored is not None
    rows = [replace(row, recorded_at=moment) for row in contents.events]
    desk.store.open_session(
        replace(stored, id="brought", created_at=moment), b"", desk.store.links(session)[0], Contents(rows)
    )
    assert list(desk.tidy(1)) == []


def test_who_records_while_idle_sessions_are_deleted_keeps_the_session(desk_at: Open) -> None:
    desk, later = desk_at(), desk_at()
    sessions = sorted(desk.open(opening())[0].id for _ in range(3))
    later.access.clock = lambda: datetime.now(UTC) + timedelta(days=50)
    lives_through(later, 50)
    found = iter(later.tidy(30))
    assert next(found) == sessions[0]
    Desk(desk.store, clock=later.access.clock).recorder.record(
        sessions[1], [chips("bank", "p1", 5)], Request(by="test")
    )
    assert list(found) == [sessions[2]]


def test_a_desk_forgets_what_another_has_deleted(desk_at: Open) -> None:
    one, other = desk_at(), desk_at()
    deleted, kept = (one.open(opening())[0].id for _ in range(2))
    for session in (deleted, kept):
        record(other, session, chips("bank", "p1", 5))
    one.delete(deleted)
    with pytest.raises(NotThere):
        other.session(deleted)
    with pytest.raises(NotThere):
        record(other, deleted, chips("bank", "p1", 5))
    assert list(other.tidy(None)) == []
    assert list(other._cache._entries) == [kept]
    with pytest.raises(NotThere):
        one.delete(deleted)


# --- a later release ------------------------------------------------------------------------------------------------


@pytest.fixture
def later_release(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Put a second version of Shippin's rule book on the shelf, wherever somebody takes books from it."""

    def comes() -> None:
        shelf = {**GAMES, "shippin": {**GAMES["shippin"], 2: LATER_BOOK}}
        holders = [module for module in list(sys.modules.values()) if getattr(module, "GAMES", None) is GAMES]
        for module in holders:
            monkeypatch.setattr(module, "GAMES", shelf)

    return comes


def test_a_round_goes_on_in_a_later_release_as_it_was_opened(desk_at: Open, later_release: Callable[[], None]) -> None:
    old = desk_at()
    session = old.open(opening(rules={"bet": 2}))[0].id
    record(old, session, *shippin_round("p2:1")[:2])
    later_release()
    new = desk_at()
    record(new, session, *shippin_round("p2:1")[2:], *shippin_round("p2:1"))
    assert [done.book.version for done in new.session(session).state.rounds()] == [1, 2]
    assert balance(new, session, "p2") == 2 + 10
    versions = [row.version for row in new.store.events(session)]
    assert versions == [1, 1, 2, 2, 2, 2, 2, 2]
    assert new.verify(session).findings == ()


def test_correcting_an_old_round_in_a_later_release_leaves_it_its_rule_book(
    desk_at: Open, later_release: Callable[[], None]
) -> None:
    old = desk_at()
    session = old.open(opening(rules={"bet": 2}))[0].id
    record(old, session, *shippin_round("p2:1"))
    later_release()
    new = desk_at()
    record(new, session, amend(2, bets("p3:1")[0]))
    assert (balance(new, session, "p2"), balance(new, session, "p3")) == (0, 2)
    assert new.round(session, 1)[1].book.version == 1
    assert recalculate(new.session(session), 1, {"bet": 3}).balances["p3"] == 3
    assert new.verify(session).findings == ()


def test_a_session_opened_in_a_later_release_has_its_rules(desk_at: Open, later_release: Callable[[], None]) -> None:
    later_release()
    desk = desk_at()
    said = OpeningSchema().load({"game": "shippin", "players": ["Aki", "Ben"], "rules": {"stakes": "low"}})
    session = desk.open(said)[0].id
    record(desk, session, *shippin_round("p2:1"))
    done = desk_at().round(session, 1)[1]
    assert (done.ground.rules.stakes, done.book.version) == ("low", 2)
    assert desk.verify(session).findings == ()


# --- two at once ----------------------------------------------------------------------------------------------------


def at_once(*deeds: Callable[[], object]) -> list[object]:
    """Do several things at the same moment, each in a thread of its own; give what each gave or raised."""
    outcomes: list[object] = [None] * len(deeds)
    start = threading.Barrier(len(deeds))

    def run(place: int) -> None:
        start.wait()
        try:
            outcomes[place] = deeds[place]()
        except Exception as error:  # noqa: BLE001 - whatever it raises is what is asked for
            outcomes[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(deeds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_of_two_who_correct_at_once_from_where_they_looked_one_wins(desk_at: Open) -> None:
    desks = [desk_at(), desk_at()]
    session = desks[0].open(opening())[0].id
    seq = record(desks[0], session, chips("bank", "p1", 5))
    for round_number in range(10):
        amounts = (10 + round_number, 50 + round_number)
        corrections = [amend(1, chips("bank", "p1", amount)) for amount in amounts]
        outcomes = at_once(
            *(partial(record, desk, session, said, seen=seq) for desk, said in zip(desks, corrections, strict=True))
        )
        (lost,) = (error for error in outcomes if isinstance(error, Exception))
        assert isinstance(lost, Stale)
        assert lost.seq == seq + 1
        assert balance(desks[0], session) == balance(desks[1], session) == amounts[outcomes.index(seq + 1)]
        seq += 1
    assert desks[0].verify(session).findings == ()


def test_of_two_workers_that_are_sent_corrections_at_once_one_answers_412(database: Path) -> None:
    workers = [Scorekeeper(create_app({"LEDGER_DATABASE": kept_at(database)}).test_client()) for _ in range(2)]
    workers[0].opens("shippin")
    workers[1].session_id, workers[1].token = workers[0].session_id, workers[0].token
    seq = workers[0].reports(event("chips_moved", from_="bank", to="p1", amount=5))["session"]["seq"]
    for _ in range(5):
        should_be = event("event_amended", seq=1, event=event("chips_moved", from_="bank", to="p1", amount=seq + 9))
        answers = at_once(*(partial(worker.tries, should_be, If_Match=f'"{seq}"') for worker in workers))
        assert sorted(answer.status_code for answer in answers) == [201, 412]  # type: ignore[attr-defined]
        seq += 1
    taken_back = at_once(*(partial(worker.tries, event("event_taken_back", seq=1)) for worker in workers))
    assert sorted(answer.status_code for answer in taken_back) == [201, 409]  # type: ignore[attr-defined]
    assert workers[1].looks("/verify")["ok"]
    assert workers[0].looks("") == workers[1].looks("")


def test_of_two_who_take_the_same_event_back_one_is_refused(desk_at: Open) -> None:
    desks = [desk_at(), desk_at()]
    session = desks[0].open(opening())[0].id
    for _ in range(10):
        seq = record(desks[0], session, chips("bank", "p1", 5))
        outcomes = at_once(*(partial(record, desk, session, take_back(seq)) for desk in desks))
        assert [outcome.code for outcome in outcomes if isinstance(outcome, Refused)] == ["already_taken_back"]
        assert balance(desks[0], session) == 0
    assert desks[1].verify(session).findings == ()


def test_of_two_corrections_that_do_not_go_together_one_is_refused(desk_at: Open) -> None:
    """p2 and p3 were both really on column 4."""
    desks = [desk_at(), desk_at()]
    session = desks[0].open(opening())[0].id
    seq = record(desks[0], session, *shippin_round("p2:1 p3:2"))
    (second,), (third,) = bets("p2:4"), bets("p3:4")
    outcomes = at_once(
        lambda: record(desks[0], session, amend(2, second)), lambda: record(desks[1], session, amend(3, third))
    )
    (refused,) = (outcome for outcome in outcomes if isinstance(outcome, Refused))
    assert refused.code in {"column_taken", "later_events_do_not_fit"}
    assert seq + 1 in outcomes
    assert desks[0].verify(session).findings == ()


def test_whatever_many_record_and_correct_at_once_leaves_a_whole_record(desk_at: Open) -> None:
    desks = [desk_at() for _ in range(4)]
    session = desks[0].open(opening())[0].id
    record(desks[0], session, chips("bank", "p1", 1))

    def busy(desk: Desk, number: int) -> int:
        done = 0
        for turn in range(12):
            events: tuple[Event, ...] = (
                chips("bank", f"p{number}", 1 + turn),
                EventAmended(1, chips("bank", "p1", 10 * number + turn)),
                EventTakenBack(),
            )
            try:
                record(desk, session, events[turn % 3])
            except Refused:
                continue
            done += 1
        return done

    outcomes = at_once(*(partial(busy, desk, number) for number, desk in enumerate(desks, 1)))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    checked = desks[0].verify(session)
    assert checked.findings == ()
    assert checked.events == 1 + sum(outcome for outcome in outcomes if isinstance(outcome, int))
    stands = {str(desk.session(session).state.table) for desk in desks}
    assert len(stands) == 1


# --- folded before the turn to write --------------------------------------------------------------------------------


class Turns(MemoryStore):
    """A store that says when it is somebody's turn to write, and lets others in just before."""

    def __init__(self) -> None:
        super().__init__()
        self.is_writing = False
        self.before_a_turn: list[Callable[[], object]] = []

    @contextmanager
    def writing(
        self, session_id: str, *, alone: bool = False, expected: Head | None = None, **by: Any
    ) -> Iterator[Any]:
        waiting, self.before_a_turn = self.before_a_turn, []
        if waiting:
            waiting[0]()
            self.before_a_turn = waiting[1:]
        with super().writing(session_id, alone=alone, expected=expected, **by) as log:
            self.is_writing = True
            try:
                yield log
            finally:
                self.is_writing = False


@pytest.fixture
def turns() -> Turns:
    return Turns()


def test_a_session_that_was_never_looked_at_is_folded_before_the_turn(turns: Turns, folded_in_turn: list[bool]) -> None:
    session = Desk(turns).open(opening())[0].id
    record(Desk(turns), session, *shippin_round())
    folded_in_turn.clear()
    record(Desk(turns), session, chips("bank", "p1", 1))
    assert folded_in_turn == [False] * 5 + [True]


@pytest.fixture
def folded_in_turn(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each event that is folded, whether others wait for their turn meanwhile."""
    noted: list[bool] = []
    record_one = SessionState.record

    def watched(state: SessionState, event: Event, version: int, ahead: Replay | None = None) -> Recorded:
        noted.append(turns.is_writing)
        return record_one(state, event, version, ahead)

    monkeypatch.setattr(SessionState, "record", watched)
    return noted


def test_nobody_waits_while_what_may_take_long_is_folded(turns: Turns, folded_in_turn: list[bool]) -> None:
    desk = Desk(turns)
    session = desk.open(opening())[0].id
    for reports, in_turn in (
        ([chips("bank", "p1", 1)], [True]),
        ([chips("bank", "p1", 1)] * 30, [False] * 30),
        ([amend(1, chips("bank", "p1", 2))], [False]),
        ([chips("bank", "p1", 1), take_back()], [False, False]),
    ):
        folded_in_turn.clear()
        record(desk, session, *reports)
        assert folded_in_turn == in_turn
    assert desk.verify(session).findings == ()


def test_nobody_waits_while_somebody_catches_up_with_many_events(turns: Turns, folded_in_turn: list[bool]) -> None:
    desk, other = Desk(turns), Desk(turns)
    session = desk.open(opening())[0].id
    record(other, session, *[chips("bank", "p1", 1)] * (FAR + 1))
    folded_in_turn.clear()
    record(desk, session, chips("bank", "p1", 1))
    assert folded_in_turn == [False] * (FAR + 1) + [True]


def test_a_session_that_is_evicted_before_each_turn_is_folded_under_the_lock_at_last(
    turns: Turns, folded_in_turn: list[bool]
) -> None:
    desk = Desk(turns)
    session = desk.open(opening())[0].id
    record(desk, session, *[chips("bank", "p1", 1)] * (FAR + 1))
    folded_in_turn.clear()
    turns.before_a_turn = [lambda: desk._cache.drop(session)] * MOST_TURNS
    assert record(desk, session, chips("bank", "p1", 1)) == FAR + 2
    assert folded_in_turn == [False] * (FAR + 1) * (MOST_TURNS - 1) + [True] * (FAR + 2)


def test_a_correction_is_folded_onto_what_came_between(turns: Turns, folded_in_turn: list[bool]) -> None:
    desk, other = Desk(turns), Desk(turns)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    assert balance(other, session) == 5
    turns.before_a_turn = [lambda: record(other, session, chips("bank", "p2", 7))]
    folded_in_turn.clear()
    assert record(desk, session, amend(1, chips("bank", "p1", 6))) == 3
    assert folded_in_turn == [False, True, True, True]
    assert (balance(desk, session), balance(desk, session, "p2")) == (6, 7)
    turns.before_a_turn = [lambda: record(other, session, take_back(1))]
    with pytest.raises(Refused, match="already_taken_back"):
        record(desk, session, take_back(1))
    assert desk.verify(session).findings == ()


def test_whose_folding_keeps_others_waiting_gives_the_turn_back(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice; the last try takes its time, up to a bound."""
    monkeypatch.setattr("ledger.budget.SLICE_SECONDS", -1)
    monkeypatch.setattr("ledger.recording.LONGEST_TURN", -1)
    desk, other = Desk(turns), Desk(turns)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    comes_between: list[Callable[[], object]] = [lambda: record(other, session, chips("bank", "p2", 1))]
    turns.before_a_turn = comes_between * 2
    assert record(desk, session, amend(1, chips("bank", "p1", 6))) == 4
    turns.before_a_turn = comes_between * 3
    assert record(desk, session, amend(1, chips("bank", "p1", 7))) == 8
    monkeypatch.setattr("ledger.recording.LONGEST_LAST_TURN", -1)
    turns.before_a_turn = comes_between * 3
    with pytest.raises(StoreBusy):
        record(desk, session, amend(1, chips("bank", "p1", 8)))
    assert (desk.head(session).seq, balance(desk, session), balance(desk, session, "p2")) == (11, 7, 8)
    assert desk.verify(session).findings == ()


def test_if_match_and_the_key_are_looked_at_in_the_turn_too(turns: Turns) -> None:
    desk, other = Desk(turns), Desk(turns)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    turns.before_a_turn = [lambda: record(other, session, chips("bank", "p2", 7))]
    with pytest.raises(Stale):
        record(desk, session, amend(1, chips("bank", "p1", 6)), seen=1)
    request = Request(by="test", key="the same", fingerprint=b"request")
    correction = [amend(1, chips("bank", "p1", 6))]
    turns.before_a_turn = [lambda: other.recorder.record(session, correction, request)]
    again = desk.recorder.record(session, correction, request)
    assert (again.replayed, again.session.state.seq, desk.head(session).seq) == (True, 3, 3)


class Recording(MemoryStore):
    """A store that counts what is recorded in it, and knows the thread that holds its lock."""

    def __init__(self) -> None:
        super().__init__()
        self.holder: int | None = None
        self.recorded = threading.Semaphore(0)

    @contextmanager
    def writing(self, session_id: str, **how: Any) -> Iterator[Any]:
        with super().writing(session_id, **how) as log:
            self.holder = threading.get_ident()
            try:
                yield log
            finally:
                self.holder = None
        self.recorded.release()


def test_a_correction_of_the_first_round_gets_in_while_others_keep_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is folded while they do, and under the lock only within a bound, where it has to be rebased."""
    store, under_lock, ahead, ended = Recording(), list[float](), list[int](), threading.Event()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    for _ in range(8):
        desk.recorder.record(session, list(shippin_round("p2:1")) * 100, Request(by="test"))
    fold, step, played = SessionState.record, replay.step, Counter[bool]()

    def steps(*given: Any) -> Any:
        played[store.holder == threading.get_ident()] += 1
        return step(*given)

    def folds(state: SessionState, report: Event, version: int, known: Replay | None = None) -> Recorded:
        now = budget._budget.get()
        if isinstance(report, EventAmended) and store.holder == threading.get_ident():
            under_lock.append(now.seconds if now else inf)
        elif isinstance(report, EventAmended):
            while store.recorded.acquire(blocking=False):
                pass
            assert all(store.recorded.acquire(timeout=60) for _ in range(6)), "nobody else can record"
            ahead.append(state.seq)
        return fold(state, report, version, known)

    def keeps_recording(player: str) -> int:
        done = 0
        while not ended.is_set():
            record(desk, session, chips("bank", player, 1))
            done += 1
        return done

    def corrects() -> int:
        try:
            return record(desk, session, amend(2, bets("p3:1")[0]), insert(1, renamed("p1", "Aki the First")))
        finally:
            ended.set()

    monkeypatch.setattr(replay, "step", steps)
    monkeypatch.setattr(SessionState, "record", folds)
    corrected, *counts = at_once(corrects, *(partial(keeps_recording, player) for player in ("p1", "p2", "p3")))
    monkeypatch.undo()
    assert isinstance(corrected, int), corrected
    assert ahead == sorted(set(ahead)), "it is folded again only on what came later"
    assert ahead
    assert under_lock
    assert set(under_lock) <= {LONGEST_TURN, LONGEST_LAST_TURN}
    state = Desk(store).session(session).state
    p1, p2, p3 = (count for count in counts if isinstance(count, int))
    assert played[False] > 3_000
    assert played[True] <= p1 + p2 + p3 + MOST_TURNS * 64, "only what others recorded is played under the lock"
    assert state.seq == 8 * 100 * len(shippin_round("p2:1")) + p1 + p2 + p3 + 2
    assert state.table.players[0].name == "Aki the First"
    assert state.balances == desk.session(session).state.balances
    assert (state.balances["p1"] + 800, state.balances["p2"], state.balances["p3"]) == (p1, p2 + 799, p3 + 1)
    assert desk.verify(session).findings == ()


class Believing(Turns):
    """A store that believes where a log ends, and lets others in before it finds out."""

    @contextmanager
    def writing(
        self, session_id: str, *, alone: bool = False, expected: Head | None = None, **by: Any
    ) -> Iterator[Any]:
        if expected is None or not self.before_a_turn:
            with super().writing(session_id, alone=alone, **by) as log:
                yield log
            return
        log = MagicMock(head=expected)
        log.reply.side_effect = lambda _key: self.before_a_turn.pop()()
        yield log
        pytest.fail("it was believed to the end")


def test_that_others_here_were_quicker_is_no_sign_of_another_database() -> None:
    store = Believing()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))

    def comes_between() -> None:
        record(desk, session, chips("bank", "p2", 7))

    store.before_a_turn = [comes_between]
    desk.recorder.record(session, [chips("bank", "p1", 1)], Request(by="test", key="a key", fingerprint=b"request"))
    assert (desk.head(session).seq, balance(desk, session), balance(desk, session, "p2")) == (3, 6, 7)
    assert desk.verify(session).findings == ()


# --- one fold for all who look --------------------------------------------------------------------------------------


LOOKING = 8
"""How many look at one session at once."""


class Cold(NamedTuple):
    """A session that its desk has not folded yet; reading its log waits until all who look have come."""

    desk: Desk
    session: str
    reads: list[int]
    go_on: threading.Event

    def looks(self) -> object:
        """Look at it; give what was found, or what was raised."""
        try:
            return self.desk.session(self.session).state.seq
        except (StoreBusy, ZeroDivisionError) as error:
            return type(error)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> Cold:
    store = MemoryStore()
    session = Desk(store).open(opening())[0].id
    record(Desk(store), session, *[chips("bank", "p1", 1)] * 3)
    head, events, go_on = store.head, store.events, threading.Event()
    reads, come = list[int](), list[bool]()

    def counted(session_id: str) -> Head | None:
        come.append(True)
        if len(come) >= LOOKING:
            go_on.set()
        return head(session_id)

    def read(session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        reads.append(after)
        assert go_on.wait(60)
        return events(session_id, after=after, limit=limit)

    monkeypatch.setattr(store, "head", counted)
    monkeypatch.setattr(store, "events", read)
    return Cold(Desk(store), session, reads, go_on)


def found_by_all(cold: Cold) -> list[object]:
    with ThreadPoolExecutor(LOOKING) as pool:
        return list(pool.map(lambda _number: cold.looks(), range(LOOKING)))


def test_of_many_who_look_at_a_cold_session_one_folds_it(cold: Cold) -> None:
    assert found_by_all(cold) == [3] * LOOKING
    assert cold.reads == [0]


def test_if_the_one_who_folds_fails_another_folds(cold: Cold, monkeypatch: pytest.MonkeyPatch) -> None:
    catch_up, tried = cold.desk._cache.catch_up, list[bool]()

    def fails_first(*args: Any) -> CachedSession:
        found = catch_up(*args)
        tried.append(True)
        return found if len(tried) > 1 else 1 // 0  # type: ignore[return-value]

    monkeypatch.setattr(cold.desk._cache, "catch_up", fails_first)
    assert Counter(found_by_all(cold)) == {3: LOOKING - 1, ZeroDivisionError: 1}
    assert cold.reads == [0, 0]


def test_who_waits_for_a_fold_waits_as_long_as_a_request_may_take(cold: Cold) -> None:
    def in_a_hurry() -> object:
        with budget.limited(0.001):
            return cold.looks()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cold.looks)
        while not cold.reads:
            time.sleep(0.001)
        assert pool.submit(in_a_hurry).result(60) is StoreBusy
        cold.go_on.set()
        assert first.result(60) == 3
    assert in_a_hurry() == 3
    assert cold.reads == [0]


def test_who_waited_does_not_fold_anew_what_went_further(cold: Cold, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was recorded meanwhile was folded along, and how the session stood before is not kept."""
    cache, waits = cold.desk._cache, threading.Event()
    head, folding = cache.head, cache._one_at_a_time

    def stale(session_id: str) -> Head:
        found = head(session_id)
        return found if waits.is_set() else Head(found.seq - 1, b"the one before")

    @contextmanager
    def waited(session_id: str) -> Iterator[bool]:
        cold.go_on.set()
        waits.set()
        cache.keep(cache.catch_up(session_id, head(session_id), CommittedLog(cold.desk.store, session_id)))
        with folding(session_id):
            yield True

    monkeypatch.setattr(cache, "head", stale)
    monkeypatch.setattr(cache, "_one_at_a_time", waited)
    assert cold.looks() == 3
    assert cold.reads == [0]
    assert not cache._folding, "nothing is left of those who waited"


# --- several stands of one session ----------------------------------------------------------------------------------


def test_who_writes_finds_what_is_not_committed_yet_and_who_looks_does_not() -> None:
    store = MemoryStore()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    cache, head = desk._cache, desk.head(session)
    stands = cache.look(session)
    later_state = stands.session.state.record(chips("bank", "p1", 7), 1).state
    pending = stands.moved_on(later_state, Head(head.seq + 1, b"not on the disk yet"))
    cache.keep_pending(pending)
    assert cache.catch_up(session, pending.head, NobodyReads(store, session)) is pending
    assert cache.look(session) is stands
    assert cache.catch_up(session, head, NobodyReads(store, session)) is stands
    record(desk, session, chips("bank", "p1", 1))
    assert (balance(desk, session), desk.head(session).seq) == (6, 2)
    record(desk, session, chips("bank", "p1", 1))
    assert (balance(desk, session), desk.head(session).seq) == (7, 3)
    entry = cache._entries[session]
    assert (entry.committed and entry.committed.head.seq, entry.pending) == (3, None)


def test_what_could_not_be_kept_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    record(desk, session, chips("bank", "p1", 5))
    writing = store.writing

    @contextmanager
    def full(session_id: str, **how: Any) -> Iterator[Any]:
        with writing(session_id, **how) as log:
            yield log
            raise StoreFull

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(store, "writing", full)
        with pytest.raises(StoreFull):
            record(desk, session, chips("bank", "p1", 1))
    assert desk._cache._entries[session].pending is None
    assert record(desk, session, chips("bank", "p1", 2)) == 2
    assert balance(desk, session) == 7


def test_who_forgets_somebody_shares_the_commit_with_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another block would read words that are forgotten already, and a label that nobody sees yet would stay."""
    store, together = MemoryStore(), list[bool]()
    writing = store.writing

    def noted(session_id: str, *, alone: bool = False, **how: Any) -> AbstractContextManager[Any]:
        together.append(not alone)
        return writing(session_id, alone=alone, **how)

    monkeypatch.setattr(store, "writing", noted)
    desk = Desk(store)
    session = desk.open(opening())[0].id
    desk.recorder.record(session, [chips("bank", "p1", 5)], Request(by="me"))
    desk.recorder.record(session, [PlayerErased(player="p2")], Request(by="me", role="owner"))
    assert together == [True, False]


# --- what is told, whatever goes on ---------------------------------------------------------------------------------


def test_a_page_of_the_log_is_of_the_moment_of_the_look(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    record(desk, session, *[chips("bank", "p1", 1)] * 3)
    read = store.events

    def read_late(*args: Any, **kwargs: Any) -> Iterator[StoredEvent]:
        monkeypatch.undo()
        record(Desk(store), session, chips("bank", "p1", 1))
        return read(*args, **kwargs)

    monkeypatch.setattr(store, "events", read_late)
    assert [told.seq for told in desk.events(session, 1, 10)] == [2, 3]
    assert [told.seq for told in desk.events(session, 1, 10)] == [2, 3, 4]
    assert desk.events(session, 9, 10) == []


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """From when something is in here, folding takes longer than any budget."""
    begun: list[bool] = []

    def hurried() -> None:
        now = budget._budget.get()
        if begun and now is not None and now.seconds < inf:
            raise TakesTooLong(now.seconds)

    monkeypatch.setattr("ledger.history.state.breathe", hurried)
    return begun


def test_what_is_kept_is_told_however_long_that_takes(in_a_hurry: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    desk = Desk(store)
    session = desk.open(opening())[0].id
    record(desk, session, *[chips("bank", "p1", 1)] * 3)
    drop = desk._cache.drop

    def dropped(session_id: str) -> None:
        in_a_hurry.append(True)
        drop(session_id)

    monkeypatch.setattr(desk._cache, "drop", dropped)
    with budget.limited(60):
        told = desk.recorder.record(session, [PlayerErased(player="p2")], Request(by="me", role="owner"))
    assert [event.seq for event in told.events] == [4]


def test_a_first_look_is_never_given_up(in_a_hurry: list[bool]) -> None:
    store = MemoryStore()
    session = Desk(store).open(opening())[0].id
    record(Desk(store), session, *[chips("bank", "p1", 1)] * 3)
    in_a_hurry.append(True)
    with budget.limited(60):
        assert Desk(store).session(session).state.seq == 3


class NobodyReads(CommittedLog):
    def session(self) -> StoredSession | None:
        raise AssertionError("the opening is read again")

    def events(self, after: int) -> Iterator[StoredEvent]:
        raise AssertionError(f"the log is read again after {after}")


def test_a_past_that_was_mostly_corrected_is_played_again_when_asked_for() -> None:
    desk = Desk(MemoryStore(), memory_bytes=50_000)
    session = desk.open(opening())[0].id
    record(desk, session, *shippin_round("p2:1"))
    for number in range(40):
        record(desk, session, insert(0, renamed("p1", f"Aki {number}")))
    assert desk.session(session, at=4 + 20).names["p1"] == "Aki 0"
    assert desk.session(session).names["p1"] == "Aki 0"
    assert desk.verify(session).findings == ()


def test_long_notes_take_their_room() -> None:
    desk = Desk(MemoryStore(), memory_bytes=2_000_000)
    sessions = [desk.open(opening())[0].id for _ in range(3)]
    for session in sessions:
        notes = [ChipsMoved("bank", "p1", 1, note="😀" * 400 + f"{number:100}") for number in range(500)]
        record(desk, session, *notes)
    assert list(desk._cache._entries) == sessions[-1:], "500 notes are 1 MB and more, besides the events"


def test_sessions_without_events_take_room_too() -> None:
    desk = Desk(MemoryStore(), memory_bytes=10 * BYTES_A_SESSION)
    sessions = [desk.open(opening())[0].id for _ in range(20)]
    for session in sessions:
        desk.session(session)
    assert list(desk._cache._entries) == sessions[-10:]
