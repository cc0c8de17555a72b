"""The front desk: what one process records another sees, and what happens when two of them write."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ledger import session_cache
from ledger.access import MAX_LINKS
from ledger.app import create_app
from ledger.calculation import recalculate
from ledger.desk import Desk
from ledger.games import GAMES
from ledger.idempotency import IdempotencyKey
from ledger.play.events import Event
from ledger.play.refusals import Refused
from ledger.play.values import PlayerId
from ledger.recording import Request, Stale
from ledger.session.corrections import EventAmended, EventTakenBack
from ledger.session.events import PlayerErased
from ledger.session_cache import CachedSession
from ledger.storage import store as storing
from ledger.storage.address import open_store
from ledger.storage.errors import AlreadyProcessed, NotFound
from ledger.storage.records import Head, StoredEvent
from ledger.storage.store import Store
from schemas.records import loaded
from schemas.sessions import NewSession
from tests.databases import kept_at
from tests.scorekeeper import Scorekeeper, event
from tests.session.tables import LATER_BOOK, OPEN, amend, bets, chips, opening, shippin_round, take_back


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


Open = Callable[..., Desk]


@pytest.fixture
def desk_at(database: Path) -> Iterator[Open]:
    """Open desks at one database, as so many processes would."""
    stores: list[Store] = []

    def opened(**how: Any) -> Desk:
        stores.append(open_store(kept_at(database)))
        stores[-1].engine.prepare()
        return Desk(stores[-1], **how)

    yield opened
    for store in stores:
        store.engine.close()


def record(desk: Desk, session: str, *events: Event, seen: int | None = None) -> int:
    """Record events, if the session stands where it was seen; gives the seq of the last."""
    expected = None if seen is None else (lambda seq: seq == seen)
    return desk.recorder.record(session, events, Request(by="test", expected=expected)).session.state.seq


def balance(desk: Desk, session: str, player: str = "p1") -> int:
    return desk.session(session).state.balances.get(player, 0)


# --- what another recorded ------------------------------------------------------------------------------------------


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
        with pytest.raises(NotFound):
            look()


# --- deleting -------------------------------------------------------------------------------------------------------


def test_what_nobody_has_used_for_so_many_days_is_deleted(desk_at: Open) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    desk = desk_at(clock=lambda: now[0])
    unused, used, fresh = (desk.open(opening())[0].id for _ in range(3))
    now[0] += timedelta(days=20)
    record(desk, used, chips("bank", "p1", 5))
    desk.session(unused)  # who only looks records nothing
    now[0] += timedelta(days=20)
    record(desk, fresh, chips("bank", "p1", 5))
    assert [*desk.tidy(None), *desk.tidy(40)] == []
    now[0] += timedelta(seconds=1)
    assert list(desk.tidy(40)) == [unused]
    now[0] -= timedelta(seconds=2)  # a clock that is behind what was recorded is wrong
    assert list(desk.tidy(1)) == []
    now[0] += timedelta(seconds=2)
    assert list(desk.tidy(20)) == [used]
    assert desk.store.session_ids() == [fresh]


def test_a_desk_forgets_what_another_has_deleted(desk_at: Open) -> None:
    one, other = desk_at(), desk_at()
    deleted, kept = (one.open(opening())[0].id for _ in range(2))
    for session in (deleted, kept):
        record(other, session, chips("bank", "p1", 5))
    one.delete(deleted)
    with pytest.raises(NotFound):
        other.session(deleted)
    with pytest.raises(NotFound):
        record(other, deleted, chips("bank", "p1", 5))
    assert list(other.tidy(None)) == []
    assert balance(other, kept) == 5
    with pytest.raises(NotFound):
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
    said = {"game": "shippin", "players": ["Aki", "Ben"], "rules": {"stakes": "low"}}
    session = desk.open(loaded(NewSession, said).opening())[0].id
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


def test_who_is_far_behind_folds_before_the_lock(desk_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = desk_at(), desk_at()
    session = one.open(opening())[0].id
    record(other, session, chips("bank", "p1", 5))
    record(one, session, *[chips("bank", "p1", 1)] * (session_cache.FAR + 1))
    one.recorder.record(session, [PlayerErased(PlayerId("p2"))], Request(by="test", role="owner"))
    fold_on = session_cache.fold_on

    def folded(version: CachedSession, head: Head, rows: Iterable[StoredEvent]) -> CachedSession:
        with one.store.transaction(session):  # nobody has it
            return fold_on(version, head, rows)

    monkeypatch.setattr(session_cache, "fold_on", folded)
    assert record(other, session, chips("bank", "p1", 5)) == session_cache.FAR + 4


def test_a_session_that_is_deleted_while_it_is_looked_at_is_not_there(
    desk_at: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = desk_at(), desk_at()
    session = one.open(opening())[0].id
    record(one, session, *[chips("bank", "p1", 1)] * 3)
    monkeypatch.setattr(storing, "PAGE", 2)
    read = other.store.events

    def deleted_meanwhile(session_id: str) -> Iterator[StoredEvent]:
        rows = read(session_id)
        yield next(rows)
        one.delete(session)
        yield from rows

    monkeypatch.setattr(other.store, "events", deleted_meanwhile)
    with pytest.raises(NotFound):
        other.session(session)


def test_the_last_link_that_may_be_made_is_made_once_with_its_key(desk_at: Open) -> None:
    desks = [desk_at(), desk_at()]
    session = desks[0].open(opening())[0].id
    for _ in range(MAX_LINKS - 2):
        desks[0].access.add_link(session, "viewer", None, None)
    key = IdempotencyKey("a" * 22, session, b"the same request")
    made = at_once(*(partial(desk.access.add_link, session, "viewer", None, None, key) for desk in desks))
    assert {type(each) for each in made} == {tuple, AlreadyProcessed}
