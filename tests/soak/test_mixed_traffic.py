"""Hours of mixed traffic: memory, open files, threads and the write-ahead log stay where they are.

Traffic comes in laps. After each, everybody hangs up and the workers have a moment to themselves; then it is looked at
what they hold, so what is being worked on is not taken for a leak. A worker keeps folded sessions up to a bound, which
is small here, so that it is reached while the service warms up, however long that takes. From then on, memory hardly
grows: a request that leaves 5 kB behind is red after ten thousand of them.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from tests.bench.machine import resident
from tests.databases import is_sqlite
from tests.reckoning.evenings import Evening
from tests.service import Service
from tests.soak.traffic import evenings, never_called, phone

PHONES = 6
WARM_REQUESTS = 30_000
"""After how many requests the service is warm: by then the caches of chances are full, which take some MB a worker."""

LAPS = 16
"""How often it is looked at from then on."""

QUIET_SECONDS = 3.0
"""How long the service is idle after a lap."""

GIVES_BACK = {"STREAM_SECONDS": "5", "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""Have the allocator (glibc's) give back at once what it can. By itself it learns from large requests to keep more."""

MAX_GROWTH = 50.0
"""How much a worker's memory may grow, in MB. How much it does is a figure, to be looked at: what lies between what is
used is chance."""

MORE = 8
"""How many more files may be open in the end, or threads be there: a worker makes another connection to the database
when it needs one, and keeps it; each has two or three files."""

MAX_WAL = 64.0
"""How long the write-ahead log may be, in MB."""


class Sample(NamedTuple):
    """What a worker holds at a moment in which it does nothing: requests so far, MB, open files, threads."""

    requests: int
    memory: float
    files: int
    threads: int


class Lap(NamedTuple):
    """How many requests were answered, and how long the write-ahead log was meanwhile, at most, in MB."""

    requests: int
    wal: float


def sample(pid: int, requests: int) -> Sample:
    files, threads = (len(list(Path(f"/proc/{pid}/{what}").iterdir())) for what in ("fd", "task"))
    return Sample(requests, resident(pid), files, threads)


def growth(samples: Sequence[Sample]) -> tuple[float, int]:
    """By how many MB the memory has grown, and in how many requests, from the first third of the samples to the last.

    In each the least counts: what a large request takes is given back later, and what has leaked is not.
    """
    early, late = (min(third, key=lambda one: one.memory) for third in (samples[: LAPS // 3], samples[-(LAPS // 3) :]))
    return late.memory - early.memory, late.requests - early.requests


def mixed(port: int, played: Sequence[Evening], calls: Counter[str], seed: int, is_over: Callable[[], bool]) -> int:
    """Spend evenings until it is time; give how many requests were answered."""
    chance = random.Random(seed)
    with phone(port, calls, chance) as one:
        while not is_over():
            one.spends(chance.choice(played), is_over)
        assert {status for status in one.statuses if status >= 500} <= {503}
        return one.statuses.total()


def lap(service: Service, played: Sequence[Evening], calls: Counter[str], number: int, seconds: float) -> Lap:
    """Let all phones have their evenings at once."""
    end, wrong, answered = time.monotonic() + seconds, list[Exception](), list[int]()

    def one(seed: int) -> None:
        try:
            answered.append(mixed(service.port, played, calls, seed, lambda: time.monotonic() > end))
        except Exception as error:  # noqa: BLE001  # whatever it is, it is raised where the test is
            wrong.append(error)

    threads = [Thread(target=one, args=[number * PHONES + each]) for each in range(PHONES)]
    for thread in threads:
        thread.start()
    wal = Path(f"{service.database}-wal")
    longest = 0
    for thread in threads:
        while thread.is_alive():
            thread.join(0.1)
            longest = max(longest, wal.stat().st_size if is_sqlite() else 0)
    if wrong:
        raise wrong[0]
    return Lap(sum(answered), longest / 2**20)


class Watched(NamedTuple):
    """What was seen of a service: each worker's samples, one a lap; requests; the longest write-ahead log, in MB."""

    samples: list[list[Sample]]
    requests: int
    longest_wal: float


def watched(service: Service, minutes: float, calls: Counter[str]) -> Watched:
    """Have traffic at a service for so long, and look at its workers after each lap."""
    played, workers = evenings(seed=11, count=30), service.workers
    for game in range(3):  # everything there is at least once, however short the laps
        with phone(service.port, calls, random.Random(game)) as one:
            one.spends(played[game], lambda: False)
    samples: dict[int, list[Sample]] = {pid: [] for pid in workers}
    requests, longest_wal, seconds = 0, 0.0, max(1.0, minutes * 60 / LAPS - QUIET_SECONDS)
    for number in count():
        done = lap(service, played, calls, number, seconds)
        requests, longest_wal = requests + done.requests, max(longest_wal, done.wal)
        if requests < WARM_REQUESTS:
            continue
        time.sleep(QUIET_SECONDS)
        for pid in workers:
            samples[pid].append(sample(pid, requests // len(workers)))
        if len(samples[workers[0]]) == LAPS:
            break
    assert service.workers == workers
    return Watched(list(samples.values()), requests, longest_wal)


@pytest.mark.endurance
@pytest.mark.timeout(2 * 3600)
def test_memory_files_threads_and_the_write_ahead_log_stay_where_they_are(
    tmp_path: Path, request: pytest.FixtureRequest, figures: Callable[..., None]
) -> None:
    minutes, calls = request.config.getoption("--minutes"), Counter[str]()
    books = tmp_path / "ledger.db"
    with Service(books, app="tests.small:app", environment=GIVES_BACK) as service:
        seen = watched(service, minutes, calls)
        with service.client() as client:
            assert never_called(calls, client.asks("GET", "/openapi.json").body) == []
        assert "Traceback" not in service.said
    figures(
        minutes=minutes,
        requests=seen.requests,
        memory_in_MB=[f"{each[0].memory:.1f} to {each[-1].memory:.1f}" for each in seen.samples],
        grown_by=[f"{grown:.1f} MB in {requests} requests" for grown, requests in map(growth, seen.samples)],
        open_files=[f"{each[0].files} to {each[-1].files}" for each in seen.samples],
        threads=[f"{each[0].threads} to {each[-1].threads}" for each in seen.samples],
        longest_write_ahead_log=f"{seen.longest_wal:.1f} MB",
    )
    for each in seen.samples:
        assert growth(each)[0] < MAX_GROWTH, [one.memory for one in each]
        before, after = each[: LAPS // 3], each[-LAPS // 3 :]
        assert min(one.files for one in after) <= max(one.files for one in before) + MORE
        assert min(one.threads for one in after) <= max(one.threads for one in before) + MORE
    assert seen.longest_wal <= MAX_WAL
