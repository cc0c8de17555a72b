"""The worker: which of several takes a connection, when it looks for cycles of objects, when it tidies the database."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from gunicorn.http.body import Body, LengthReader

from ledger import meters, worker
from ledger.garbage import gc_paused
from ledger.worker import NOBODY, Worker


@pytest.fixture(autouse=True)
def nobody_else() -> Iterator[None]:
    """An empty hall, and afterwards again."""
    yield
    for place in range(worker.MOST_WORKERS):
        worker.connections[place] = NOBODY


def started() -> Worker:
    """A worker as gunicorn has it before it is forked, without its settings."""
    made: Worker = object.__new__(Worker)
    made.takes_a_place()
    made.blocks = sys.getallocatedblocks()
    return made


def test_a_worker_that_has_more_connections_than_another_lets_it_go_first() -> None:
    one, other = started(), started()
    worker.connections[one.place] = 3
    worker.connections[other.place] = 2
    assert one.has_most
    assert not other.has_most
    worker.connections[other.place] = 3
    assert not one.has_most


def test_a_worker_alone_waits_for_nobody() -> None:
    alone = started()
    worker.connections[alone.place] = 100
    assert not alone.has_most


def test_a_worker_takes_the_place_of_one_that_is_gone() -> None:
    _first, second, third = started(), started(), started()
    second.leaves_its_place()
    assert started().place == second.place
    assert started().place == third.place + 1


def test_what_a_worker_had_open_is_not_counted_when_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meters, "_here", meters._here)
    _first, gone = started(), started()
    meters.count_in_row(gone.place)
    before = meters.counted()["streams"][0].numbers[0] if meters.counted()["streams"] else 0
    meters.STREAMS.put(5)
    assert meters.counted()["streams"][0].numbers[0] == before + 5
    gone.leaves_its_place()
    assert meters.counted()["streams"][0].numbers[0] == before
    assert gone.place not in meters.counting()


def test_cycles_are_looked_for_once_nobody_asks_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bool] = []
    monkeypatch.setattr(gc, "collect", lambda: looked.append(True))
    busy = started()
    busy.nr, busy.tidied = 0, 0
    answered = busy.tidy_up(0)
    assert not looked  # nothing was asked yet
    busy.nr = 5
    answered = busy.tidy_up(answered)
    assert not looked  # there may be more at once
    answered = busy.tidy_up(answered)
    assert looked == [True]
    busy.tidy_up(answered)
    assert looked == [True]  # nothing has happened since


def test_cycles_are_looked_for_while_something_is_always_asked_once_there_is_much_more_than_there_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked, blocks = list[bool](), [1_000_000]
    monkeypatch.setattr(gc, "collect", lambda: looked.append(True))
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: blocks[-1])
    busy = started()
    busy.nr, busy.tidied, busy.blocks, answered = 0, 0, blocks[-1], 0
    for more in (worker.MUCH, 1, worker.MUCH, 1):
        busy.nr += 5
        blocks.append(blocks[-1] + more)
        answered = busy.tidy_up(answered)
    assert looked == [True, True]
    assert busy.tidied == busy.nr
    blocks.append(0)
    busy.nr += 5
    busy.tidy_up(answered)
    assert looked == [True, True]


def test_nobody_looks_through_all_of_memory_while_a_session_is_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = list[bool]()
    monkeypatch.setattr(gc, "collect", lambda: looked.append(True))
    busy = started()
    busy.nr, busy.tidied, busy.blocks = 5, 0, -worker.MUCH
    with gc_paused():
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled(), "another is still being folded"
        assert busy.tidy_up(5) == 5
    assert gc.isenabled()
    assert not looked
    busy.tidy_up(5)
    assert looked == [True]


class Stopped(Exception):
    """The worker has slept often enough."""


def test_the_database_is_tidied_soon_after_the_start_and_then_once_an_hour(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[int] = []
    slept: list[float] = []

    def tidy(keep_days: int) -> Iterator[str]:
        asked.append(keep_days)
        yield "one"
        if len(asked) == 2:
            raise ZeroDivisionError
        yield "two"

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if slept.count(worker.TIDYING) == 3:
            raise Stopped

    monkeypatch.setattr("gevent.sleep", sleep)
    caplog.set_level(logging.INFO)
    _first, second = started(), started()
    extensions = {"desk": SimpleNamespace(tidy=tidy), "config": SimpleNamespace(keep_days=30)}
    second.wsgi, second.log = SimpleNamespace(extensions=extensions), logging.getLogger()
    with pytest.raises(Stopped):
        second.keep_tidy()
    pause = worker.TIDYING_PAUSE
    assert asked == [30, 30, 30]
    assert slept == [120, pause, pause, 3600, pause, 3600, pause, pause, 3600]
    assert "ZeroDivisionError" in caplog.text
    assert [record.args for record in caplog.records if record.levelno == logging.INFO] == [(2,), (1,), (2,)]
    assert "as asked for or unused for long: 2" in caplog.text  # some may have been deleted before, but not to the end


def test_what_is_to_be_forgotten_is_tried_again_soon_and_then_more_rarely(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slept: list[float] = []
    tries = iter([False] * 5 + [True])

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 10:
            raise Stopped

    monkeypatch.setattr("gevent.sleep", sleep)
    caplog.set_level(logging.INFO)
    patient = started()
    store = SimpleNamespace(forgetting_is_pending=lambda: 1 < len(slept) < 8, finish_forgetting=lambda: next(tries))
    ended: list[int] = []
    desk = SimpleNamespace(store=store, revoke_expired_links=lambda: ended.append(len(slept)))
    patient.wsgi = SimpleNamespace(extensions={"desk": desk})
    patient.log = logging.getLogger()
    with pytest.raises(Stopped):
        patient.keep_forgetting()
    assert slept == [1, 1, 2, 4, 8, 10, 10, 1, 1, 1]
    assert ended == [*range(1, 10)]
    assert [record.message for record in caplog.records] == ["What was erased or deleted is cleared away now"]


def test_an_application_without_a_desk_has_nothing_to_tidy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gevent.sleep", lambda _seconds: pytest.fail("there is nothing to wait for"))
    for other in (SimpleNamespace(extensions={}), SimpleNamespace()):
        alone = started()
        alone.wsgi = other
        alone.keep_tidy()
        alone.keep_forgetting()


# --- hearing out ------------------------------------------------------------------------------------------------------


class Endless:
    """What gunicorn reads a body from: there is always more."""

    def __init__(self) -> None:
        self.given = 0

    def read(self, size: int) -> bytes:
        self.given += size
        return b"x" * size


def sends(reader: object) -> Any:
    """A request whose body gunicorn reads from there."""
    return SimpleNamespace(body=Body(reader))  # type: ignore[no-untyped-call]


def test_a_body_that_does_not_end_is_not_heard_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MOST_DISCARDED", 3 * worker.PIECE)
    source = Endless()
    assert not worker.is_heard_out(sends(source))
    assert source.given <= 4 * worker.PIECE


def test_a_body_that_does_not_come_is_not_waited_for_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "STALLED_SECONDS", 0.05)
    silent = SimpleNamespace(read=lambda _size: gevent.sleep(60))  # type: ignore[no-untyped-call]
    assert not worker.is_heard_out(sends(silent))


def test_a_body_that_was_read_is_not_waited_for_at_all() -> None:
    everything_was_read = LengthReader(None, 0)  # type: ignore[no-untyped-call]
    for reader in (everything_was_read, SimpleNamespace(parser=None)):
        assert worker.is_heard_out(sends(reader))
