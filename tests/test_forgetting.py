"""What was erased or deleted leaves the disk, while somebody reads the database in a program of their own.

Nobody waits for them: `NEVER` is how long whoever did would, so a test that ends has shown it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Signal

import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.test import TestResponse

from ledger.app import create_app
from ledger.cli import main
from tests.scorekeeper import Json, Scorekeeper, event
from tests.service import Service
from tests.store.contract import NEVER, in_threads

SECRET = "Zwetschgendatschi"
EVENING: Json = {"game": "shippin", "players": [SECRET, "Ben", "Chie", "Dai", "Emi"]}
ERASED = event("player_erased", player="p1")

pytestmark = pytest.mark.sqlite("what is forgotten is in its files")

SHELL = """
import sqlite3, sys
shell = sqlite3.connect(sys.argv[1], isolation_level=None)
shell.execute("BEGIN")
shell.execute("SELECT COUNT(*) FROM words").fetchone()
print("reads", flush=True)
sys.stdin.read()
"""


@contextmanager
def read_by_somebody(database: Path) -> Iterator[None]:
    """Read the database in one transaction, in a process of one's own."""
    command = [sys.executable, "-c", SHELL, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shell:
        assert shell.stdout
        assert shell.stdout.readline() == b"reads\n"
        try:
            yield
        finally:
            shell.communicate()


def is_on_the_disk(database: Path) -> bool:
    files = [file for file in database.parent.iterdir() if file.name.startswith(database.name)]
    return any(SECRET.encode() in file.read_bytes() for file in files)


CLEARED = "What was erased or deleted is cleared away now"


@contextmanager
def read_and_then_cleared(service: Service, *, says_so: bool) -> Iterator[None]:
    """Wait until the service has cleared the disk once nobody reads; pytest-timeout watches over it."""
    database = Path(service.database)
    with read_by_somebody(database):
        said_before = service.said.count(CLEARED)
        yield
        assert is_on_the_disk(database)
        assert not says_so or service.said.count(CLEARED) == said_before
    while is_on_the_disk(database) or (says_so and service.said.count(CLEARED) == said_before):
        time.sleep(0.05)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"LEDGER_DATABASE": tmp_path / "ledger.db", "LEDGER_BUSY_SECONDS": NEVER})
    yield made
    made.extensions["desk"].store.close()


def deletes(table: Scorekeeper) -> TestResponse:
    return table.client.delete(f"{table.address}?confirm={table.session_id}", headers=table.headers())


def test_the_answer_says_what_is_pending_as_long_as_it_is(app: Flask, tmp_path: Path) -> None:
    table, other = Scorekeeper(app.test_client()), Scorekeeper(app.test_client())
    table.opens(**EVENING)
    other.opens(**EVENING)
    with read_by_somebody(tmp_path / "ledger.db"):
        erased = table.tries(ERASED, Idempotency_Key="once", Prefer="return=minimal")
        again = table.tries(ERASED, Idempotency_Key="once")
        deleted = deletes(other)
        assert [answer.status_code for answer in (erased, again, deleted)] == [201, 201, 204]
        assert [answer.headers.get("Erasure-Pending") for answer in (erased, again, deleted)] == ["true"] * 3
        assert "Erasure-Pending" not in table.tries(event("round_opened")).headers
        assert SECRET not in table.client.get(table.address, headers=table.headers()).text
    assert app.extensions["desk"].store.finish_forgetting()
    assert not is_on_the_disk(tmp_path / "ledger.db")
    for answer in (table.tries(ERASED, Idempotency_Key="once"), table.tries(ERASED), deletes(table)):
        assert answer.status_code < 300
        assert "Erasure-Pending" not in answer.headers


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_service_brings_it_off_the_disk_by_itself_also_after_it_was_killed(tmp_path: Path, workers: int) -> None:
    """A single worker says so in the log; of two, the one that starts last may do it silently, before it serves."""
    database, says_so = tmp_path / "ledger.db", workers == 1
    with Service(database, workers=workers, busy_seconds=NEVER) as service, service.client() as client:
        opened = client.asks("POST", "/v1/sessions", EVENING)
        client.session_id, client.token = opened.body["session"]["id"], opened.body["link"]["token"]
        is_over = Signal()

        def write() -> None:
            with service.client() as other:
                other.opens()
                while not is_over.is_set():
                    assert other.tries(event("chips_moved", from_="bank", to="p1", amount=1)).status == 201

        def erase() -> None:
            try:
                assert client.tries(ERASED).headers["Erasure-Pending"] == "true"
            finally:
                is_over.set()

        with read_and_then_cleared(service, says_so=says_so):
            in_threads(write, erase)
        client.opens("shippin")
        client.asks("POST", f"{client.address}/events", {"events": [event("player_renamed", player="p1", name=SECRET)]})
        with read_and_then_cleared(service, says_so=says_so):
            assert client.tries(ERASED).headers["Erasure-Pending"] == "true"
            service.kill()
            service.start()


def test_the_command_line_says_what_is_pending_and_finishes_it(tmp_path: Path) -> None:
    database, run = tmp_path / "ledger.db", CliRunner().invoke
    app = create_app({"LEDGER_DATABASE": database})
    table = Scorekeeper(app.test_client())
    table.opens(**EVENING)
    there = {"LEDGER_DATABASE": str(database)}
    with read_by_somebody(database):
        deleted = run(main, ["delete", table.session_id, "--yes"], env=there)
        assert (deleted.exit_code, "is gone; somebody uses the database" in deleted.output) == (0, True)
        assert "not cleared away yet" in run(main, ["tidy"], env=there).output
        assert '"erasure_pending":true' in run(main, ["tidy", "--json"], env=there).output.replace(" ", "")
        assert "still in the database's files" in run(main, ["doctor"], env=there).output
        assert is_on_the_disk(database)
    assert run(main, ["tidy"], env=there).output == "deleted: 0\n"
    assert not is_on_the_disk(database)
    assert "still in" not in run(main, ["doctor"], env=there).output
    app.extensions["desk"].store.close()
