"""What a replica of PostgreSQL holds back is not called forgotten, nor by a role that may see little of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from ledger.store import open_store
from tests.postgres import Server
from tests.store.contract import FIRST, A, link, opening

psycopg = pytest.importorskip("psycopg")

READS_THERE = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'walsender' AND backend_xmin IS NOT NULL"


@contextmanager
def replica_of(server: Server) -> Iterator[str]:
    """Start a replica that tells the server what is still read there; give its address."""
    data, port = server.folder / "replica", server.port + 1
    server.runs("pg_basebackup", "--pgdata", data, "--write-recovery-conf", "--checkpoint=fast", "--no-sync")
    with (data / "postgresql.conf").open("a", encoding="utf-8") as file:
        file.write(f"port = {port}\nhot_standby_feedback = on\nwal_receiver_status_interval = 1s\n")
    server.runs("pg_ctl", "start", "--wait", "--silent", "--pgdata", data, "--log", server.folder / "replica_log")
    try:
        yield server.address(port=str(port))
    finally:
        server.runs("pg_ctl", "stop", "--silent", "--mode=immediate", "--pgdata", data)


@pytest.mark.slow
def test_what_a_replica_holds_back_is_pending_also_for_a_plain_role() -> None:
    with Server() as server:
        server.tells("CREATE ROLE plain LOGIN", "CREATE SCHEMA AUTHORIZATION plain")
        with closing(open_store(server.address(user="plain"))) as store:
            store.prepare()
            store.open_session(opening(A), FIRST, link())
            with replica_of(server) as address, psycopg.connect(address) as reader:
                reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
                reader.execute("SELECT count(*) FROM pg_class")
                while server.tells(READS_THERE) != [(1,)]:
                    time.sleep(0.05)
                assert store.delete_session(A)
                assert store.forgetting_is_pending()
                assert not store.finish_forgetting()
                reader.rollback()
                while not store.finish_forgetting():
                    time.sleep(0.05)
            assert not store.forgetting_is_pending()
