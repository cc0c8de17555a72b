"""What a synchronous replica adds, shown on the database alone: a commit is answered once another node has it as well.

The leader is behind a line that has got stuck, and tells the other nodes nothing more; and then it is killed.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from ledger.store.address import Address
from ledger.store.postgresql.log import head_of
from ledger.store.postgresql.store import PostgreSQLStore
from ledger.store.postgresql.writer import place_of, row_of, was_kept
from tests.failover.cluster import Cluster, Node, until
from tests.store.contract import FIRST, link, opening

pytestmark = [pytest.mark.slow, pytest.mark.failover, pytest.mark.timeout(600)]

WRITTEN = "INSERT INTO written VALUES (1)"
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
THERE = "SELECT count(*) FROM written"


@pytest.fixture(autouse=True)
def at_rest(cluster: Cluster) -> Iterator[None]:
    """A cluster in which all is well, with an empty table."""
    cluster.comes_to_rest()
    for statement in ("DROP TABLE IF EXISTS written", "CREATE TABLE written (number int)"):
        writes(cluster.leader(), statement)
    yield
    for node in cluster.nodes:
        node.starts()
    cluster.agrees_on(synchronous_mode=True)
    cluster.comes_to_rest()


def test_a_commit_is_not_answered_before_another_node_has_it(cluster: Cluster) -> None:
    leader = cluster.leader()
    leader.tells_nobody()
    with ThreadPoolExecutor() as beside:
        writing = beside.submit(writes, leader, WRITTEN)
        until(lambda: leader.asked(WAITS) == 1, "the commit waits")
        leader.is_killed()
        with pytest.raises(psycopg.OperationalError):
            writing.result()
    assert cluster.leader(other_than=leader).asked(THERE) == 0


def test_without_a_synchronous_replica_what_was_answered_last_can_be_lost(cluster: Cluster) -> None:
    cluster.agrees_on(synchronous_mode=False)
    cluster.comes_to_rest(roles=["leader", "replica", "replica"])
    leader = cluster.leader()
    leader.tells_nobody()
    writes(leader, WRITTEN)
    leader.is_killed()
    assert cluster.leader(other_than=leader).asked(THERE) == 0


def test_what_is_found_after_a_lost_commit_is_told_once_another_node_has_it(cluster: Cluster) -> None:
    leader = cluster.leader()
    store = PostgreSQLStore(Address.read(leader.url()))
    store.prepare()
    store.open_session(opening("a"), FIRST, link())
    with psycopg.connect(leader.url(), autocommit=True) as db, ThreadPoolExecutor() as beside:
        leader.tells_nobody()
        for take in (place_of("a"), row_of("a")):
            looking = beside.submit(was_kept, take, lambda db: head_of(db, "a") is not None, db)
            until(lambda: leader.asked(WAITS) == 1, "the look waits")
            assert not looking.done()
            leader.tells_all()
            assert looking.result()
            leader.tells_nobody()
    leader.tells_all()
    store.delete_session("a")
    store.close()


def writes(leader: Node, statement: str) -> None:
    with psycopg.connect(leader.url("postgres"), autocommit=True) as connection:
        connection.execute(statement.encode())
