"""The workers of a running service: what they count together, and how they end, all at once or one of them."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.bench.evening import Evening
from tests.bench.listeners import Crowd
from tests.bench.wire import Caller, get
from tests.scorekeeper import event
from tests.service import Client, Service
from tests.waiting import eventually

MEMORY = Path("/dev/shm")  # noqa: S108 - nothing is written
CLIENTS, EACH = 6, 5
MOVED = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1})
HALF_A_HEADER = b"GET /livez HTTP/1.1\r\nHost: loc"
HALF_A_BODY = b"POST /v1/sessions HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"


def metrics(service: Service) -> dict[str, float]:
    """Read `/metrics` on a connection of its own; sums over the labels."""
    with Caller(service.port, timeout=60) as caller:
        text, found = caller.call(get("/metrics")).body.decode(), dict[str, float]()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


def reports(service: Service) -> None:
    """Several people, on connections that are open at the same time and so at several workers, report chips."""
    with ExitStack() as stack:
        clients: list[Client] = [stack.enter_context(service.client()) for _ in range(CLIENTS)]
        for client in clients:
            client.opens("shippin")
        for _ in range(EACH):
            for client in clients:
                assert client.tries(MOVED).status == 201


@pytest.mark.integration
def test_metrics_are_sums_of_all_workers_and_a_killed_one_takes_away_its_streams_alone(tmp_path: Path) -> None:
    written = CLIENTS * (EACH + 1)
    with Service(tmp_path / "ledger.db", workers=2) as service:
        reports(service)
        for _ in range(4):  # whichever worker is asked
            assert metrics(service)["fuda_ledger_commit_writes_sum"] == written
        with Crowd(service.port, Evening.opened(service.port), 1) as crowd:
            crowd.have_begun()
            assert metrics(service)["fuda_ledger_streams"] == 1
            for victim in (victims := {*service.workers}):
                os.kill(victim, signal.SIGKILL)
            eventually(lambda: len({*service.workers} - victims) == 2)
            eventually(lambda: crowd.listeners[0].answers > 1)
            assert metrics(service)["fuda_ledger_streams"] == 1
        reports(service)
        assert metrics(service)["fuda_ledger_commit_writes_sum"] == 2 * written + 1


@pytest.mark.integration
def test_stopping_waits_for_no_streams_idle_connections_and_half_sent_requests(
    tmp_path: Path, figures: Callable[..., None]
) -> None:
    with Service(tmp_path / "ledger.db", workers=2) as service, ExitStack() as opened:
        with Crowd(service.port, Evening.opened(service.port), 8) as crowd:
            crowd.have_begun()
            for sent in (HALF_A_BODY, HALF_A_HEADER, b"", get("/livez")) * 4:
                opened.enter_context(socket.create_connection(("127.0.0.1", service.port))).sendall(sent)
            assert opened.enter_context(Caller(service.port, timeout=60)).call(get("/livez")).status == 200
            begun = time.monotonic()
            service.stop(within=20)  # 5 seconds by design; how busy the machine is, nobody knows
            figures(seconds_to_stop=f"{time.monotonic() - begun:.1f}")
        assert "Traceback" not in service.said


@pytest.mark.integration
@pytest.mark.sqlite("its file is moved away")
def test_a_worker_that_cannot_use_the_database_does_not_end_the_service(tmp_path: Path) -> None:
    database, aside = tmp_path / "ledger.db", tmp_path / "aside.db"
    with Service(database, workers=1) as service, service.client() as client:
        database.rename(aside)
        database.mkdir()
        os.kill(service.workers[0], signal.SIGKILL)
        eventually(lambda: "This worker cannot start; another one will" in service.said)
        client._connection.request("GET", "/readyz")  # its connection waits for a worker
        database.rmdir()
        aside.rename(database)
        assert client._connection.getresponse().status == 200


@pytest.mark.integration
@pytest.mark.skipif(not MEMORY.is_dir(), reason="there is no file system in memory")
def test_the_metrics_of_a_killed_service_are_removed_at_the_next_start(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=1) as service:
        mine = list(MEMORY.glob(f"fuda-ledger-metrics-{service.processes[-1]}-*"))
        service.kill()
        service.start()
        assert [path.exists() for path in mine] == [False]
