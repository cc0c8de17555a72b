"""Cold sessions: many phones look at one evening at once that its worker has not read yet, as after a restart.

Beside it stands one phone that looks at such an evening alone. Each time is one of a session that nobody has looked at.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tests.bench.evening import Evening, events
from tests.bench.machine import resident
from tests.bench.report import Effort, Figure, at_most, milliseconds
from tests.bench.wire import Caller
from tests.service import Service

PHONES = 200
PATIENCE = 300.0
"""How many seconds a phone waits for its answer."""


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row."""
    for length, phones in ((effort.of(5_000, 200), effort.of(PHONES, 8)), (effort.of(20_000, 400), effort.of(24, 4))):
        with tempfile.TemporaryDirectory() as folder:
            yield looked_at(Path(folder, "ledger.db"), length, phones, effort.of(3, 1))


def looked_at(database: Path, length: int, phones: int, repeats: int) -> Figure:
    """Record as many sessions as are looked at, start anew, and let one phone and many look."""
    with Service(database, workers=1) as service, Caller(service.port, PATIENCE) as caller:
        sessions = [Evening.opened(service.port) for _ in range(2 * repeats)]
        for evening in sessions:
            reports = list(islice(events(), length))
            for first in range(0, length, 500):
                assert caller.call(evening.reports(*reports[first : first + 500])).status == 201
    alone, together = list[float](), list[float]()
    with Service(database, workers=1) as service:
        before = sum(map(resident, service.workers))
        for number, evening in enumerate(sessions):
            crowd = 1 if number % 2 == 0 else phones
            (alone if crowd == 1 else together).append(seconds_until_all_have_looked(service, evening, crowd))
        grown = sum(map(resident, service.workers)) - before
    ratios = [many / one for one, many in zip(alone, together, strict=True)]
    beside = f"{milliseconds(max(together))} : {milliseconds(max(alone))}; {grown:.0f} MB more"
    return Figure(f"{phones} phones look at {length:,} cold events", "times one", ratios, at_most(3), beside)


def seconds_until_all_have_looked(service: Service, evening: Evening, phones: int) -> float:
    """Let so many look at a session at once; give how long it takes until the last has an answer."""
    callers = [Caller(service.port, PATIENCE) for _ in range(phones)]
    ready, statuses = threading.Barrier(phones + 1), list[int]()

    def looks(caller: Caller) -> None:
        with caller:
            ready.wait()
            statuses.append(caller.call(evening.looks()).status)

    threads = [threading.Thread(target=looks, args=(caller,)) for caller in callers]
    for thread in threads:
        thread.start()
    ready.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    assert statuses == [200] * phones, statuses
    return time.perf_counter() - begun
