"""Streams: how long an event takes to everybody who follows a session, and how others are served meanwhile.

An event counts from the moment in which its report is sent, so recording it is part of the wait.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.evening import MOVED, Evening
from tests.bench.listeners import Crowd
from tests.bench.report import Effort, Figure, at_most, milliseconds
from tests.bench.wire import Caller, get, p99
from tests.service import Service

LISTENERS = 500
EVENTS_A_SECOND = 5
"""More than a table reports in its quickest moment."""


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure the wait of 99 in 100, and of other people's requests beside it."""
    waits, others, alone = list[float](), list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder, "ledger.db")) as service:
        other = Evening.opened(service.port)
        for _ in range(effort.repeats):
            evening = Evening.opened(service.port)
            seconds = effort.of(10, 1)
            alone.append(p99(service.port, other.reports(MOVED), seconds))
            with Crowd(service.port, evening, effort.of(LISTENERS, 10)) as crowd:
                crowd.have_begun()
                others.append(p99(service.port, other.reports(MOVED), seconds))
                recorded = report_at_a_pace(service.port, evening, seconds)
                assert crowd.have_heard(max(recorded)), "somebody was not told"
                told = sorted(crowd.waits(recorded))
            assert len(told) == len(recorded) * len(crowd.listeners), "somebody was not told, or told twice"
            waits.append(told[int(len(told) * 0.99)] * 1000)
    name = f"an event at {LISTENERS} listeners, 2 workers"
    yield Figure(name, "ms, 99 in 100", waits, at_most(300))
    beside = f"without listeners {milliseconds(sorted(alone)[len(alone) // 2])}"
    yield Figure("a report in another session beside them", "ms, p99", [each * 1000 for each in others], None, beside)


def report_at_a_pace(port: int, evening: Evening, seconds: float) -> dict[int, float]:
    """Report an event again and again; give when each was sent, by its seq."""
    sent = dict[int, float]()
    with Caller(port) as caller:
        seq = int(caller.call(get(evening.address, evening.token)).headers["etag"].strip('"'))
        for number in range(1, int(seconds * EVENTS_A_SECOND) + 1):
            sent[seq + number] = time.perf_counter()
            assert caller.call(evening.reports(MOVED)).status == 201
            time.sleep(1 / EVENTS_A_SECOND)
    return sent
