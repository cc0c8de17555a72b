"""A move that is killed again and again: what is over there is whole each time, and in the end all of it is there."""

from __future__ import annotations

import json
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ledger.desk import Desk
from ledger.games import newest
from ledger.recording import Request
from ledger.session import Opening, RoundOpened, RoundVoided
from ledger.store import Store, open_store
from ledger.verification import verify
from tests.crash.test_kill import assert_nothing_is_wrong, witnesses_at
from tests.crash.witnesses import all_repeated, at_work, losses_of, so_much_is_answered
from tests.postgres import Server
from tests.service import ROOT, Service
from tests.store.contract import StoreContract

pytestmark = [pytest.mark.crash, pytest.mark.timeout(900)]

SESSIONS = 60
ROUNDS = [RoundOpened(), RoundVoided(reason="to be played again")] * 20
SEED = 13

Way = tuple[str, str]

Stands = Mapping[str, Sequence[object]]
"""How sessions stand: all that is packed of each."""


@pytest.fixture(params=["sqlite to postgresql", "postgresql to sqlite", "sqlite to sqlite"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Way]:
    """Where sessions are, and where they go."""
    schemas: dict[str, str] = {}

    def place(engine: str, name: str) -> str:
        if engine == "sqlite":
            return f"sqlite:///{tmp_path}/{name}.db"
        server: Server = request.getfixturevalue("postgres")
        return server.schema(schemas.setdefault(name, f"{name}_{secrets.token_hex(6)}"))

    source, target = request.param.split(" to ")
    yield place(source, "here"), place(target, "there")
    if schemas:
        request.getfixturevalue("postgres").drop(*schemas.values())


def go_on(desk: Desk) -> None:
    """Record some rounds in every session, and make a link."""
    for session_id in desk.store.session_ids():
        desk.recorder.record(session_id, ROUNDS, Request(by="whoever"))
        desk.add_link(session_id, "viewer", "the wall", None)


def stands(store: Store) -> Stands:
    return {one: StoreContract.contents_of(store, one) for one in store.session_ids()}


def begin(way: Way) -> subprocess.Popen[str]:
    source, target = way
    command = [sys.executable, "-m", "ledger", "move", "--from", source, "--to", target, "--json"]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ}, stdout=subprocess.PIPE, text=True)


def killed_in_the_middle(way: Way, target: Store, changes_seen: int) -> bool:
    """Kill a move once so many sessions are over there otherwise than before; False if it has ended before."""
    before = heads(target)
    with begin(way) as moving:
        while moving.poll() is None:
            if sum(before.get(one) != head for one, head in heads(target).items()) >= changes_seen:
                moving.send_signal(signal.SIGKILL)
                break
            time.sleep(0.001)
    return moving.returncode == -signal.SIGKILL


def heads(store: Store) -> Mapping[str, object]:
    return {one: store.head(one) for one in store.session_ids()} if store.exists() and store.is_ready() else {}


def moved_with_kills(way: Way, target: Store, allowed: Sequence[Stands], chance: random.Random) -> int:
    """Move with kills until it comes to its end; give how often it was killed."""
    kills = 0
    while killed_in_the_middle(way, target, chance.randint(1, SESSIONS // 6)):
        kills += 1
        for one, stand in stands(target).items():
            assert stand in [before[one] for before in allowed if one in before]
    return kills


def test_a_move_that_is_killed_anywhere_is_whole_and_goes_on(way: Way, figures: Callable[..., None]) -> None:
    here, there = way
    chance = random.Random(SEED)
    people = ("Aki", "Ben", "Chie", "Dai", "Emi")
    opening = Opening(game="shippin", deck="kabufuda", players=people, rules=newest("shippin").rules(), name="Friday")
    with closing(open_store(here)) as source, closing(open_store(there)) as target:
        source.prepare()
        desk = Desk(source)
        for _ in range(SESSIONS):
            desk.open(opening)
        go_on(desk)
        first = stands(source)
        kills = moved_with_kills(way, target, [first], chance)
        assert stands(target) == first
        go_on(desk)
        second = stands(source)
        kills += moved_with_kills(way, target, [first, second], chance)
        assert stands(target) == stands(source) == second
        with begin(way) as moving:
            told = json.loads(moving.communicate()[0])
        assert moving.returncode == 0
        assert {one["what"] for one in told["sessions"].values()} == {"there already"}
        assert all(verify(target, one).findings == () for one in target.session_ids())
        assert list(target.damage()) == []
    assert kills > 4
    figures(kills=kills, sessions=SESSIONS)


def test_a_database_is_moved_while_it_is_used_and_once_more_when_it_is_not_and_nothing_is_lost(
    way: Way, tmp_path: Path, figures: Callable[..., None]
) -> None:
    """As an operator does it who wants to stop for seconds only: what was acknowledged here is there afterwards."""
    here, there = way
    with Service(tmp_path / "first.db", address=here) as service:
        witnesses = witnesses_at(service, SEED)
        with at_work(service, witnesses):
            so_much_is_answered(witnesses, 200)
            with begin(way) as moving:
                first = json.loads(moving.communicate()[0])
            so_much_is_answered(witnesses, 200)
    assert first["moved_on"]
    gone = {session_id for session_id, one in first["sessions"].items() if one["what"] == "gone"}
    assert gone <= {session_id for witness in witnesses for session_id in [*witness.deleted, *witness.perhaps_deleted]}
    assert {one["what"] for session_id, one in first["sessions"].items() if session_id not in gone} == {"moved"}
    with begin(way) as moving:
        second = json.loads(moving.communicate()[0])
    assert (moving.returncode, second["ok"], second["moved_on"]) == (0, True, [])
    with Service(tmp_path / "second.db", address=there) as service:
        all_repeated(service, witnesses)
        losses = losses_of(service, witnesses)
    assert_nothing_is_wrong(losses)
    figures(acknowledged=losses.acknowledged, wrong=losses.wrong.total())
