"""Exports: every format of a session of 20,000 events, beside somebody who reports events; and of one of 300 events."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from ledger.exports import FORMATS
from tests.bench.evening import MOVED, Evening
from tests.bench.load import loaded_meanwhile
from tests.bench.machine import memory
from tests.bench.report import Effort, Figure, at_most
from tests.bench.wire import Caller, p99
from tests.service import Service

LONG, SMALL = 20_000, 300


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every format of a small session and of a long one, and others' requests meanwhile."""
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder, "ledger.db"), workers=1) as service:
        small, long, writer = (Evening.opened(service.port) for _ in range(3))
        with Caller(service.port) as caller:
            small.played(caller, SMALL)
            for form in FORMATS:
                took = [caller.call(small.looks(f"/export.{form}")).took * 1000 for _ in range(effort.repeats + 1)]
                yield Figure(f"{form} of {SMALL} events", "ms", took[1:], at_most(15))
            long.played(caller, effort.of(LONG, 1000))
            assert caller.call(long.looks()).status == 200
            for form in FORMATS:
                took = [caller.call(long.looks(f"/export.{form}")).took for _ in range(effort.of(3, 1))]
                yield Figure(f"{form} of {LONG} events", "s", took, at_most(6))
        with loaded_meanwhile(service, [[long.looks("/export.xlsx")]]):
            beside = [p99(service.port, writer.reports(MOVED), seconds=2) * 1000 for _ in range(effort.of(3, 1))]
            yield Figure("a writer's p99 beside workbooks", "ms", beside, at_most(150))
            yield Figure("memory of all processes", "MB", [memory(service.processes)], at_most(200))
