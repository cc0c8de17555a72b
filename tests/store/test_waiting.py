"""Waiting for PostgreSQL under gevent: others go on meanwhile, and what goes wrong is told."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ledger.store.postgresql.waiting import Greenlets, connection_class
from tests.postgres import Server
from tests.service import ROOT

OTHERS_GO_ON = """
import sys
from gevent import monkey; monkey.patch_all()
import gevent, psycopg
from ledger.store.postgresql.waiting import Greenlets, connection_class

assert connection_class() is Greenlets
db = connection_class().connect(sys.argv[1], autocommit=True)
other = connection_class().connect(sys.argv[1], autocommit=True)
db.execute("SELECT pg_advisory_lock(4711)")
waiting = gevent.spawn(other.execute, "SELECT pg_advisory_lock(4711)")
while db.execute("SELECT count(*) FROM pg_locks WHERE objid = 4711 AND NOT granted").fetchone() != (1,):
    gevent.sleep(0.001)
db.execute("SELECT pg_advisory_unlock(4711)")
assert waiting.get(timeout=30).fetchone() == ("",)
assert other.execute("SELECT repeat('x', %s)", [5_000_000]).fetchone() == ("x" * 5_000_000,)
assert other.execute("SELECT length(%s)", ["x" * 5_000_000]).fetchone() == (5_000_000,)
assert list(other.notifies(timeout=0.01)) == []
waiting = gevent.spawn(other.execute, "SELECT pg_sleep(60)")
while not db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%'"
                     " AND pid <> pg_backend_pid()").fetchall():
    gevent.sleep(0.001)
try:
    waiting.get(timeout=30)
except psycopg.errors.AdminShutdown:
    print("told")
"""


def test_other_greenlets_go_on_while_one_waits_for_the_server(postgres: Server) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OTHERS_GO_ON, postgres.address()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "told\n", done.stderr


NOBODY_ANSWERS = """
import sys
if sys.argv[2] == "gevent":
    from gevent import monkey; monkey.patch_all()
import time
from ledger.store.postgresql.waiting import NoAnswer, connection_class

for how in ("until", "seconds"):
    db = connection_class().connect(sys.argv[1], autocommit=True)
    db.waits(**{how: 0.2 + (time.monotonic() if how == "until" else 0)})
    assert db.execute("SELECT 1").fetchone() == (1,)
    began = time.monotonic()
    try:
        db.execute("SELECT pg_sleep(60)")
    except NoAnswer:
        assert time.monotonic() - began < 30
        assert db.closed
        print("told")
db = connection_class().connect(sys.argv[1], autocommit=True)
db.waits(until=time.monotonic() + 0.1)
time.sleep(0.2)
db.waits(seconds=30)
assert db.execute("SELECT pg_sleep(0.3)").fetchone() == ("",)
"""


@pytest.mark.parametrize("how", ["gevent", "threads"])
def test_an_answer_is_waited_for_no_longer_than_is_said(postgres: Server, how: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOBODY_ANSWERS, postgres.address(), how],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "told\n" * 2, done.stderr


def test_without_gevent_psycopg_waits_in_its_own_way() -> None:
    assert connection_class() is not Greenlets
