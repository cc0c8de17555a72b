"""Beside others: PokerKit, which also plays cards by rules, Datasette and ihatemoney, which also keep rows for people.

They are installed into an environment of their own, `build/peers`, which is made where it is missing. What they are
measured by is as kind to them as it may be: tokens and not passwords, and each as its own documents start it.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from ledger.games import GAMES, newest
from ledger.session.history import SessionState
from ledger.session.rounds import ground_of
from schemas.loading import load_event, loaded
from schemas.sessions import NewSession
from tests.bench.evening import OPENING, ROUND
from tests.bench.load import Requests, load
from tests.bench.report import Effort, Figure, at_least, number
from tests.bench.throughput import CONNECTIONS, round_apart
from tests.bench.wire import Caller, get, post
from tests.service import ROOT, Service
from tests.session.tables import fold as played

PINNED = Path(__file__).with_name("peers.txt")
HOME = ROOT / "build" / "peers"
HAND = Path(__file__).with_name("pokerkit_hand.py")
SECONDS_TO_START = 60.0

FOLDING, RECORDING = "folding the round, beside PokerKit's hand", "recording it in memory, beside PokerKit's hand"
DATASETTE, IHATEMONEY = "a round event by event, beside Datasette's insert", "the same, beside ihatemoney's bill"
GOALS: Mapping[str, float] = {FOLDING: 10, RECORDING: 6, DATASETTE: 12, IHATEMONEY: 20}


class NotFound(Exception):
    """The others could not be installed."""


class Peer(NamedTuple):
    """Somebody else's service, and what each connection sends to it."""

    port: int
    requests: Requests
    workers: list[int]


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure ours and theirs in turns."""
    try:
        install(quick=effort.quick)
    except NotFound as error:
        for row, goal in GOALS.items():
            yield Figure(row, "", [], at_least(goal), str(error))
        return
    yield from beside_pokerkit(effort)
    with tempfile.TemporaryDirectory() as folder:
        yield beside(DATASETTE, datasette, Path(folder), effort)
        yield beside(IHATEMONEY, ihatemoney, Path(folder), effort)


def install(*, quick: bool) -> None:
    """Make the environment of the others, unless it is there as it is pinned. Raises NotFound."""
    done = HOME / "peers.txt"
    if done.exists() and done.read_bytes() == PINNED.read_bytes():
        return
    if quick:
        raise NotFound("the others are installed by the first run in earnest")
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", HOME], check=True, capture_output=True)
        pip = [str(HOME / "bin" / "pip"), "install", "--quiet", "--requirement", str(PINNED)]
        subprocess.run(pip, check=True, capture_output=True, text=True, timeout=300)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise NotFound(f"the others cannot be installed ({error})") from None
    done.write_bytes(PINNED.read_bytes())


# --- beside PokerKit ------------------------------------------------------------------------------------------------


def beside_pokerkit(effort: Effort) -> Iterator[Figure]:
    """Play the round by ourselves, by the bare rules and as it is recorded, and hands with PokerKit."""
    seconds = 0.1 if effort.quick else 0.7
    ratios: dict[str, list[float]] = {FOLDING: [], RECORDING: []}
    hands = []
    for _ in range(effort.repeats):
        played = subprocess.run(
            [HOME / "bin" / "python", HAND, str(seconds)], check=True, capture_output=True, text=True
        )
        hands.append(float(played.stdout))
        for row, work in {FOLDING: fold, RECORDING: record}.items():
            ratios[row].append(a_second(work, seconds) / hands[-1])
    for row, found in ratios.items():
        yield Figure(row, "times", found, at_least(GOALS[row]), f"{number(median(hands))} hands a second")


def a_second(work: Callable[[], object], seconds: float) -> float:
    """Say how often something can be done in a second of the processor."""
    times, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        work()
        times += 1
    return times / (time.process_time() - began)


BOOK = newest("shirinma")
OPENED = SessionState.opened(GAMES["shirinma"], loaded(NewSession, OPENING).opening())
GROUND = ground_of(OPENED.table, BOOK)
REPORTS = [load_event(event) for event in ROUND]


def fold() -> None:
    """Play the round by the rule book alone."""
    played(BOOK.play, BOOK.open_round(GROUND), REPORTS[1:])


def record() -> None:
    """Record the round event by event, with all that a session keeps of it in memory: its books and its history."""
    state = OPENED
    for event in REPORTS:
        for recorded in state.record_all([(event, BOOK.version)]):
            state = recorded.state


# --- beside services ------------------------------------------------------------------------------------------------


def beside(row: str, other: Callable[[Path], AbstractContextManager[Peer]], folder: Path, effort: Effort) -> Figure:
    """Let our service, with 16 connections in 16 sessions, and another one take turns."""
    ratios, theirs = [], []
    with Service(folder / "ledger.db") as service, other(folder) as peer:
        for _ in range(effort.of(3, 1)):
            theirs.append(load(peer, peer.requests, seconds=3, may_fail=True).rate)
            ratios.append(load(service, round_apart(service.port)).rate / theirs[-1])
    return Figure(row, "times", ratios, at_least(GOALS[row]), f"{number(median(theirs))} of theirs a second")


@contextmanager
def datasette(folder: Path) -> Iterator[Peer]:
    """Start Datasette, with a table much like our log."""
    with closing(sqlite3.connect(folder / "data.db")) as database:
        database.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, session TEXT, type TEXT, body TEXT)")
    program, secret = HOME / "bin" / "datasette", ["--root", "--secret", "hush"]
    token = subprocess.run([program, "create-token", "root", *secret[1:]], check=True, capture_output=True, text=True)
    row = {"session": "0123456789abcdef", "type": "bid_placed", "body": '{"amount":1,"player":"p1"}'}
    insert = post("/data/events/-/insert", {"row": row}, token.stdout.strip())
    with started(lambda port: [program, folder / "data.db", *secret, "-p", str(port)], get("/")) as port:
        yield Peer(port, [[insert]] * CONNECTIONS, [])


@contextmanager
def ihatemoney(folder: Path) -> Iterator[Peer]:
    """Start ihatemoney with the workers that we have, and its own example of a project."""
    settings = folder / "settings.py"
    settings.write_text(f'SQLALCHEMY_DATABASE_URI = "sqlite:///{folder}/money.db"\nSECRET_KEY = "hush"\n', "utf-8")
    options = ["--workers", "2", "--worker-class", "gthread", "--threads", "8", "--preload"]
    command = [str(HOME / "bin" / "gunicorn"), *options, "ihatemoney.wsgi"]
    with started(
        lambda port: [*command, "-b", f"127.0.0.1:{port}"], get("/demo"), IHATEMONEY_SETTINGS_FILE_PATH=str(settings)
    ) as port:
        password = b64encode(b"demo:demo").decode()
        with Caller(port) as caller:
            token = json.loads(caller.call(get("/api/projects/demo/token", Authorization=f"Basic {password}")).body)
        bill = {"date": "2026-11-22", "what": "chips", "payer": 1, "payed_for": [1, 2, 3], "amount": 10}
        yield Peer(port, [[post("/api/projects/demo/bills", bill, token["token"])]] * CONNECTIONS, [])


@contextmanager
def started(command: Callable[[int], Sequence[str | Path]], first: bytes, **environment: str) -> Iterator[int]:
    """Start a service on a port that is free, and wait until it has answered a first request."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    with subprocess.Popen(
        command(port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | environment
    ) as running:
        try:
            end = time.monotonic() + SECONDS_TO_START
            while True:
                assert running.poll() is None, "it does not run"
                try:
                    with Caller(port) as caller:
                        caller.call(first)
                    break
                except ConnectionRefusedError:
                    assert time.monotonic() < end, "it does not answer"
                    time.sleep(0.05)
            yield port
        finally:
            running.terminate()
