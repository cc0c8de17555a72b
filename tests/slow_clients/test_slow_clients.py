"""Nobody waits for a stranger's phone: whatever idle and slow connections are open, everybody else is served.

No test here is about speed. A service that gives each connection a thread serves nobody until the strangers hang up,
which they never do; the bound is there to tell that from a busy machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from ledger.server import graceful_timeout
from tests.bench.evening import MOVED, VOIDED, Evening
from tests.bench.wire import Caller
from tests.service import Service
from tests.slow_clients.crowd import HALF_A_BODY, HALF_A_HEADER, phones

SECONDS = 45
"""How long an answer may take, on a machine that is busy. Where nobody attends to it, it takes longer than that."""

Crowd = Callable[[Service, Evening], AbstractContextManager[None]]

CROWDS: dict[str, Crowd] = {
    "200 idle": lambda service, _: phones(service.port, 200),
    "200 half-sent headers": lambda service, _: phones(service.port, 200, HALF_A_HEADER),
    "50 half-sent bodies": lambda service, _: phones(service.port, 50, HALF_A_BODY),
    "20 readers who do not read": lambda service, long: phones(service.port, 20, long.looks("/export.json")),
}

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a single worker: it is this one that has all the strangers."""
    with Service(tmp_path_factory.mktemp("service") / "ledger.db", workers=1) as running:
        yield running


@pytest.fixture(scope="module")
def long_evening(service: Service) -> Evening:
    return long_evening_at(service)


def long_evening_at(service: Service) -> Evening:
    """Open a session whose book is some megabytes long: longer than all buffers on its way to a phone."""
    evening = Evening.opened(service.port)
    with Caller(service.port) as caller:
        for _ in range(8):
            assert caller.call(evening.reports(*VOIDED)).status == 201
    return evening


def everybody_is_served(port: int, evening: Evening) -> None:
    """Several people ask and report, each on a connection of their own."""
    for _ in range(5):
        with Caller(port, timeout=SECONDS) as caller:
            assert caller.call(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200
            assert caller.call(evening.reports(MOVED)).status == 201


@pytest.mark.parametrize("crowd", CROWDS.values(), ids=CROWDS)
def test_others_are_served_meanwhile(crowd: Crowd, service: Service, long_evening: Evening) -> None:
    evening = Evening.opened(service.port)
    with crowd(service, long_evening):
        everybody_is_served(service.port, evening)


def test_who_was_there_before_the_strangers_is_served_too(service: Service, long_evening: Evening) -> None:
    evening = Evening.opened(service.port)
    with Caller(service.port, timeout=SECONDS) as caller, ExitStack() as strangers:
        assert caller.call(evening.reports(MOVED)).status == 201
        for crowd in CROWDS.values():
            strangers.enter_context(crowd(service, long_evening))
        assert caller.call(evening.reports(MOVED)).status == 201
        everybody_is_served(service.port, evening)


def test_a_crowd_of_strangers_does_not_keep_the_service_from_stopping(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db") as service, ExitStack() as strangers:
        long = long_evening_at(service)
        for crowd in CROWDS.values():
            strangers.enter_context(crowd(service, long))
        service.stop(within=graceful_timeout + SECONDS)
