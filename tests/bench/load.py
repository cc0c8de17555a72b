"""Load on a service from `wrk`, a program in C: a client in Python would take the processor from what it measures."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.machine import processor, program
from tests.service import Service

SCRIPT = Path(__file__).with_name("load.lua")


class Loaded(NamedTuple):
    """What came of a load: answers a second; the time that 99 in 100 took at most, and of the processor, in seconds."""

    rate: float
    p99: float
    processor: float


def load(service: Service, requests: Sequence[Sequence[bytes]], seconds: int = 1) -> Loaded:
    """Keep one connection for each list of requests busy with them, one after the other. Raises NotInstalled."""
    connections, before = str(len(requests)), processor(service.workers)
    with tempfile.TemporaryDirectory() as folder:
        for number, texts in enumerate(requests):
            Path(folder, str(number)).write_bytes(b"\0".join(texts))
        threads = ["-t", connections, "-c", connections, "-d", f"{seconds}s"]
        wrk = [program("wrk"), *threads, "--timeout", "60s", "-s", str(SCRIPT)]
        command = [*wrk, f"http://127.0.0.1:{service.port}", "--", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout.splitlines()[-1])
    answers = told["answers"]
    assert answers, f"nothing was answered:\n{done.stdout}"
    assert not told["failed"], f"not everything was answered as it should be:\n{done.stdout}"
    return Loaded(answers / told["seconds"], told["p99"], (processor(service.workers) - before) / answers)
