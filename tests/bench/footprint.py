"""Footprint: how long the service takes to start, and what memory it holds.

Starting is measured from the command to the first answer, in turns with a Flask application that says hello behind
plain gunicorn. What a session takes is measured by looking at many without events in a process of its own.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from ledger.services.session_cache import MAX_CACHED_EVENTS
from ledger.services.sessions import SessionService
from ledger.storage.address import open_store
from schemas.loading import loaded
from schemas.sessions import NewSession
from tests.bench.evening import OPENING
from tests.bench.machine import resident
from tests.bench.report import Effort, Figure, at_most, milliseconds
from tests.bench.wire import Caller, get
from tests.service import ROOT, Service

GUNICORN = [sys.executable, "-m", "gunicorn"]
SESSIONS, SESSIONS_IN_A_HURRY = 10_000, 300
SECONDS_TO_START = 60.0


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row."""
    with tempfile.TemporaryDirectory() as folder:
        with Service(Path(folder, "ledger.db")) as service:
            idle = [resident(pid) for pid in service.workers]
        environment = {"LEDGER_DATABASE": str(Path(folder, "ledger.db"))}
        ours, hello = list[float](), list[float]()
        for _ in range(effort.repeats):
            hello.append(seconds_to_start([*GUNICORN, "--workers", "2", "tests.bench.hello:app"], {}))
            ours.append(
                seconds_to_start([*GUNICORN, "-c", "python:ledger.serving.gunicorn_config", "wsgi:app"], environment)
            )
        ratios = [our / least for our, least in zip(ours, hello, strict=True)]
        beside = f"{milliseconds(median(ours))} : {milliseconds(median(hello))}"
        yield Figure("start to the first answer", "times hello world", ratios, at_most(2.5), beside)
        yield Figure("an idle worker", "MB", idle, at_most(55))
        yield sessions_without_events(Path(folder, "many.db"), effort.of(SESSIONS, SESSIONS_IN_A_HURRY))


def seconds_to_start(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Say how long a command takes until the service it starts has answered."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    # an operator's Python keeps what it has compiled, whatever this one was told
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    place = {"LEDGER_BIND": f"127.0.0.1:{port}", "GUNICORN_CMD_ARGS": f"--bind=127.0.0.1:{port}"}
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, env={**usual, **environment, **place}, stderr=subprocess.DEVNULL) as run:
        try:
            while time.perf_counter() - began < SECONDS_TO_START:
                try:
                    with Caller(port) as caller:
                        assert caller.call(get("/livez")).status == 200
                    return time.perf_counter() - began
                except ConnectionError:
                    time.sleep(0.002)
        finally:
            run.terminate()
    raise TimeoutError(f"{command} does not answer")


def sessions_without_events(database: Path, count: int) -> Figure:
    """Look at many sessions in which nothing has happened yet, in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.footprint", str(database), str(count)]
    grown: float = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    goal = at_most(MAX_CACHED_EVENTS * 2_000 / 2**20)  # an event takes about 2 kB
    return Figure(f"{count:,} sessions without events", "MB", [grown], goal, f"{grown * 1024 / count:.1f} kB each")


def grown_by(database: Path, count: int) -> float:
    """Open sessions, look at all of them, and say by how many MB that makes this process grow."""
    store = open_store(database)
    store.engine.prepare()
    service, opening = SessionService(store), loaded(NewSession, OPENING).opening()
    sessions = [service.open(opening)[0].id for _ in range(count)]
    service = SessionService(store)
    before = resident(os.getpid())
    for session in sessions:
        service.session(session)
    return resident(os.getpid()) - before


if __name__ == "__main__":
    print(json.dumps(grown_by(Path(sys.argv[1]), int(sys.argv[2]))))
