"""A PostgreSQL server that stands still with its sockets open: nobody waits for it longer than they have to."""

from __future__ import annotations

import http.client
import os
import secrets
import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from ledger.store import NothingKept, Store, StoreBusy, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.scorekeeper import event
from tests.service import Service
from tests.store.contract import FIRST, A, append_next, link, opening, row

psycopg = pytest.importorskip("psycopg")

BUSY = 3.0
"""How long requests wait, in seconds: clearly longer than a probe does."""

QUICK = 0.3

A_PROBE = 2.0
"""What a probe may take, in seconds: its moment, and what a loaded machine takes for all the rest."""

MORE = 2.5
"""How much longer than it is told somebody may wait here: a second for the server to say so, and a loaded machine."""


@contextmanager
def standing_still(processes: list[int]) -> Iterator[None]:
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(processes):
            os.kill(pid, signal.SIGCONT)


def asked(service: Service, where: str) -> tuple[int, float]:
    """Ask as a probe does; give the status, and how many seconds it took."""
    began = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)) as connection:
        connection.request("GET", where)
        return connection.getresponse().status, time.monotonic() - began


@pytest.mark.slow
def test_while_the_server_hangs_probes_are_answered_within_a_moment_and_reports_with_503(tmp_path: Path) -> None:
    with (
        Server() as server,
        Service(tmp_path / "x", address=server.schema("books"), workers=1, busy_seconds=BUSY) as service,
        service.client() as client,
    ):
        client.opens()
        move = event("chips_moved", from_="bank", to="p1", amount=5)
        assert client.tries(move).status == 201
        with standing_still(server.processes):
            for _ in range(2):
                for where, status in (("/readyz", 503), ("/metrics", 200)):
                    found, took = asked(service, where)
                    assert found == status
                    assert took < A_PROBE
            began = time.monotonic()
            answered = client.tries(move, idempotency_key="again")
            assert time.monotonic() - began < BUSY + MORE
            assert answered.status == 503
            assert "Retry-After" in answered.headers
        until = time.monotonic() + 60
        while (again := client.tries(move, idempotency_key="again")).status == 503:
            assert time.monotonic() < until
        assert again.status == 201
        assert [each["seq"] for each in client.looks("/events")["events"]] == [1, 2]


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"hangs_{secrets.token_hex(6)}"
    yield Address.read(postgres.schema(name))
    postgres.drop(name)


def appends_while_the_server_stops(store: Store, address: Address) -> None:
    with store.writing(A) as log:
        log.append([row(2)], [], {})
        log.events(0)  # so that it is sent
        (serving,) = having_rows_of(address)
        os.kill(serving, signal.SIGSTOP)


def test_who_waits_in_vain_for_the_answer_of_a_commit_is_not_told_that_nothing_was_kept(address: Address) -> None:
    """What serves the connection goes on later, and keeps it."""
    with closing(open_store(address, busy_seconds=QUICK)) as store:
        store.prepare()
        store.open_session(opening(A), FIRST, link())
        append_next(store, A)
        began = time.monotonic()
        with pytest.raises(StoreBusy) as busy:
            appends_while_the_server_stops(store, address)
        took = time.monotonic() - began
        (serving,) = having_rows_of(address)
        os.kill(serving, signal.SIGCONT)
        assert took < 2 * QUICK + MORE
        assert not isinstance(busy.value, NothingKept)
        until = time.monotonic() + 30
        while len(list(store.events(A))) < 2:
            assert time.monotonic() < until
            time.sleep(0.01)


def having_rows_of(address: Address) -> list[int]:
    """Give the processes of the server that have rows of sessions for somebody who writes."""
    with psycopg.connect(address.whole) as db:
        found = db.execute(
            "SELECT pid FROM pg_locks WHERE relation = 'sessions'::regclass AND mode = 'RowShareLock'"
        ).fetchall()
    return [pid for (pid,) in found]
