"""A worker that cannot start: another is tried in its place while others serve, and else the service ends."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.scorekeeper import event
from tests.service import Service
from tests.wire.failing_start import OBSTACLE

APP = "tests.wire.failing_start:app"


@pytest.fixture
def obstacle(tmp_path: Path) -> Path:
    return tmp_path / "obstacle"


@pytest.fixture
def service(tmp_path: Path, obstacle: Path) -> Service:
    return Service(tmp_path / "ledger.db", workers=2, app=APP, environment={OBSTACLE: str(obstacle)})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["busy", "other"])
def test_a_worker_that_cannot_start_is_tried_again_while_others_serve(
    kind: str, service: Service, obstacle: Path
) -> None:
    with service, service.client() as client:
        while service.said.count("Booting worker") < 2 or len(service.workers) < 2:
            time.sleep(0.02)
        client.opens()
        obstacle.write_text(kind, "ascii")
        killed = service.workers[1]
        while service.said.count("could not start") < 2:
            if killed in service.workers:
                os.kill(killed, signal.SIGKILL)
            with service.client() as another:
                another.speaks_for(client)
                assert another.tries(event("chips_moved", from_="bank", to="p1", amount=1)).status == 201
            time.sleep(0.2)
        booted = service.said.count("Booting worker")
        assert booted <= 5, "it tries again without a pause"
        obstacle.unlink()
        while service.said.count("Booting worker") == booted:
            time.sleep(0.05)
        assert service.is_ready()


@pytest.mark.parametrize("kind", ["busy", "other"])
def test_a_service_of_which_no_worker_can_start_ends(kind: str, service: Service, obstacle: Path) -> None:
    obstacle.write_text(kind, "ascii")
    process = service.launch()
    try:
        assert process.wait(60) != 0
    finally:
        service.kill()
    assert ("The database is busy" if kind == "busy" else "Too many open files") in service.said
    assert service.said.count("Booting worker") <= 2
