"""How many durable events a second are recorded over HTTP, beside a view that does nothing, and how fairly.

    .venv/bin/python -m tests.benchmarks.durable [WORKERS] [CONNECTIONS]

The service runs under gunicorn with synchronous=FULL: an event is answered once it is on the disk. Three kinds of
requests take turns: a POST to a view that does nothing, an event with each connection reporting to a session of its
own, and an event with all of them reporting to one. Each worker has as many connections as any other. The clients run
on the same machine, in one process.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

from tests.benchmarks.crowd import Heard, busy, by_worker, per_second, post, quantile, spread
from tests.scorekeeper import event
from tests.service import Service

WORKERS = 2
CONNECTIONS = 16
ROUNDS = 5
SECONDS = 2.0

NOTHING, APART, TOGETHER = "a view that does nothing", "an event, each in a session of its own", "an event, all in one"


def seconds_to_disk(folder: Path) -> float:
    """Say how long this disk takes to keep 4 KiB that are written over others."""
    times = []
    file = os.open(folder / "disk", os.O_CREAT | os.O_WRONLY)
    for _ in range(200):
        os.pwrite(file, os.urandom(4096), 0)
        begun = time.perf_counter()
        os.fsync(file)
        times.append(time.perf_counter() - begun)
    os.close(file)
    return median(times[1:])


def measured(database: Path, workers: int, connections: int) -> Mapping[str, list[list[Heard]]]:
    """Send every kind of request for a while, several times over."""
    heard: dict[str, list[list[Heard]]] = {NOTHING: [], APART: [], TOGETHER: []}
    reports = {"events": [event("chips_moved", from_="bank", to="p1", amount=1)]}
    with Service(database, workers=workers, app="tests.benchmarks.application:app") as service:
        sessions = []
        with service.client() as client:
            for _ in range(connections):
                client.token = ""
                client.opens("shippin")
                sessions.append(post(f"{client.address}/events", reports, client.token))
        requests: dict[str, Callable[[int], bytes]] = {
            NOTHING: lambda _number: post("/nothing", reports),
            APART: lambda number: sessions[number],
            TOGETHER: lambda _number: sessions[0],
        }
        callers = spread(service.port, connections, workers)
        for _ in range(ROUNDS):
            for kind, request in requests.items():
                heard[kind].append(busy(callers, SECONDS, request))
        for caller in callers:
            caller.socket.close()
    return heard


def main(workers: int = WORKERS, connections: int = CONNECTIONS) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"keeping 4 KiB on this disk: {seconds_to_disk(Path(folder)) * 1e3:.2f} ms (median)")
        heard = measured(Path(folder) / "ledger.db", workers, connections)
    print(f"{workers} workers, {connections} connections, {ROUNDS} rounds of {SECONDS:g} s each")
    plain = [per_second(answers) for answers in heard[NOTHING]]
    for kind, rounds in heard.items():
        assert {answer.status for answers in rounds for answer in answers} == {200 if kind is NOTHING else 201}
        ratios = sorted(per_second(answers) / each for answers, each in zip(rounds, plain, strict=True))
        rate = median(map(per_second, rounds))
        print(f"{kind}: ratio {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}), {rate:.0f} a second")
        for number, took in enumerate(by_worker([answer for answers in rounds for answer in answers]).values(), 1):
            p50, p99, most = (1e3 * time for time in (quantile(took, 0.5), quantile(took, 0.99), took[-1]))
            print(f"    worker {number}: {len(took):>6} answers, p50 {p50:.0f} ms, p99 {p99:.0f} ms, max {most:.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
