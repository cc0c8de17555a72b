"""`/metrics` of a running service: right across its workers, also after one of them was killed."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.scorekeeper import event
from tests.service import Client, Service
from tests.waiting import eventually

CLIENTS, EACH = 6, 5


def metrics(service: Service) -> dict[str, float]:
    """Read `/metrics` on a connection of its own; sums over the labels, of processes how many there are."""
    with service.client() as client:
        client._connection.request("GET", "/metrics")
        answer = client._connection.getresponse()
        text = answer.read().decode()
    assert answer.status == 200
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + (1 if "worker" in sample.labels else sample.value)
    return found


def reports(service: Service, at_once: int = CLIENTS) -> None:
    """Several people, on connections that are open at the same time and so at several workers, report chips."""
    with ExitStack() as stack:
        clients: list[Client] = [stack.enter_context(service.client()) for _ in range(at_once)]
        for client in clients:
            client.opens("shippin")
        for _ in range(EACH):
            for client in clients:
                moved = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1})
                assert client.tries(moved).status == 201


@pytest.mark.integration
def test_it_is_the_sum_of_all_workers_and_a_killed_one_takes_nothing_along(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=2) as service:
        reports(service)
        for _ in range(4):  # whichever worker is asked
            assert metrics(service)["fuda_ledger_events_total"] == CLIENTS * EACH
        eventually(lambda: metrics(service)["process_open_fds"] == 2)
        victim = service.workers[0]
        os.kill(victim, signal.SIGKILL)
        eventually(lambda: victim not in service.workers and len(service.workers) == 2)
        assert metrics(service)["fuda_ledger_events_total"] == CLIENTS * EACH
        reports(service)
        found = metrics(service)
        assert found["fuda_ledger_events_total"] == 2 * CLIENTS * EACH
        assert found["fuda_ledger_commit_writes_sum"] == 2 * CLIENTS * (EACH + 1)
        eventually(lambda: metrics(service)["process_open_fds"] == 2)
        eventually(lambda: metrics(service)["fuda_ledger_connections"] == 1)  # that which asks
