"""The worst request of each kind at full size: what it costs other sessions.

One connection sends such a request again and again to a single worker, while somebody else reports plain events to a
session of their own, 20 a second: how long 99 in 100 of those wait. What is recorded ends with an event that is
refused, so that it is as much each time. Beside it stands how long they wait alone, and how long such a request takes
by itself, with its status.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from tests.bench.evening import MOVED, Evening
from tests.bench.load import come_to_rest, loaded_meanwhile
from tests.bench.report import Effort, Figure, at_most, milliseconds, number
from tests.bench.wire import PATIENCE, Caller, p99, post
from tests.scorekeeper import Json
from tests.service import Service

REFUSED: Json = {"type": "session_reopened"}


def inserted(after: int) -> Json:
    return {"type": "event_inserted", "after": after, "event": MOVED}


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every kind."""
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder, "ledger.db"), workers=1) as service:
        plain = Evening.opened(service.port).reports(MOVED)
        for name, request in worst(service, effort).items():
            told = by_itself(service, request)
            come_to_rest(service)
            alone, busy = list[float](), list[float]()
            for _ in range(effort.of(3, 1)):
                alone.append(p99(service.port, plain, seconds=1))
                with loaded_meanwhile(service, [[request]]):
                    busy.append(p99(service.port, plain, seconds=effort.of(5, 1)))
            waits = [wait * 1000 for wait in busy]
            yield Figure(
                f"others beside {name}", "ms", waits, at_most(150), f"alone {milliseconds(median(alone))}; {told}"
            )


def by_itself(service: Service, request: bytes) -> str:
    """Say what a request is answered, and how long that takes."""
    with Caller(service.port, timeout=PATIENCE) as caller:
        try:
            heard = caller.call(request)
        except TimeoutError:
            return f"itself no answer for {number(PATIENCE)} s"
        except ConnectionError:
            return "itself hung up on"
    return f"itself {heard.status} after {milliseconds(heard.took)}"


def worst(service: Service, effort: Effort) -> Mapping[str, bytes]:
    """Write the requests, and record what they are about."""
    few, many = effort.of(1_250, 100), effort.of(3_000, 200)
    with Caller(service.port) as caller:
        long, corrected = Evening.opened(service.port), Evening.opened(service.port)
        long.played(caller, many)
        corrected.played(caller, few)
        fifth = few // 5
        assert caller.call(corrected.reports(*map(inserted, range(fifth)))).status == 201
        notation = caller.call(long.looks("/export.txt")).body.decode()
        file = caller.call(long.looks("/export.json")).body.decode()
    insertions = "".join(f"insert {after} gift p1 p2=1\n" for after in range(many // 2))
    return {
        f"an import of {many} events and {many // 2} insertions as notation": post(
            "/v1/sessions/import", f"{notation}\n{insertions}", Content_Type="text/plain"
        ),
        f"an import of {many} events as a file": post("/v1/sessions/import", file),
        f"499 insertions on {many} events": long.reports(*map(inserted, range(499)), REFUSED),
        f"rounds?limit=500 with {fifth} corrections": corrected.looks("/rounds?limit=500"),
        f"verify with {fifth} corrections": corrected.looks("/verify"),
        f"statistics with {fifth} corrections": corrected.looks("/statistics"),
        f"export.html of {many} events": long.looks("/export.html"),
        f"export.xlsx of {many} events": long.looks("/export.xlsx"),
    }
