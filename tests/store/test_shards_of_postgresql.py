"""Shards in PostgreSQL: which of them counts as missing, and how long anybody waits for it."""

from __future__ import annotations

import json
import logging
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from werkzeug.test import TestResponse

from ledger.app import create_app
from ledger.cli import main
from ledger.store import (
    BUSY_SECONDS,
    NoneFree,
    StoreBusy,
    StoreIsNewer,
    impatient,
    open_store,
    prepare_for_children,
    sharded,
)
from ledger.store.address import Address
from ledger.store.sharded import ShardedStore, shard
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.store.contract import FIRST, A, B, append_next, link, opening
from tests.store.shards import listed

pytest.importorskip("psycopg")

from ledger.store.postgresql import connections
from ledger.store.postgresql.store import PostgreSQLStore

SHARDS = ("east", "west")

BUSY = 3.0
"""How long requests wait, in seconds: clearly longer than a moment."""


@pytest.fixture(autouse=True)
def _few_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)


def opened(folder: Path, **places: object) -> ShardedStore:
    """Open shards at these places, by name."""
    path = listed(folder / "shards.toml", {name: (place, 1) for name, place in places.items()})
    store = open_store(path, busy_seconds=BUSY)
    assert isinstance(store, ShardedStore)
    return store


@pytest.fixture
def place(postgres: Server) -> Iterator[str]:
    name = f"shard_{secrets.token_hex(6)}"
    yield postgres.schema(name)
    postgres.drop(name)


@pytest.fixture
def store(tmp_path: Path, place: str) -> Iterator[ShardedStore]:
    """A shard in PostgreSQL with two sessions, and one in a file."""
    with closing(opened(tmp_path, east=place, west=tmp_path / "west.db")) as store:
        store.prepare()
        for session_id in (A, B):
            store.shards[0].store.open_session(opening(session_id), FIRST, link())
        yield store


@contextmanager
def all_lent(store: ShardedStore) -> Iterator[None]:
    """Have all connections to the first shard in use."""
    east = store.shards[0].store
    assert isinstance(east, PostgreSQLStore)
    with ExitStack() as until:
        for _ in range(connections.MOST_CONNECTIONS):
            lent = east._here.taken(east._here.until())
            until.callback(east._here.given_back, lent)
        yield


@pytest.mark.slow
def test_a_shard_whose_connections_are_all_in_use_is_not_missing(
    store: ShardedStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who looks in vain is told that it is busy; its sessions go on as soon as a connection is given back."""
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 3_600.0)
    assert store.head(A) is not None
    with all_lent(store):
        with impatient():
            assert store.is_ready()
            assert store.figures().missing == []
        for session_id in (A, B):  # one that is known, and one that is looked for
            with pytest.raises(StoreBusy), impatient():
                store.head(session_id)
    append_next(store, A)
    append_next(store, B)
    assert caplog.messages == []


@pytest.mark.slow
def test_who_finds_no_connection_is_told_whether_others_have_them_all(store: ShardedStore) -> None:
    with all_lent(store), pytest.raises(NoneFree), impatient():
        store.shards[0].store.head(A)
    with closing(open_store("postgresql://127.0.0.1:1/books")) as gone:
        with pytest.raises(StoreBusy, match="takes no connection") as busy, impatient():
            gone.head(A)
        assert not isinstance(busy.value, NoneFree)


def test_the_log_says_why_a_shard_is_missing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with (
        closing(opened(tmp_path, east="postgresql://127.0.0.1:1/books", west=tmp_path / "west.db")) as store,
        pytest.raises(StoreBusy),
    ):
        store.head(A)
    lines = [message for message in caplog.messages if message.startswith("The shard east")]
    assert len(lines) == 1
    assert lines[0].endswith("answered 503: postgresql://127.0.0.1:1/books takes no connection")


GONE = ("postgresql://127.0.0.1:1/books", "postgresql://127.0.0.1:1/more")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_west_there", "exists", "engine"),
    [(True, True, "sqlite"), (False, None, "sqlite"), (None, None, "none can be reached")],
)
def test_no_shard_is_called_absent_that_nobody_can_look_at(
    tmp_path: Path, *, is_west_there: bool | None, exists: bool | None, engine: str
) -> None:
    places = [GONE[0], GONE[1] if is_west_there is None else tmp_path / "west.db"]
    path = listed(tmp_path / "shards.toml", {name: (place, 1) for name, place in zip(SHARDS, places, strict=True)})
    if is_west_there:
        open_store(places[1]).prepare()
    with closing(open_store(path, busy_seconds=BUSY)) as store:
        if is_west_there:
            assert store.figures().missing == ["east"]
        assert not any("there is no database" in warning for warning in store.condition().warnings)
    told = CliRunner().invoke(main, ["doctor", "--json"], env={"LEDGER_DATABASE": str(path)})
    assert told.exit_code == 1
    said = json.loads(told.output)
    assert said["database"]["exists"] is exists
    assert said["2 shards"].startswith(engine)
    assert "postgresql" not in said["2 shards"]
    assert not any("no database yet" in note for note in said["notes"])
    assert any("127.0.0.1:1/books cannot be reached" in warning for warning in said["warnings"])
    listing = CliRunner().invoke(main, ["sessions"], env={"LEDGER_DATABASE": str(path)})
    assert listing.exit_code == (0 if is_west_there else 1)
    assert "there is no database" not in listing.output
    assert is_west_there or "127.0.0.1:1/books cannot be reached" in listing.output


@pytest.mark.slow
def test_a_shard_that_a_newer_release_has_changed_meanwhile_takes_no_others_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was out of reach when the service started. Neither a worker that runs ends, nor one that takes its place."""
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 0.0)
    with Server() as server:
        places = {"east": server.schema("books"), "west": str(tmp_path / "west.db")}
        open_store(places["east"]).prepare()
        server.stop()
        address = Address.read(tmp_path / "shards.toml")
        with closing(opened(tmp_path, **places)) as running:
            prepare_for_children(address, busy_seconds=BUSY)
            running.prepare()
            server.start()
            server.tells("INSERT INTO books.migrations VALUES ('m099_newer', now())")
            monkeypatch.setitem(sharded.PREPARED_BY, address.whole, -1)  # by who forks the workers
            with closing(opened(tmp_path, **places)) as instead:
                instead.prepare()
                for store in (running, instead):
                    assert store.is_ready()
                    assert store.figures().missing == ["east"]
                    assert "a newer release has changed it: m099_newer" in str(store.shards[0].why_not)
                    with pytest.raises(StoreBusy):
                        store.head(A)
        with pytest.raises(StoreIsNewer):
            prepare_for_children(address, busy_seconds=BUSY)


# --- how long it is waited for ----------------------------------------------------------------------------------------

TO_CONNECT = float(str(connections.USUAL["connect_timeout"]))
"""How long somebody waits to be connected where nothing is answered, in seconds."""

SOON = BUSY_SECONDS / 2
"""What is answered within this has not waited for a shard as a writer does."""

KEYED = {"Idempotency-Key": "b5f2f9d4-6c3c-4f0b-9f5a-0f5f4f6d1c2e"}

Asked = Callable[[Scorekeeper], TestResponse]

OPENING = {"game": "shirinma", "players": [f"Player {number}" for number in range(12)]}
LINK = {"role": "viewer", "label": "x"}


def keyed(keeper: Scorekeeper) -> dict[str, str]:
    return {**keeper.headers(), **KEYED}


def deleted(keeper: Scorekeeper) -> TestResponse:
    return keeper.client.delete(f"{keeper.address}?confirm={keeper.session_id}", headers=keeper.headers())


ASKED: dict[str, tuple[int, Asked]] = {
    "keyed opening": (503, lambda keeper: keeper.client.post("/v1/sessions", json=OPENING, headers=KEYED)),
    "keyed link": (201, lambda keeper: keeper.client.post(f"{keeper.address}/links", json=LINK, headers=keyed(keeper))),
    "erasing": (201, lambda keeper: keeper.tries(event("player_erased", player="p6"))),
    "metrics": (200, lambda keeper: keeper.client.get("/metrics")),
    "deleting": (204, deleted),
}
"""What is asked of a session whose shard is well, and the status that it is answered with."""


@pytest.mark.slow
def test_who_uses_a_shard_that_is_well_does_not_wait_for_one_that_has_just_gone(tmp_path: Path) -> None:
    with Server() as server:
        places = {"east": (server.schema("books"), 0), "west": (tmp_path / "west.db", 1)}
        app = create_app({"LEDGER_DATABASE": str(listed(tmp_path / "shards.toml", places))})
        store = app.extensions["desk"].store
        keeper = Scorekeeper(app.test_client())
        keeper.opens("kakkuri")
        server.kill()
        took = {}
        for name, (status, ask) in ASKED.items():
            for each in store.shards:
                each.why_not = None  # as if nobody knew yet
            began = time.monotonic()
            answer = ask(keeper)
            took[name] = time.monotonic() - began
            assert answer.status_code == status, (name, answer.text)
        assert max(took.values()) < SOON, took
        assert not store.forgetting_is_pending()
        store.close()


@pytest.mark.slow
def test_nobody_waits_long_for_a_shard_that_was_out_of_reach_when_the_service_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To connect takes seconds where nothing is answered at all."""
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        gone = f"postgresql://127.0.0.1:{silent.getsockname()[1]}/books"
        with closing(opened(tmp_path, east=gone, west=tmp_path / "west.db")) as store:
            store.prepare()
            for ask in (store.is_ready, store.figures, store.forgetting_is_pending):
                began = time.monotonic()
                ask()
                assert time.monotonic() - began < TO_CONNECT / 2
            began = time.monotonic()
            with pytest.raises(StoreBusy):
                store.head("nobody")
            assert time.monotonic() - began < TO_CONNECT / 2


@pytest.mark.slow
def test_a_shard_that_was_missing_at_the_start_is_prepared_once_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 0.0)
    with Server() as server:
        place = server.schema("books")
        server.stop()
        with closing(opened(tmp_path, east=place, west=tmp_path / "west.db")) as store:
            store.prepare()
            assert store.figures().missing == ["east"]
            server.start()
            until = time.monotonic() + 60
            while store.figures().missing:
                assert time.monotonic() < until
            assert store.head("nobody") is None


def test_a_file_that_was_missing_at_the_start_is_prepared_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 0.0)
    disk = tmp_path / "disk"
    disk.touch()  # which is no folder
    with closing(opened(tmp_path, east=disk / "east.db", west=tmp_path / "west.db")) as store:
        store.prepare()
        assert store.figures().missing == ["east"]
        disk.unlink()
        disk.mkdir()
        (disk / "east.db").touch()
        assert store.head("nobody") is None
        assert store.figures().missing == []
