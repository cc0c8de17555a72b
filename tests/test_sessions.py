"""What one process records another sees, and what happens when two of them write at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ledger.app import create_app
from ledger.games import GAMES
from ledger.rulebook.event import Event
from ledger.rulebook.refusal import Refused
from ledger.services.access import MAX_LINKS
from ledger.services.calculation import recalculate
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.services.recording import Request
from ledger.services.sessions import SessionService
from ledger.services.verification import verify
from ledger.session.corrections import EventTakenBack
from ledger.storage.address import open_store
from ledger.storage.errors import AlreadyProcessed, NotFound
from tests.databases import kept_at
from tests.scorekeeper import Scorekeeper, event
from tests.session.tables import LATER_BOOK, OPEN, amend, bets, chips, opening, shippin_round, take_back

Open = Callable[..., SessionService]


@pytest.fixture
def service_at(tmp_path: Path) -> Iterator[Open]:
    """Open services at one database, as so many processes would."""
    services: list[SessionService] = []

    def opened(**how: Any) -> SessionService:
        store = open_store(kept_at(tmp_path / "ledger.db"))
        store.engine.prepare()
        services.append(SessionService(store, **how))
        return services[-1]

    yield opened
    for service in services:
        service.store.engine.close()


def record(service: SessionService, session: str, *events: Event) -> int:
    """Record events; gives the seq of the last."""
    return service.recorder.record(session, events, Request(by="test")).session.state.seq


def balance(service: SessionService, session: str, player: str = "p1") -> int:
    return service.session(session).state.balances.get(player, 0)


def test_a_process_sees_what_another_has_recorded_and_goes_on(service_at: Open) -> None:
    one, other = service_at(), service_at()
    session = one.open(opening())[0].id
    for number, report in enumerate(shippin_round("p2:1"), 1):
        assert record((one, other)[number % 2], session, report) == number
    record(one, session, take_back(2))
    assert balance(one, session, "p2") == balance(other, session, "p2") == 0
    assert verify(one.store, session).findings == ()


def test_what_is_not_there_is_not_there(service_at: Open) -> None:
    one, other = service_at(), service_at()
    session, deleted = (one.open(opening())[0].id for _ in range(2))
    record(other, deleted, chips("bank", "p1", 5))
    one.delete(deleted)
    for look in (
        lambda: one.session("nobodys"),
        lambda: one.session(session, at=1),
        lambda: one.round(session, 1),
        lambda: verify(one.store, "nobodys"),
        lambda: one.recorder.record("nobodys", [OPEN], Request(by="test")),
        lambda: one.delete(deleted),
        lambda: other.session(deleted),
        lambda: record(other, deleted, chips("bank", "p1", 5)),
    ):
        with pytest.raises(NotFound):
            look()


def test_what_nobody_has_used_for_so_many_days_is_deleted(service_at: Open) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    service = service_at(clock=lambda: now[0])
    unused, used, fresh = (service.open(opening())[0].id for _ in range(3))
    now[0] += timedelta(days=20)
    record(service, used, chips("bank", "p1", 5))
    service.session(unused)  # who only looks records nothing
    now[0] += timedelta(days=20)
    record(service, fresh, chips("bank", "p1", 5))
    assert [*service.tidy(None), *service.tidy(40)] == []
    now[0] += timedelta(seconds=1)
    assert list(service.tidy(40)) == [unused]
    now[0] -= timedelta(seconds=2)  # a clock that is behind what was recorded is wrong
    assert list(service.tidy(1)) == []
    now[0] += timedelta(seconds=2)
    assert list(service.tidy(20)) == [used]
    assert service.store.session_ids() == [fresh]


def test_a_round_keeps_its_rule_book_in_a_later_release(service_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    old = service_at()
    session = old.open(opening(rules={"bet": 2}))[0].id
    record(old, session, *shippin_round("p2:1"), *shippin_round("p2:1")[:2])
    later = {**GAMES, "shippin": {**GAMES["shippin"], 2: LATER_BOOK}}
    for module in [module for module in list(sys.modules.values()) if getattr(module, "GAMES", None) is GAMES]:
        monkeypatch.setattr(module, "GAMES", later)
    new = service_at()
    record(new, session, *shippin_round("p2:1")[2:], *shippin_round("p2:1"))
    assert [done.book.version for done in new.session(session).state.rounds()] == [1, 1, 2]
    assert balance(new, session, "p2") == 2 + 2 + 10
    record(new, session, amend(2, bets("p3:1")[0]))
    assert (balance(new, session, "p2"), balance(new, session, "p3")) == (2 + 10, 2)
    assert recalculate(new.session(session), 1, {"bet": 3}).balances["p3"] == 3
    assert new.round(session, 1)[1].book.version == 1
    assert verify(new.store, session).findings == ()


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


def test_of_two_workers_that_are_sent_corrections_at_once_one_answers_412(tmp_path: Path) -> None:
    database = kept_at(tmp_path / "ledger.db")
    workers = [Scorekeeper(create_app({"LEDGER_DATABASE": database}).test_client()) for _ in range(2)]
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


def test_of_two_corrections_that_do_not_go_together_one_is_refused(service_at: Open) -> None:
    """p2 and p3 were both really on column 4."""
    services = [service_at(), service_at()]
    session = services[0].open(opening())[0].id
    seq = record(services[0], session, *shippin_round("p2:1 p3:2"))
    (second,), (third,) = bets("p2:4"), bets("p3:4")
    outcomes = at_once(
        lambda: record(services[0], session, amend(2, second)), lambda: record(services[1], session, amend(3, third))
    )
    (refused,) = (outcome for outcome in outcomes if isinstance(outcome, Refused))
    assert refused.code in {"column_taken", "later_events_do_not_fit"}
    assert seq + 1 in outcomes
    assert verify(services[0].store, session).findings == ()


def test_whatever_many_record_and_correct_at_once_leaves_a_whole_record(service_at: Open) -> None:
    services = [service_at(), service_at()] * 2
    session = services[0].open(opening())[0].id
    record(services[0], session, chips("bank", "p1", 1))

    def busy(service: SessionService, number: int) -> int:
        done = 0
        for turn in range(12):
            events = chips("bank", f"p{number}", 1 + turn), amend(1, chips("bank", "p1", 10 * number + turn))
            try:
                record(service, session, (*events, EventTakenBack())[turn % 3])
            except Refused:
                continue
            done += 1
        return done

    outcomes = at_once(*(partial(busy, service, number) for number, service in enumerate(services, 1)))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    checked = verify(services[0].store, session)
    assert (checked.findings, checked.events) == ((), 1 + sum(each for each in outcomes if isinstance(each, int)))
    assert len({str(service.session(session).state.table) for service in services}) == 1


def test_the_last_link_that_may_be_made_is_made_once_with_its_key(service_at: Open) -> None:
    services = [service_at(), service_at()]
    session = services[0].open(opening())[0].id
    for _ in range(MAX_LINKS - 2):
        services[0].access.add_link(session, "viewer", None, None)
    key = IdempotencyKey("a" * 22, session, b"the same request")
    made = at_once(*(partial(service.access.add_link, session, "viewer", None, None, key) for service in services))
    assert {type(each) for each in made} == {tuple, AlreadyProcessed}
