"""Many phones follow one session on a running service: each is told everything once, in order, across its workers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.evening import MOVED, Evening
from tests.bench.listeners import Crowd
from tests.bench.wire import Caller, get, request
from tests.service import Service
from tests.storage.contract import in_threads

pytestmark = pytest.mark.integration

LIVEZ = get("/livez")
SECONDS = 45
"""How long an answer may take, on a machine that is busy."""


def reporter(port: int, evening: Evening, count: int) -> Callable[[], None]:
    """Somebody who reports so many events, and asks in between whether the service lives."""

    def report() -> None:
        with Caller(port) as caller:
            for _ in range(count):
                assert caller.call(evening.reports(MOVED)).status == 201
                assert caller.call(LIVEZ).status == 200

    return report


def everybody_is_told(database: Path, listeners: int, reporters: int, events: int, seconds: str) -> None:
    """Let people report while others follow, whose streams end again and again meanwhile."""
    given = {"STREAM_SECONDS": seconds}
    with Service(database, workers=2, app="tests.small:app", environment=given) as service:
        evening = Evening.opened(service.port)
        with Crowd(service.port, evening, listeners) as crowd:
            crowd.have_begun()
            in_threads(*[reporter(service.port, evening, events)] * reporters)
            assert crowd.have_heard(reporters * events)
        for listener in crowd.listeners:
            assert [seq for seq, _ in listener.heard] == list(range(1, reporters * events + 1))
        assert "Traceback" not in service.said


def test_everybody_is_told_everything_once_and_in_order(tmp_path: Path) -> None:
    everybody_is_told(tmp_path / "ledger.db", listeners=20, reporters=3, events=20, seconds="0.5")


@pytest.mark.endurance
def test_a_crowd_is_told_everything_once_and_in_order(tmp_path: Path) -> None:
    everybody_is_told(tmp_path / "ledger.db", listeners=500, reporters=4, events=50, seconds="10")


def test_the_streams_of_a_session_that_is_deleted_end_and_nobody_else_waits(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=2) as service:
        evening, other = Evening.opened(service.port), Evening.opened(service.port)
        with Crowd(service.port, evening, 8) as crowd:
            crowd.have_begun()
            with Caller(service.port, timeout=SECONDS) as owner:
                address = f"{evening.address}?confirm={evening.address.rpartition('/')[2]}"
                assert owner.call(request("DELETE", address, evening.token)).status == 204
            crowd.have_ended()
            for _ in range(8):
                with Caller(service.port, timeout=SECONDS) as caller:
                    assert caller.call(other.reports(MOVED)).status == 201
        assert "Traceback" not in service.said
        assert "TIMEOUT" not in service.said
