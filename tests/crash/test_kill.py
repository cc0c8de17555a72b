"""Processes killed in the middle of their work: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from ledger.store import open_store
from tests.crash.witnesses import Losses, Witness, all_repeated, at_work, losses_of, so_much_is_answered
from tests.databases import bytes_of, kept_at
from tests.scorekeeper import event
from tests.service import Client, Service
from tests.store.whole import whole

pytestmark = pytest.mark.crash

CLIENTS = 8
SESSIONS = 3
KILLS_A_DATABASE = 10
"""After so many kills it goes on with a new database, as all of a database is checked after each."""


@pytest.mark.timeout(3600)
def test_what_was_acknowledged_outlives_a_kill_and_nothing_is_half_there(
    tmp_path: Path, request: pytest.FixtureRequest, figures: Callable[..., None]
) -> None:
    """Kill the whole service in the middle of what everybody does, as often as asked; check after each new start."""
    kills: int = request.config.getoption("--kills")
    total, seconds = Losses(), list[float]()
    for first in range(0, kills, KILLS_A_DATABASE):
        with Service(tmp_path / f"{first}.db", workers=2) as service:
            witnesses = witnesses_at(service, seed=first)
            for _ in range(min(KILLS_A_DATABASE, kills - first)):
                with at_work(service, witnesses):
                    so_much_is_answered(witnesses, random.randint(10, 150))
                    service.kill()
                began = time.monotonic()
                service.start()
                seconds.append(time.monotonic() - began)
                assert_nothing_is_wrong(losses_of(service, witnesses))
            all_repeated(service, witnesses)
            total += assert_nothing_is_wrong(losses_of(service, witnesses))
        for owner in {witness.owner.session_id for witness in witnesses}:
            whole(service.database, owner)
    figures(kills=kills, seconds_to_start_again=f"{max(seconds):.1f} at most", **total.figures)


def assert_nothing_is_wrong(losses: Losses) -> Losses:
    assert not losses.wrong, losses.examples[:20]
    return losses


def witnesses_at(service: Service, seed: int) -> list[Witness]:
    """Open sessions, and have clients for them."""
    owners = [Client(service.port) for _ in range(SESSIONS)]
    for owner in owners:
        owner.opens()
        owner.hangs_up()
    numbers = count(1)
    return [Witness(owners[each % SESSIONS], numbers, random.Random(seed + each)) for each in range(CLIENTS)]


def test_a_service_killed_while_it_starts_starts_the_next_time(tmp_path: Path) -> None:
    database = tmp_path / "ledger.db"
    service = Service(database, workers=2)
    for _ in range(6):
        service.launch()
        time.sleep(random.uniform(0.2, 0.8))
        service.kill()
    with service, service.client() as client:
        client.opens()
        assert client.looks()["seq"] == 0
    store = open_store(kept_at(database))
    assert store.is_ready()
    assert store.damage() == []


def test_a_deletion_that_is_killed_has_not_begun_or_is_brought_to_its_end(tmp_path: Path) -> None:
    """Kill it sometime, and at last when it has begun for certain; the next start does what is left of it."""
    database = tmp_path / "ledger.db"
    with Service(database, workers=2) as service:
        for is_last in (False, False, False, False, False, True):
            with service.client() as client, service.client() as other:
                client.opens()
                for amount in range(5):
                    many = [
                        event("chips_moved", from_="bank", to="p1", amount=1 + amount, note="zwetschgendatschi")
                    ] * 500
                    assert client.tries(*many).status == 201
                other.speaks_for(client)
                store = open_store(kept_at(database))
                deleting = Thread(target=deletes, args=[other])
                deleting.start()
                if is_last:
                    while store.head(client.session_id) is not None:
                        time.sleep(0.001)
                else:
                    time.sleep(random.uniform(0, 0.1))
                service.kill()
                deleting.join()
            service.start()
            if store.head(client.session_id) is not None:
                assert not is_last
                assert len(whole(kept_at(database), client.session_id).rows) == 2_500
                with service.client() as again:
                    again.speaks_for(client)
                    assert deletes(again) == 204
            while store.forgetting_is_pending():
                time.sleep(0.05)
            assert store.session_ids() == []
            assert store.damage() == []
            assert b"zwetschgendatschi" not in bytes_of(database)
            store.close()


def deletes(client: Client) -> int | None:
    """Delete a client's session, and say what was answered, if anything was."""
    with suppress(OSError):
        return client.asks("DELETE", f"{client.address}?confirm={client.session_id}").status
    return None
