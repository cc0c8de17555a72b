"""Throughput: what two workers carry from 16 connections, beside a view that does nothing in the same run.

The service and the no-op run under the same gunicorn, and take turns: one is under load at a time, and each ratio is
that of neighbours. Every event is answered once it is on the disk (synchronous=FULL). Sessions are opened anew for
every turn, so that all begin alike.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.evening import MOVED, OPENING, ROUND, TIMES_ROUND, Evening
from tests.bench.load import Loaded, Requests, load
from tests.bench.machine import program
from tests.bench.report import Effort, Figure, Goal, at_least, at_most, milliseconds, number
from tests.bench.wire import Caller, Heard, post
from tests.service import Service

CONNECTIONS = 16
A_BATCH = 50
SLOW_DISK = Path(__file__).with_name("slow_disk.c")


class Pair(NamedTuple):
    """What the service carried, and the no-op right before it."""

    service: Loaded
    nothing: Loaded

    @property
    def ratio(self) -> float:
        return self.service.rate / self.nothing.rate


class Work(NamedTuple):
    """One row: what is sent to the service on a port, and what share of the no-op's answers it should reach."""

    requests: Callable[[int], Requests]
    goal: Goal | None = None
    slow_disk: bool = False
    nothing: Callable[[int], Requests] | None = None
    """What is sent to the no-op, if it is not the round."""


def round_apart(port: int, **headers: str) -> Requests:
    """Each connection reports rounds, event by event, to a session of its own."""
    evenings = [Evening.opened(port) for _ in range(CONNECTIONS)]
    return [[evening.reports(event, **headers) for event in TIMES_ROUND] for evening in evenings]


def round_for_nothing(_port: int) -> Requests:
    evening = Evening("/v1/sessions/0123456789abcdef", "0123456789abcdef." + "0" * 43)
    return [[evening.reports(event) for event in TIMES_ROUND]] * CONNECTIONS


def in_batches(port: int) -> Requests:
    """The same rounds, 50 events in a request."""
    events = TIMES_ROUND * (A_BATCH // 2)  # so many that the last batch is full, and the deal where it began
    batches = [events[first : first + A_BATCH] for first in range(0, len(events), A_BATCH)]
    evenings = [Evening.opened(port) for _ in range(CONNECTIONS)]
    return [[evening.reports(*batch) for batch in batches] for evening in evenings]


def all_in_one(port: int) -> Requests:
    return [[Evening.opened(port).reports(MOVED)]] * CONNECTIONS


def unchanged(port: int) -> Requests:
    """Each connection looks at a session of its own, in the middle of a round, and has seen it already."""
    requests = []
    for _ in range(CONNECTIONS):
        evening = Evening.opened(port)
        with Caller(port) as caller:
            evening.played(caller, len(ROUND) // 2)
        requests.append([evening.looks(If_None_Match=f'"{len(ROUND) // 2}"')])
    return requests


def calculated(_port: int) -> Requests:
    table = {name: value for name, value in OPENING.items() if name != "game"}
    return [[post("/v1/calculate/shirinma", {**table, "events": ROUND})]] * CONNECTIONS


WORKS: Mapping[str, Work] = {
    "a round event by event, 16 sessions": Work(round_apart, at_least(0.35)),
    "the same, Prefer: return=minimal": Work(lambda port: round_apart(port, Prefer="return=minimal"), at_least(0.40)),
    "all 16 connections in one session": Work(all_in_one, at_least(0.30)),
    "16 sessions, +1 ms a fsync": Work(round_apart, at_least(0.25), slow_disk=True),
    "one session, +1 ms a fsync": Work(all_in_one, at_least(0.25), slow_disk=True),
    "a session's GET with If-None-Match": Work(unchanged, at_least(0.8)),
    "calculate of the round": Work(calculated, at_least(0.15), nothing=calculated),
}
ONE_BY_ONE, BATCHED = next(iter(WORKS)), f"a batch of {A_BATCH} events against one by one"


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as running:
        folder = Path(name)
        plain = running.enter_context(Service(folder / "plain.db"))
        slow = running.enter_context(Service(folder / "slow.db", environment=on_a_slow_disk(folder)))
        noop = running.enter_context(no_op(folder, plain.port))
        pairs: dict[str, list[Pair]] = defaultdict(list)
        gains = []
        for _ in range(effort.repeats):
            for row, work in WORKS.items():
                service = slow if work.slow_disk else plain
                nothing = load(noop, (work.nothing or round_for_nothing)(noop.port))
                pairs[row].append(Pair(load(service, work.requests(service.port)), nothing))
                if row == ONE_BY_ONE:
                    batched = load(service, in_batches(service.port))
                    gains.append(batched.rate * A_BATCH / pairs[row][-1].service.rate)
    for row, found in pairs.items():
        yield Figure(row, "of the no-op", [pair.ratio for pair in found], WORKS[row].goal, told(found))
    found = pairs[ONE_BY_ONE]
    p99 = " : ".join(milliseconds(median(each)) for each in zip(*((s.p99, n.p99) for s, n in found), strict=True))
    yield Figure("p99 of its POST", "of the no-op's", [s.p99 / n.p99 for s, n in found], at_most(2), p99)
    yield Figure(BATCHED, "times the events/s", gains, at_least(8))


def told(pairs: Sequence[Pair]) -> str:
    """Say what the ratios come from: answers a second, and what an answer takes of the processor."""
    services, nothings = zip(*pairs, strict=True)
    rates = " : ".join(number(median(each.rate for each in found)) for found in (services, nothings))
    took = " : ".join(f"{median(each.processor for each in found) * 1e6:.0f}" for found in (services, nothings))
    return f"{rates} a second; of the processor {took} µs"


def on_a_slow_disk(folder: Path) -> Mapping[str, str]:
    """Compile what adds a millisecond to every fsync; give the variables that have a program run with it."""
    library = folder / "slow_disk.so"
    subprocess.run([program("cc"), "-shared", "-fPIC", "-O2", "-o", library, SLOW_DISK, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


def no_op(folder: Path, port: int) -> Service:
    """Record what the service answers, and give the no-op that answers the same."""
    evening, answers = Evening.opened(port), folder / "answers"
    answers.mkdir()
    with Caller(port) as caller:
        recorded = [answered(caller, evening.reports(event)) for event in ROUND]
        answers.joinpath("event").write_bytes(sorted(recorded, key=len)[len(recorded) // 2])
        answers.joinpath("calculated").write_bytes(answered(caller, calculated(port)[0][0]))
    return Service(folder / "noop.db", app="tests.bench.noop:app", environment={"NOOP_ANSWERS": str(answers)})


def answered(caller: Caller, request: bytes) -> bytes:
    heard: Heard = caller.call(request)
    assert heard.status in {200, 201}, heard
    return heard.body
