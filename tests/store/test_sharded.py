"""Several databases behind one store: the contract, and what only shards have."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.test import TestResponse

from ledger.app import create_app
from ledger.cli import main
from ledger.config import Config
from ledger.starting import trouble
from ledger.store import (
    BUSY_SECONDS,
    DatabaseExchanged,
    DatabaseUnusable,
    Made,
    MadeBefore,
    Store,
    StoreBusy,
    StoreFull,
    StoreIsNewer,
    open_store,
    prepare_for_children,
)
from ledger.store.address import ENGINES, Address
from ledger.store.sharded import ShardedStore, shard
from ledger.store.sharded.listing import read_list
from ledger.store.sharded.spreading import score
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT
from tests.store import memory
from tests.store.contract import FIRST, KEY, A, StoreContract, append_next, everything, link, made, opening
from tests.store.faults import FaultContract, Faults
from tests.store.memory import PLACES, Contradiction, MemoryStore
from tests.store.shards import AWAY, ENGINE, listed

THREE = ("east", "south", "west")

PAGE_KEY = {"Idempotency-Key": "5f2b" * 8}
"""A key as the page makes them."""


@pytest.fixture(autouse=True)
def _nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "memory", ENGINE)
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 0.0)
    PLACES.clear()
    AWAY.clear()


class TestOverThreeFiles(StoreContract):
    contradiction: type[Exception] = sqlite3.IntegrityError

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Callable[[str], Address]:
        def address(name: str) -> Address:
            shards = {shard: (tmp_path / f"{name}-{shard}.db", 1) for shard in THREE}
            return Address.read(listed(tmp_path / f"{name}.toml", shards))

        return address

    @pytest.fixture
    def store(self, addresses: Callable[[str], Address]) -> Iterator[Store]:
        made = open_store(addresses("ledger"))
        made.prepare()
        yield made
        made.close()


def in_memory(folder: Path, name: str) -> Address:
    """List three shards in memory."""
    return Address.read(listed(folder / f"{name}.toml", {each: (f"memory://{each}{name}", 1) for each in THREE}))


class TestInMemory(TestOverThreeFiles):
    contradiction = Contradiction

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Callable[[str], Address]:
        return lambda name: in_memory(tmp_path, name)


class TestFaults(FaultContract):
    kinds = ("StoreFull", "StoreBusy", "OSError")
    errors = (StoreFull, StoreBusy, OSError)

    @pytest.fixture
    def faults(self, monkeypatch: pytest.MonkeyPatch) -> Faults:
        faults = Faults(lambda kind: {error.__name__: error for error in self.errors}[kind]())
        monkeypatch.setattr(memory, "step", lambda: faults.step(give_up=lambda: None))
        return faults

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Callable[[str], Address]:
        return lambda name: in_memory(tmp_path, name)


# --- where sessions go ------------------------------------------------------------------------------------------------


def opened(folder: Path, **weights: int) -> ShardedStore:
    """Open shards in memory that have these weights."""
    store = open_store(listed(folder / "shards.toml", {name: (f"memory://{name}", w) for name, w in weights.items()}))
    assert isinstance(store, ShardedStore)
    store.prepare()
    return store


def lives(session_id: str) -> list[str]:
    """Say in which shards a session is."""
    return [name.removeprefix("memory://") for name, place in PLACES.items() if session_id in place.sessions]


def test_new_sessions_are_spread_by_weight(tmp_path: Path) -> None:
    store = opened(tmp_path, east=3, south=1, west=0)
    for number in range(2_000):
        store.open_session(opening(f"s{number}"), FIRST, link())
    found = Counter(lives(f"s{number}")[0] for number in range(2_000))
    assert found["west"] == 0
    assert 1_400 < found["east"] < 1_600
    assert len(store.session_ids()) == 2_000


def test_what_is_opened_with_a_key_is_found_again_whoever_repeats_it_after_a_shard_was_added(tmp_path: Path) -> None:
    keys = [bytes([number]) * 32 for number in range(200)]
    store = opened(tmp_path, east=1, south=1)
    for number, key in enumerate(keys):
        store.open_session(opening(f"s{number}"), FIRST, link(), once=made(f"s{number}", key=key))
    before = {f"s{number}": lives(f"s{number}") for number in range(200)}
    store = opened(tmp_path, east=1, south=1, west=1)
    for number, key in enumerate(keys):
        assert store.made(key) == made(f"s{number}", key=key)
        with pytest.raises(MadeBefore):
            store.open_session(opening(f"t{number}"), FIRST, link(), once=made(f"t{number}", key=key))
    assert {f"s{number}": lives(f"s{number}") for number in range(200)} == before
    assert len(store.session_ids()) == 200


def test_a_shard_that_is_added_is_the_home_of_no_more_keys_than_its_part() -> None:
    keys = [number.to_bytes(32) for number in range(3_000)]

    def homes(weights: Mapping[str, int]) -> list[str]:
        return [max(weights, key=lambda name: score(name, weights[name], key)) for key in keys]

    before, after = homes({"east": 1, "south": 1}), homes({"east": 1, "south": 1, "west": 2})
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert set(changed) == {"west"}
    assert 1_400 < len(changed) < 1_600
    assert 1_400 < before.count("east") < 1_600


def test_a_key_opens_nothing_new_while_a_shard_that_may_know_it_is_missing(tmp_path: Path) -> None:
    store = opened(tmp_path, east=1, south=1)
    AWAY.add("memory://east")
    for number in range(40):
        once: Made = made(f"s{number}", key=bytes([number]) * 32)
        with pytest.raises(StoreBusy):
            store.open_session(opening(f"s{number}"), FIRST, link(), once=once)
        assert lives(f"s{number}") == []
    for number in range(40, 80):
        store.open_session(opening(f"s{number}"), FIRST, link())
        assert lives(f"s{number}") == ["south"]


@pytest.mark.parametrize("now", [{"east": 0, "south": 1}, {"east": 1, "south": 1, "west": 3}])
def test_what_was_opened_with_a_key_is_not_opened_anew_by_another_list_while_its_shard_is_missing(
    tmp_path: Path, now: Mapping[str, int]
) -> None:
    keys = [bytes([number]) * 32 for number in range(40)]
    store = opened(tmp_path, east=1, south=1)
    for number, key in enumerate(keys):
        store.open_session(opening(f"s{number}"), FIRST, link(), once=made(f"s{number}", key=key))
    homes = [lives(f"s{number}") for number in range(40)]
    assert homes.count(["east"]) > 5
    store = opened(tmp_path, **now)
    AWAY.add("memory://east")
    for number, (key, home) in enumerate(zip(keys, homes, strict=True)):
        with pytest.raises(StoreBusy if home == ["east"] else MadeBefore):
            store.open_session(opening(f"t{number}"), FIRST, link(), once=made(f"t{number}", key=key))
    AWAY.clear()
    assert len(store.session_ids()) == 40


OF_A_GREENLET = """
from ledger.store.sharded import ShardedStore
from ledger.store.sharded.shard import Moment
from gevent import monkey; monkey.patch_all()
import gevent

moment = Moment()
with moment.begun():
    assert moment.until is not None
    print(gevent.spawn(lambda: moment.until).get())
"""


def test_the_moment_at_which_one_request_reads_is_not_that_of_others_in_a_worker() -> None:
    """The process that forks the workers has opened the list, and with that this room, before gevent comes."""
    done = subprocess.run([sys.executable, "-c", OF_A_GREENLET], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "None\n", done.stderr


# --- one is missing ---------------------------------------------------------------------------------------------------


def test_a_shard_that_is_out_of_reach_takes_its_own_sessions_along_and_no_others(tmp_path: Path) -> None:
    store = opened(tmp_path, east=1, south=1, west=1)
    ids = [f"s{number}" for number in range(30)]
    for session_id in ids:
        store.open_session(opening(session_id), FIRST, link())
    for other in (store, opened(tmp_path, east=1, south=1, west=1)):
        AWAY.add("memory://south")
        for session_id in ids:
            if lives(session_id) == ["south"]:
                for use in (other.head, other.links, other.balances):
                    with pytest.raises(StoreBusy):
                        use(session_id)
                with pytest.raises(StoreBusy):
                    next(other.events(session_id))
                with pytest.raises(StoreBusy):
                    append_next(other, session_id)
            else:
                append_next(other, session_id)
        with pytest.raises(StoreBusy):
            other.head("nobody")
        assert other.is_ready()
        assert other.figures().missing == ["south"]
        assert {lives(one)[0] for one in other.session_ids()} == {"east", "west"}
        assert [str(one) for one in other.damage()] == ["south: : it cannot be reached (memory://south is away)"]
        AWAY.clear()
        assert other.head("nobody") is None
        assert other.session_ids() == sorted(ids)


def test_who_cannot_reach_a_shard_says_so_once_and_leaves_it_alone_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 3_600.0)
    store = opened(tmp_path, east=1, south=1)
    store.open_session(opening(A), FIRST, link())
    (home,) = lives(A)
    AWAY.add(f"memory://{home}")
    for _ in range(3):
        with pytest.raises(StoreBusy):
            store.head(A)
    assert len(caplog.messages) == 1
    assert home in caplog.messages[0]
    AWAY.clear()
    with pytest.raises(StoreBusy):
        store.head(A)
    for each in store.shards:
        each._left_alone_until = 0
    assert store.head(A) is not None
    assert caplog.messages[1:] == [f"The shard {home} can be reached again"]


def test_a_shard_that_was_missing_at_the_start_is_prepared_once_it_is_there(tmp_path: Path) -> None:
    AWAY.add("memory://south")
    store = opened(tmp_path, east=0, south=1, west=1)
    store.open_session(opening(A), FIRST, link())
    assert lives(A) == ["west"]
    assert not any("south" in name for name in PLACES)
    AWAY.clear()
    assert store.head("nobody") is None
    assert "memory://south" in PLACES


def test_the_service_does_not_start_without_any_shard_or_on_one_of_a_newer_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    AWAY.update({"memory://east", "memory://south"})
    for prepare in (
        lambda: opened(tmp_path, east=1, south=1),
        lambda: prepare_for_children(Address.read(tmp_path / "shards.toml")),
    ):
        with pytest.raises(DatabaseUnusable, match=r"none of the shards .* east: .* is away; south: "):
            prepare()
    AWAY.clear()

    def newer(_store: object, *, for_children: bool = False) -> None:
        raise StoreIsNewer(f"m999 {for_children}")

    monkeypatch.setattr(MemoryStore, "prepare", newer)
    with pytest.raises(StoreIsNewer):
        opened(tmp_path, east=1, south=1)


def test_the_service_does_not_start_if_a_shard_could_never_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To wait for it would be in vain: a driver is missing, or it has an address that its driver cannot read."""
    pytest.importorskip("psycopg")
    told = []
    for place in ("postgresql://nobody:sesame@127.0.0.1:1/books?sslmoed=x", "postgresql://127.0.0.1:1/books"):
        path = listed(tmp_path / "shards.toml", {"east": (tmp_path / "east.db", 1), "west": (place, 1)})
        told.append(trouble(Config.read({"LEDGER_DATABASE": str(path), "LEDGER_BUSY_SECONDS": "0.1"}), []))
        monkeypatch.setattr("ledger.store.postgresql.find_spec", lambda _name: None)
    assert told[0] is not None
    assert "is no address that PostgreSQL's library can read" in told[0]
    assert "sesame" not in told[0]
    assert told[1] is not None
    assert "pip install 'fuda-ledger[postgres]'" in told[1]


def test_one_shard_that_was_exchanged_takes_no_others_along(tmp_path: Path) -> None:
    store = opened(tmp_path, east=1, south=1)
    ids = [f"s{number}" for number in range(20)]
    for session_id in ids:
        store.open_session(opening(session_id), FIRST, link())
    store.lose("s0")
    for session_id in ids:
        if lives(session_id) == lives("s0"):
            with pytest.raises(DatabaseExchanged):
                store.head(session_id)
        else:
            assert store.head(session_id)
    assert store.is_ready()


def test_a_session_that_was_moved_is_found_where_it_is_now(tmp_path: Path) -> None:
    store, other = opened(tmp_path, east=1, south=1), opened(tmp_path, east=1, south=1)
    store.open_session(opening(A), FIRST, link())
    for _ in range(3):
        append_next(store, A)
    before = everything(store, A)
    assert everything(other, A) == before
    (old,) = lives(A)
    new = {"east": "south", "south": "east"}[old]
    reading = store.events(A, limit=2)
    next(reading)
    PLACES[f"memory://{new}"].sessions = {**PLACES[f"memory://{old}"].sessions}
    PLACES[f"memory://{old}"].sessions = {}
    assert next(reading).seq == 2
    assert everything(store, A) == before
    append_next(other, A)
    assert store.head(A) == other.head(A) != before[1]
    assert store.delete_session(A)
    assert everything(other, A) == (None, None, [], [], {}, None, [])


def test_what_is_left_of_a_moved_session_is_not_taken_for_the_session(tmp_path: Path) -> None:
    store = open_store(listed(tmp_path / "l.toml", {name: (tmp_path / f"{name}.db", 1) for name in ("east", "west")}))
    store.prepare()
    east, west = open_store(tmp_path / "east.db"), open_store(tmp_path / "west.db")
    for each in (east, west):
        each.open_session(opening(A), FIRST, link())
    with closing(sqlite3.connect(tmp_path / "east.db")) as db, db:
        db.execute("UPDATE sessions SET deleted_at = '2026-11-22T00:00:00Z', sum = NULL")
        db.execute("DELETE FROM links")
    assert list(store.sessions_to_delete()) == []
    assert list(east.sessions_to_delete()) == [A]
    assert store.finish_forgetting()
    assert list(east.sessions_to_delete()) == []
    assert store.head(A) == west.head(A)
    for each in (store, east, west):
        each.close()


# --- over HTTP, and for operators -------------------------------------------------------------------------------------


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app({"LEDGER_DATABASE": in_memory(tmp_path, "ledger")})


def test_over_http_only_the_sessions_of_a_missing_shard_are_answered_503(app: Flask) -> None:
    keepers = [Scorekeeper(app.test_client()) for _ in range(24)]
    for keeper in keepers:
        keeper.opens("shippin", name="New year")
    homes = [lives(keeper.session_id)[0].removesuffix("ledger") for keeper in keepers]
    assert set(homes) == set(THREE)
    AWAY.add("memory://southledger")
    for keeper, home in zip(keepers, homes, strict=True):
        tried = keeper.tries(event("chips_moved", from_="bank", to="p1", amount=5))
        looked = keeper.client.get(keeper.address, headers=keeper.headers())
        if home == "south":
            assert (tried.status_code, looked.status_code) == (503, 503)
            assert tried.headers["Retry-After"] == looked.headers["Retry-After"] == "1"
        else:
            assert (tried.status_code, looked.status_code) == (201, 200)
    client = app.test_client()
    assert client.get("/readyz").get_json() == {"status": "ok", "missing": ["south"]}
    assert "fuda_ledger_databases_missing 1.0" in client.get("/metrics").get_data(as_text=True)
    Scorekeeper(client).opens("shirinma")
    AWAY.clear()
    for keeper in keepers:
        keeper.reports(event("chips_moved", from_="bank", to="p1", amount=7))
        assert keeper.looks("/verify")["ok"]
    assert client.get("/readyz").get_json() == {"status": "ok"}
    assert "fuda_ledger_databases_missing 0.0" in client.get("/metrics").get_data(as_text=True)


@pytest.mark.parametrize("was_kept", [False, True])
def test_who_opens_with_a_key_as_the_page_does_opens_once_when_the_missing_shard_is_back(
    app: Flask, *, was_kept: bool
) -> None:
    """That a key was never sent before is known to nobody but who sends it."""
    client = app.test_client()
    opening = {"game": "shippin", "players": [f"Player {number}" for number in range(5)]}

    def asks(**headers: str) -> TestResponse:
        return client.post("/v1/sessions", json=opening, headers=headers)

    first = asks(**PAGE_KEY).get_json()["session"]["id"] if was_kept else None
    away = lives(first)[0] if first else "southledger"
    AWAY.add(f"memory://{away}")
    refused = asks(**PAGE_KEY)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert refused.get_json()["code"] == "store_busy"
    assert asks().status_code == 201
    AWAY.clear()
    answers = [asks(**PAGE_KEY) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    ids = {answer.get_json()["session"]["id"] for answer in answers}
    assert ids == ({first} if first else ids)
    assert len(ids) == 1
    assert len(app.extensions["desk"].store.session_ids()) == 2


def test_a_shard_is_added_while_people_record(tmp_path: Path) -> None:
    """A service of the old list and one of the new go on side by side, as while it is reloaded."""
    shards = {"east": ("memory://east", 1), "south": ("memory://south", 1)}
    path = listed(tmp_path / "shards.toml", shards)
    before = create_app({"LEDGER_DATABASE": path})
    keepers = [Scorekeeper(before.test_client()) for _ in range(6)]
    for keeper in keepers:
        keeper.opens("shippin")
        keeper.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    homes = [lives(keeper.session_id) for keeper in keepers]
    listed(path, {**shards, "west": ("memory://west", 1_000)})
    after = create_app({"LEDGER_DATABASE": path})
    for keeper in keepers:
        keeper.reports(event("chips_moved", from_="bank", to="p1", amount=6))
        keeper.client = after.test_client()
        keeper.reports(event("chips_moved", from_="bank", to="p1", amount=7))
        assert keeper.looks("/verify")["events"] == 3
    assert [lives(keeper.session_id) for keeper in keepers] == homes
    fresh = Scorekeeper(after.test_client())
    fresh.opens("shippin")
    assert lives(fresh.session_id) == ["west"]
    fresh.client = before.test_client()
    assert fresh.client.get(fresh.address, headers=fresh.headers()).status_code == 401


def test_the_doctor_names_the_shards_and_what_is_wrong_with_each(tmp_path: Path) -> None:
    path = listed(tmp_path / "s.toml", {"east": (tmp_path / "east.db", 1), "west": (tmp_path / "west.db", 1)})
    settings = {"LEDGER_DATABASE": str(path)}
    assert "no database" in CliRunner().invoke(main, ["sessions"], env=settings).output
    create_app(settings).extensions["desk"].store.close()
    told = CliRunner().invoke(main, ["doctor"], env=settings)
    assert told.exit_code == 0
    assert "2 shards" in told.output
    (tmp_path / "west.db").write_bytes(b"no database at all, but some other file of a hundred bytes" * 2)
    told = CliRunner().invoke(main, ["doctor"], env=settings)
    assert told.exit_code == 1
    assert "warning: west: " in told.output
    refused = CliRunner().invoke(main, ["backup", str(tmp_path / "copy.db")], env=settings)
    assert refused.exit_code == 1
    assert "each of which is backed up by itself" in refused.output


def silent(folder: Path, *names: str) -> ShardedStore:
    """Open a list that begins with PostgreSQL servers that are gone, which nobody here knows yet."""
    pytest.importorskip("psycopg")
    gone = {name: (f"postgresql://127.0.0.1:1/{name}", 1) for name in names}
    open_store("memory://west").prepare()
    store = open_store(listed(folder / "shards.toml", {**gone, "west": ("memory://west", 1)}))
    assert isinstance(store, ShardedStore)
    return store


def seconds_of(ask: Callable[[], object]) -> float:
    began = time.monotonic()
    ask()
    return time.monotonic() - began


SOON = BUSY_SECONDS / 2
"""What is answered within this has not waited for a shard as a writer does."""


@pytest.mark.slow
def test_who_looks_for_a_session_does_not_wait_for_a_shard_that_has_gone(tmp_path: Path) -> None:
    store = silent(tmp_path, "east", "south")
    open_store("memory://west").open_session(opening(A), FIRST, link())
    assert seconds_of(lambda: store.head(A)) < SOON
    store.close()


@pytest.mark.slow
def test_of_a_shard_that_has_gone_the_log_tells_once_and_its_pool_once_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    store = silent(tmp_path, "east")
    until = time.monotonic() + 20.0
    while (errors := errors_of(store)) < 4:
        with pytest.raises(StoreBusy):
            store.head("nobody")
        assert time.monotonic() < until, errors
    assert [name for name, *_ in caplog.record_tuples if name.startswith("ledger")] == ["ledger.store.sharded.shard"]
    assert len([name for name, *_ in caplog.record_tuples if name.startswith("psycopg")]) <= 2
    store.close()


def errors_of(store: ShardedStore) -> int:
    """Say how often the pool of the first shard has failed to connect."""
    pool: dict[str, int] = store.shards[0].store._here.pool.get_stats()  # type: ignore[attr-defined]
    return pool.get("connections_errors", 0)


@pytest.mark.slow
def test_it_is_known_soon_which_shards_have_gone_and_nobody_waits_for_them_twice(tmp_path: Path) -> None:
    app = create_app({"LEDGER_DATABASE": in_memory(tmp_path, "ledger")})
    store = app.extensions["desk"].store = silent(tmp_path, "east", "south")
    client = app.test_client()
    assert seconds_of(lambda: client.get("/readyz")) < SOON
    assert client.get("/readyz").get_json() == {"status": "ok", "missing": ["east", "south"]}
    for each in store.shards:
        each._left_alone_until = 0
    assert seconds_of(lambda: client.get("/metrics")) < SOON
    store.close()


@pytest.mark.slow
def test_one_of_three_postgresql_shards_is_stopped_and_comes_back(tmp_path: Path, postgres: Server) -> None:
    with Server() as south:
        places = {"east": postgres.schema("shard_east"), "south": south.schema("books")}
        shards = {"west": (tmp_path / "west.db", 1), **{name: (place, 1) for name, place in places.items()}}
        path = listed(tmp_path / "shards.toml", shards)
        store = open_store(path, busy_seconds=1.0)
        store.prepare()
        ids = [f"s{number}" for number in range(30)]
        for session_id in ids:
            store.open_session(opening(session_id), FIRST, link())
        away = set(open_store(places["south"]).session_ids())
        assert 0 < len(away) < 30
        south.kill()
        for session_id in ids:
            if session_id in away:
                with pytest.raises(StoreBusy):
                    append_next(store, session_id)
            else:
                append_next(store, session_id)
        assert store.figures().missing == ["south"]
        prepare_for_children(Address.read(path), busy_seconds=1.0)
        south.start()
        for session_id in away:
            append_next(store, session_id)
        assert {head.seq for one in ids if (head := store.head(one))} == {1}
        store.close()
        postgres.drop("shard_east")


# --- the list ---------------------------------------------------------------------------------------------------------

FINE = '[[shard]]\nname = "east"\naddress = "east.db"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there has to be at least one table"),
        ("shard = 3", "there has to be at least one table"),
        ("[[shards]]\nname = 3", "there is no 'shards' in such a list"),
        ("[[shard]\n", "has to be TOML"),
        (FINE + "color = 'red'", "shard 1 has 'color'; it may have name, address, weight"),
        (FINE.replace("east.db", ""), "the address of shard 1 is ''; it has to be the path"),
        ('[[shard]]\naddress = "a.db"', "the name of shard 1 has to be 1 to 64 letters"),
        (FINE.replace('"east"', '"east end"'), "the name of shard 1 has to be"),
        ('[[shard]]\nname = "east"', "the address of shard 1 has to be a text"),
        (FINE.replace("east.db", "other.toml"), "has to be of one database, and not of another list"),
        (FINE + "weight = 1001", "the weight of shard 1 has to be a whole number from 0 to 1000"),
        (FINE + "weight = -1", "the weight of shard 1 has to be"),
        (FINE + "weight = 1.5", "the weight of shard 1 has to be"),
        (FINE + "weight = true", "the weight of shard 1 has to be"),
        (FINE + "weight = 0", "every weight is 0"),
        (FINE + FINE.replace("east.db", "west.db"), "2 shards are called 'east'"),
        (FINE + FINE.replace('"east"', '"west"'), "2 shards are at east.db"),
        (FINE.replace("east.db", "mysql://aki:sesame@host/x"), "'mysql://aki:***@host/x'; it has to be"),
    ],
)
def test_a_list_that_is_wrong_is_refused_with_what_would_be_right(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "shards.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(DatabaseUnusable) as refused:
        open_store(path)
    assert said in str(refused.value)
    assert "sesame" not in str(refused.value)
    told = CliRunner().invoke(main, ["doctor"], env={"LEDGER_DATABASE": str(path)})
    assert told.exit_code == 1
    assert said in told.output


def test_a_list_that_is_not_there_or_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shards.toml"
    with pytest.raises(DatabaseUnusable, match=r"cannot be read \(No such file"):
        open_store(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DatabaseUnusable, match="it is no UTF-8"):
        open_store(path)


def test_no_password_in_a_list_is_ever_shown(tmp_path: Path) -> None:
    place = "postgresql://aki:sesame@127.0.0.1:1/books"
    path = listed(tmp_path / "shards.toml", {"east": (place, 1), "west": (tmp_path / "west.db", 1)})
    store = open_store(path, busy_seconds=0.1)
    assert isinstance(store, ShardedStore)
    store.prepare()
    seen = [
        store.address,
        *map(repr, store.shards),
        *map(repr, read_list(Address.read(path))),
        *map(str, store.damage()),
    ]
    assert any("east" in text for text in seen)
    for text in (*seen, repr(store.condition()), repr(store.figures())):
        assert "sesame" not in text
    for command in (["doctor"], ["sessions"], ["verify"]):
        told = CliRunner().invoke(main, command, env={"LEDGER_DATABASE": str(path), "LEDGER_BUSY_SECONDS": "0.1"})
        assert "sesame" not in told.output
    store.close()


def test_made_keys_of_all_shards_are_forgotten_in_time(tmp_path: Path) -> None:
    store = opened(tmp_path, east=1, south=1)
    store.open_session(opening(A), FIRST, link(), once=made(A))
    AWAY.add(next(name for name, place in PLACES.items() if KEY not in place.made))
    store.forget_made("9999")
    assert store.made(KEY) is None
