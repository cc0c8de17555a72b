"""What the worst requests leave behind in a worker: nothing."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.scorekeeper import Json
from tests.service import Service

AT_ONCE, TIMES = 8, 3
PLAYERS = ["Aki", "Ben", "Chie", "Dai"]
STRANGE = {f"a{number}": 0 for number in range(80_000)}
MOST_KEPT = 160 * 1024 * 1024
"""How many bytes a worker may be larger once it has tidied up: what was read at once leaves holes in memory."""

PATIENCE = 60.0
"""How many seconds a worker has until then; it tidies up when nobody asks for anything."""

MOST_ANSWERED = 16 * 1024


def calculated(*events: object, **more: object) -> Json:
    return {"players": PLAYERS, "events": list(events), **more}


FILE: Json = {"format": "fuda-ledger", "version": 1, "balances": {}, "entries": [], "log": {"opening": {}, "rows": []}}
WORST: dict[str, tuple[str, str, str]] = {
    name: (address, body if isinstance(body, str) else json.dumps(body), kind)
    for name, (address, body, kind) in {
        "events that are none": ("/v1/calculate/shippin", calculated(*[0] * 300_000), "application/json"),
        "strange members": ("/v1/calculate/shippin", calculated(**STRANGE), "application/json"),
        "strange house rules": ("/v1/calculate/shippin", calculated(rules=STRANGE), "application/json"),
        "strange members of an event": (
            "/v1/calculate/shippin",
            calculated({"type": "round_opened", **STRANGE}),
            "application/json",
        ),
        "corrections that say nothing": (
            "/v1/calculate/shippin",
            calculated(*[{"type": "corrections_made", "corrections": [{}] * 100}] * 500),
            "application/json",
        ),
        "empty rows": (
            "/v1/sessions/import",
            {**FILE, "log": {"opening": {}, "rows": [{}] * 99_999}},
            "application/json",
        ),
        "empty entries": ("/v1/sessions/import", {**FILE, "entries": [{}] * 490_000}, "application/json"),
        "rows without a number": ("/v1/sessions/import?game=shippin", "a\n" * 4_000_000, "text/csv"),
    }.items()
}


def memory(pid: int) -> int:
    """How many bytes of memory a process has."""
    (line,) = (line for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines() if "VmRSS" in line)
    return int(line.split()[1]) * 1024


def sent(port: int, address: str, body: str, kind: str) -> tuple[int, int]:
    """The status of a request, and how long its answer is."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("POST", address, body, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, len(answer.read())
    finally:
        connection.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Service(tmp_path / "ledger.db", workers=1) as running:
        yield running


@pytest.mark.soak
@pytest.mark.parametrize("name", WORST)
def test_the_worst_requests_leave_a_worker_as_large_as_it_was(service: Service, name: str) -> None:
    """Eight at once, three times over: what a worker keeps of them does not grow with how many there were."""
    address, body, kind = WORST[name]
    (worker,) = service.workers
    sent(service.port, "/v1/calculate/shippin", json.dumps(calculated({"type": "round_opened"})), "application/json")
    before = memory(worker)
    with ThreadPoolExecutor(AT_ONCE) as crowd:
        for _ in range(TIMES):
            answers = list(crowd.map(lambda _: sent(service.port, address, body, kind), range(AT_ONCE)))
            assert {422} <= {status for status, _ in answers} <= {422, 503}  # of large imports few are read at a time
            assert max(size for _, size in answers) <= MOST_ANSWERED
    assert service.workers == [worker]
    until = time.monotonic() + PATIENCE
    while memory(worker) - before > MOST_KEPT and time.monotonic() < until:
        time.sleep(0.1)
    assert memory(worker) - before <= MOST_KEPT
