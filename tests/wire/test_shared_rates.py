"""Two services count together where LEDGER_RATE_LIMIT_STORAGE says, and go on answering without it."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service import Service
from tests.waiting import eventually

pytestmark = pytest.mark.integration
ROUND = {"players": ["Aki", "Ben"], "events": [{"type": "round_opened"}]}


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a Redis of this test, and its process."""
    pytest.importorskip("redis")
    if (program := shutil.which("redis-server")) is None:
        pytest.skip("there is no redis-server; Debian's package has that name")
    path = tmp_path / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", str(path), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process, socket.socket(socket.AF_UNIX) as tried:
        eventually(lambda: path.exists() and tried.connect_ex(str(path)) == 0)
        yield f"redis+unix://{path}", process
        process.kill()


def statuses(*services: Service) -> list[int]:
    """Calculate once at each service."""
    found = []
    for service in services:
        with service.client() as client:
            found.append(client.asks("POST", "/v1/calculate/shippin", ROUND).status)
    return found


def test_two_services_count_together_and_answer_without_their_storage(
    tmp_path: Path, redis: tuple[str, subprocess.Popen[bytes]]
) -> None:
    storage, process = redis
    settings: dict[str, Any] = {"workers": 1, "rate_limit": "4/hour", "rate_limit_storage": storage}
    with Service(tmp_path / "one.db", **settings) as one, Service(tmp_path / "two.db", **settings) as two:
        assert statuses(one, two, one, two) == [200] * 4
        assert statuses(one, two) == [429, 429]
        process.send_signal(signal.SIGSTOP)
        assert statuses(one, two) == [200, 200], "one that hangs refuses nobody"
        process.kill()
        process.wait()
        assert statuses(one, two) == [200, 200]
        assert one.said.count("nothing is limited") == 1
