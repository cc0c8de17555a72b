"""Load on a service from `wrk`, a program in C: a client in Python would take the processor from what it measures."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.bench.machine import processor, program

SCRIPT = Path(__file__).with_name("load.lua")

Requests = Sequence[Sequence[bytes]]
"""What each connection sends, again and again."""


class Loaded(NamedTuple):
    """What came of a load: answers a second; the time that 99 in 100 took at most, and of the processor, in seconds."""

    rate: float
    p99: float
    processor: float


class Server(Protocol):
    """Whoever can be put under load, and the processes that bear it."""

    @property
    def port(self) -> int: ...

    @property
    def workers(self) -> list[int]: ...


def load(service: Server, requests: Requests, seconds: int = 1, *, may_fail: bool = False) -> Loaded:
    """Keep one connection for each list of requests busy with them, one after the other. Raises NotInstalled."""
    before = processor(service.workers)
    with tempfile.TemporaryDirectory() as folder:
        command = wrk(service.port, requests, seconds, Path(folder))
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    assert may_fail or not told["failed"], f"not everything was answered as it should be:\n{done.stdout}"
    answers = told["answers"] - told["failed"]
    if answers <= 0:
        return Loaded(0, inf, inf)
    return Loaded(answers / told["seconds"], told["p99"], (processor(service.workers) - before) / answers)


@contextmanager
def loaded_meanwhile(service: Server, requests: Requests) -> Iterator[None]:
    """Keep connections busy for as long as something else is done, whatever they are answered; then let it all end."""
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(wrk(service.port, requests, 3600, Path(folder)), stdout=subprocess.DEVNULL) as running,
    ):
        try:
            yield
        finally:
            running.kill()
            come_to_rest(service)


def come_to_rest(service: Server) -> None:
    """Wait until nobody computes any more, not even for who has hung up; at most for a while."""
    for _ in range(100):
        before = processor(service.workers)
        time.sleep(0.2)
        if processor(service.workers) - before < 0.02:
            return


def wrk(port: int, requests: Requests, seconds: int, folder: Path) -> list[str]:
    """Write the requests down, and the command that sends them."""
    for number, texts in enumerate(requests):
        folder.joinpath(str(number)).write_bytes(b"\0".join(texts))
    connections = str(len(requests))
    options = ["-t", connections, "-c", connections, "-d", f"{seconds}s", "--timeout", "60s", "-s", str(SCRIPT)]
    return [program("wrk"), *options, f"http://127.0.0.1:{port}", "--", str(folder)]
