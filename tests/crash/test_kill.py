"""Processes killed in the middle of their work: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from ledger.storage.address import open_store
from tests.crash.whole import whole
from tests.crash.witnesses import Losses, Witness, all_repeated, at_work, losses_of, so_much_is_answered
from tests.databases import kept_at
from tests.service import Client, Service

pytestmark = pytest.mark.endurance

CLIENTS = 8
SESSIONS = 3
KILLS_A_DATABASE = 10
"""After so many kills it goes on with a new database, as all of a database is checked after each."""

SEED = int(os.environ.get("CRASH_SEED") or random.randrange(10**6))
"""Who reports what, and when they are interrupted, follows from it; what of that is under way, nobody can repeat."""


def test_what_was_acknowledged_outlives_a_kill_and_nothing_is_half_there(
    tmp_path: Path, request: pytest.FixtureRequest, figures: Callable[..., None]
) -> None:
    """Kill the whole service in the middle of what everybody does, as often as asked; check after each new start."""
    kills: int = request.config.getoption("--kills")
    total, seconds, chance = Losses(), list[float](), random.Random(SEED)
    figures(seed=SEED)
    for first in range(0, kills, KILLS_A_DATABASE):
        with Service(tmp_path / f"{first}.db", workers=2) as service:
            witnesses = witnesses_at(service, seed=SEED + first)
            for _ in range(min(KILLS_A_DATABASE, kills - first)):
                with at_work(service, witnesses):
                    so_much_is_answered(witnesses, chance.randint(10, 150))
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


def test_a_service_killed_while_it_starts_starts_the_next_time(tmp_path: Path, figures: Callable[..., None]) -> None:
    database, chance = tmp_path / "ledger.db", random.Random(SEED)
    figures(seed=SEED)
    service = Service(database, workers=2)
    for _ in range(6):
        service.launch()
        time.sleep(chance.uniform(0.2, 0.8))
        service.kill()
    with service, service.client() as client:
        client.opens()
        assert client.looks()["seq"] == 0
    store = open_store(kept_at(database))
    assert store.engine.is_ready()
    assert store.engine.damage() == []
