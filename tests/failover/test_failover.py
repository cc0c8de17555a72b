"""A replicated database loses its leader, again and again, under load: nothing that was acknowledged is lost with it.

Three PostgreSQL nodes under Patroni, two services, 16 clients: the leader is killed twice, with all of its processes
and its Patroni, and then cut off from etcd once, with its clients still there. What is promised is that nothing
acknowledged is lost, doubled or moved; for how long nobody could record is counted and told.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.failover.cluster import Cluster, Node, until
from tests.failover.recorders import Recorder, acknowledged, longest_gap, recorders, recording, wrong_in
from tests.service import ROOT, Service

pytestmark = [pytest.mark.endurance, pytest.mark.timeout(900)]

CLIENTS, SESSIONS = 16, 8
SERVICES = 2


class Fault(NamedTuple):
    """Something that happens to a leader, and how it is made good."""

    happens: Callable[[Node], None]
    is_made_good: Callable[[Node], None]


KILLED = Fault(Node.is_killed, Node.starts)
CUT_OFF = Fault(lambda leader: leader.to_etcd.is_cut(), lambda leader: leader.to_etcd.is_mended())

DRILL = {"the leader killed": KILLED, "the next leader killed": KILLED, "the leader cut off from etcd": CUT_OFF}


def test_what_was_acknowledged_outlives_the_leader_and_nothing_is_there_twice(
    cluster: Cluster, tmp_path: Path, figures: Callable[..., None]
) -> None:
    with ExitStack() as running:
        services = [Service(tmp_path / f"{number}.db", address=cluster.url) for number in range(SERVICES)]
        for service in services:
            running.enter_context(service)
        clients = recorders(services, CLIENTS, SESSIONS)
        with recording(clients):
            without_service = [seconds_without_service(cluster, clients, fault) for fault in DRILL.values()]
        for service in services:
            assert wrong_in(service, clients) == []
    verified = subprocess.run(
        [sys.executable, "-m", "ledger", "verify"],
        cwd=ROOT,
        env={**os.environ, "LEDGER_DATABASE": cluster.url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert verified.returncode == 0, verified
    tell(figures, clients, without_service)


def seconds_without_service(cluster: Cluster, clients: Sequence[Recorder], fault: Fault) -> float:
    """Do something to the leader while everybody records; say for how long nobody was acknowledged anything."""
    some_are_acknowledged(clients)
    leader, begun = cluster.leader(), time.monotonic()
    fault.happens(leader)
    cluster.leader(other_than=leader)
    some_are_acknowledged(clients)
    fault.is_made_good(leader)
    cluster.comes_to_rest()
    some_are_acknowledged(clients)
    return longest_gap(clients, begun, time.monotonic())


def some_are_acknowledged(clients: Sequence[Recorder]) -> None:
    """Wait until clients have been acknowledged some more, and each of them something."""
    before = [len(client.acknowledged) for client in clients]
    until(
        lambda: all(len(client.acknowledged) > had for client, had in zip(clients, before, strict=True)),
        "everybody is acknowledged something",
    )


def tell(figures: Callable[..., None], clients: Sequence[Recorder], without_service: Sequence[float]) -> None:
    """Keep how it went."""
    everything = [told for client in clients for told in client.acknowledged]
    statuses = sum((client.statuses for client in clients), start=Counter[int]())
    figures(
        requests_acknowledged=acknowledged(clients),
        events_acknowledged=sum(len(told.seqs) for told in everything),
        lost_doubled_moved_or_strange=0,
        answered_503=statuses[503],
        broken_off=sum(client.broken for client in clients),
        longest_wait_of_a_client=f"{max(told.waited for told in everything):.1f} s",
        seconds_without_service=", ".join(
            f"{gap:.1f} ({name})" for name, gap in zip(DRILL, without_service, strict=True)
        ),
    )
