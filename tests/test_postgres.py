"""The PostgreSQL that tests use: found, shared, killed, and never left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.postgres import Server, installations
from tests.service import ROOT

pytest.importorskip("psycopg")
pytestmark = pytest.mark.skipif(not installations(), reason="there is no PostgreSQL on this machine")

USES_THE_SHARED_ONE = """
from tests.postgres import shared
server = shared()
print(server.folder, flush=True)
input()
"""


@contextmanager
def process_of_a_run(run: str) -> Iterator[subprocess.Popen[str]]:
    """Somebody who uses the server that all of a run share, until there is no more to read."""
    command = ["env", f"PYTEST_XDIST_TESTRUNUID={run}", sys.executable, "-c", USES_THE_SHARED_ONE]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def folder_told(process: subprocess.Popen[str]) -> Path:
    assert process.stdout
    return Path(process.stdout.readline().strip())


def is_gone(folder: Path, within: float = 20.0) -> bool:
    until = time.monotonic() + within
    while folder.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return not folder.exists()


@pytest.mark.slow
def test_processes_of_one_run_share_a_server_that_ends_with_the_last_of_them_however_it_ends(tmp_path: Path) -> None:
    with process_of_a_run(tmp_path.name) as one, process_of_a_run(tmp_path.name) as other:
        folder = folder_told(one)
        assert folder_told(other) == folder
        one.kill()
        one.wait()
        (server_pid, *_) = (folder / "data" / "postmaster.pid").read_text("ascii").split()
        with process_of_a_run(tmp_path.name) as third:
            assert folder_told(third) == folder
    assert is_gone(folder)
    assert not Path(f"/proc/{server_pid}/exe").exists()
    with process_of_a_run(tmp_path.name) as later:
        assert folder_told(later) != folder


def test_each_schema_is_a_database_of_its_own(postgres: Server) -> None:
    one, other = postgres.schema("one_of_two"), postgres.schema("other_of_two")
    assert one != other
    postgres.tells("CREATE TABLE one_of_two.words (text text)", "CREATE TABLE other_of_two.words (text text)")
    postgres.drop("one_of_two", "other_of_two", "never_made")
    assert postgres.tells("SELECT count(*) FROM pg_namespace WHERE nspname LIKE '%_of_two'") == [(0,)]


@pytest.mark.slow
@pytest.mark.parametrize("programs", installations(), ids=lambda programs: programs.parent.name)
def test_a_server_of_ones_own_keeps_what_it_said_it_has_when_it_is_killed(programs: Path) -> None:
    with Server(programs=programs, durable=True, tcp=True) as server:
        assert server.tells("SHOW fsync", "SHOW server_encoding") == [("UTF8",)]
        server.tells("CREATE TABLE words (text text)")
        for word in ("木曜日", "", "Ben"):
            server.tells(f"INSERT INTO words VALUES ('{word}')")  # noqa: S608 - the words stand above
            server.kill()
            assert not server.is_up()
            server.start()
        assert server.tells("SELECT text FROM words") == [("木曜日",), ("",), ("Ben",)]
        server.stop()
        assert not server.is_up()
    assert is_gone(server.folder)
