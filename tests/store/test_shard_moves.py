"""Sessions moved between shards while they are used, and whoever moves them killed at every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ledger.app import create_app
from ledger.cli import main
from ledger.store import (
    DatabaseDamaged,
    Store,
    StoreBusy,
    UnknownPart,
    open_store,
)
from ledger.store.address import ENGINES
from ledger.store.sharded import ShardedStore, moving, shard
from ledger.store.sqlite import SQLiteStore
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.store.contract import NEVER, A, StoreContract, append_next, everything, in_threads
from tests.store.memory import PLACES, MemoryStore
from tests.store.shards import AWAY, ENGINE, OTHER, homes, listed, lived_in, opened, writes_again


@pytest.fixture(autouse=True)
def _nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "memory", ENGINE)
    monkeypatch.setattr(shard, "LEFT_ALONE_SECONDS", 0.0)
    PLACES.clear()
    AWAY.clear()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A list of two shards in files."""
    return listed(tmp_path / "shards.toml", {name: (tmp_path / f"{name}.db", 1) for name in OTHER})


@pytest.fixture
def memories(tmp_path: Path) -> Path:
    """A list of two shards in memory."""
    return listed(tmp_path / "shards.toml", {name: (f"memory://{name}", 1) for name in OTHER})


# --- it is moved ------------------------------------------------------------------------------------------------------


def test_a_session_is_moved_and_whoever_uses_it_finds_it_without_being_told(files: Path) -> None:
    store, other = opened(files), opened(files)
    lived_in(store)
    before = everything(other, A)
    home = store.part_of(A)
    assert home is not None
    for there in (OTHER[home], home, OTHER[home]):
        assert store.move_session(A, there)
        assert homes(store) == [there]
        assert everything(store, A) == everything(other, A) == before
        assert not store.move_session(A, there)
    append_next(other, A)
    StoreContract.is_whole(store, A, 4)
    assert other.revoke_link(A, "link2", "2026-12-01T00:00:00Z")
    assert not store.forgetting_is_pending()
    assert store.passages() == []
    assert [len(list(one.store.events(A))) for one in store.shards if one.name == home] == [0]
    for each in (store, other):
        assert list(each.damage()) == []
        each.close()


def test_a_session_is_moved_from_a_file_to_postgresql_and_back(tmp_path: Path, postgres: Server) -> None:
    place = postgres.schema("shard_moves")
    store = opened(listed(tmp_path / "s.toml", {"east": (tmp_path / "east.db", 1), "west": (place, 0)}))
    lived_in(store)
    before = everything(store, A)
    for there in ("west", "east", "west"):
        assert store.move_session(A, there)
        assert homes(store) == [there]
        assert everything(store, A) == before
        append_next(store, A)
        before = everything(store, A)
    StoreContract.is_whole(store, A, 6)
    store.close()
    postgres.drop("shard_moves")


def test_over_http_people_record_and_follow_while_their_session_is_moved(files: Path) -> None:
    apps = [create_app({"LEDGER_DATABASE": files}) for _ in range(2)]
    keeper = Scorekeeper(apps[0].test_client())
    keeper.opens("shippin")
    store: ShardedStore = apps[1].extensions["desk"].store
    for number in range(6):
        home = store.part_of(keeper.session_id)
        assert home is not None
        assert store.move_session(keeper.session_id, OTHER[home])
        keeper.client = apps[number % 2].test_client()
        keeper.reports(event("chips_moved", from_="bank", to="p1", amount=5))
        assert keeper.looks("/verify")["events"] == number + 1
    for app in apps:
        app.extensions["desk"].store.close()


def test_who_writes_while_a_session_is_moved_is_told_to_come_back_and_who_reads_is_answered(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app({"LEDGER_DATABASE": files})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin")
    store, unpack = app.extensions["desk"].store, SQLiteStore.unpack
    seen: list[int] = []

    def meanwhile(self: SQLiteStore, *packed: Any, **how: Any) -> None:
        for moment in ("before", "after"):
            if moment == "after":
                unpack(self, *packed, **how)
            tried = keeper.tries(event("chips_moved", from_="bank", to="p1", amount=5))
            assert tried.headers["Retry-After"] == "1"
            deleted = keeper.client.delete(f"{keeper.address}?confirm={keeper.session_id}", headers=keeper.headers())
            looked = keeper.client.get(keeper.address, headers=keeper.headers())
            seen.extend([tried.status_code, deleted.status_code, looked.status_code])

    monkeypatch.setattr(SQLiteStore, "unpack", meanwhile)
    assert store.move_session(keeper.session_id, OTHER[store.part_of(keeper.session_id)])
    assert seen == [503, 503, 200] * 2
    keeper.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    assert keeper.looks("/verify")["events"] == 1
    store.close()


def test_nothing_is_lost_while_people_record_and_two_move_the_same_session(files: Path) -> None:
    stores = [opened(files) for _ in range(4)]
    lived_in(stores[0])

    def record(store: Store) -> None:
        done = 0
        while done < 30:
            with suppress(StoreBusy):
                append_next(store, A)
                done += 1

    def move(store: ShardedStore) -> None:
        for number in range(15):
            with suppress(StoreBusy):
                store.move_session(A, ["east", "west"][number % 2])

    in_threads(*(partial(record, store) for store in stores[:2]), *(partial(move, store) for store in stores[2:]))
    StoreContract.is_whole(stores[0], A, 63)
    stores[0].finish_forgetting()
    assert len(homes(stores[0])) == 1
    for store in stores:
        store.close()


def test_who_waits_for_news_is_called_when_a_session_is_moved_and_hears_of_what_comes_after(memories: Path) -> None:
    store, other = opened(memories), opened(memories)
    lived_in(store)
    home = store.part_of(A)
    assert home is not None
    heard: list[int] = []

    def listen() -> None:
        while not heard:
            assert other.wait_for_news(A, 3, NEVER)
            head = other.head(A)
            heard.extend([head.seq] if head and head.seq > 3 else [])

    def go_on() -> None:
        assert store.move_session(A, OTHER[home])
        append_next(store, A)

    in_threads(listen, go_on)
    assert heard == [4]


def test_what_cannot_be_moved_stays_where_it_is(memories: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(memories)
    lived_in(store)
    home = store.part_of(A)
    assert home is not None
    with pytest.raises(UnknownPart):
        store.move_session(A, "north")
    with pytest.raises(KeyError):
        store.move_session("nobody", "east")
    AWAY.add(f"memory://{OTHER[home]}")
    with pytest.raises(StoreBusy):
        store.move_session(A, OTHER[home])
    AWAY.clear()
    unpack = MemoryStore.unpack

    def other_links(self: MemoryStore, packed: Any, **how: Any) -> None:
        unpack(self, packed._replace(links=packed.links[:1]), **how)

    with monkeypatch.context() as patch:
        patch.setattr(MemoryStore, "unpack", other_links)
        with pytest.raises(DatabaseDamaged, match="link 2"):
            store.move_session(A, OTHER[home])
    append_next(store, A)
    StoreContract.is_whole(store, A, 4)
    assert homes(store) == [home]
    PLACES[f"memory://{OTHER[home]}"].sessions = PLACES[f"memory://{home}"].sessions
    with pytest.raises(DatabaseDamaged, match="is in both shards"):
        store.move_session(A, OTHER[store.part_of(A) or ""])


# --- whoever moves it is killed ---------------------------------------------------------------------------------------


class Killed(BaseException):
    """Nothing is done any more by who was killed."""


VERBS = ("step", "unpack", "pack", "finish_forgetting", "head", "passages")


@contextmanager
def killed(patch: pytest.MonkeyPatch, at: int, *, after: bool) -> Iterator[list[str]]:
    """Let somebody be killed at a call of a database, before it has its effect or after; give the calls."""
    calls: list[str] = []

    def dies(verb: Callable[..., Any], name: str, *given: Any, **named: Any) -> Any:
        calls.append(name)
        if len(calls) > at or (len(calls) == at and not after):
            raise Killed
        done = verb(*given, **named)
        if len(calls) == at:
            raise Killed
        return done

    with patch.context() as inner:
        for name in VERBS:
            verb = getattr(MemoryStore, name)
            inner.setattr(MemoryStore, name, lambda *given, _v=verb, _n=name, **named: dies(_v, _n, *given, **named))
        with suppress(Killed):
            yield calls


@pytest.mark.parametrize("after", [False, True])
def test_whoever_is_killed_at_any_step_leaves_the_session_in_exactly_one_home(
    memories: Path, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    ends = set[str]()
    for at in count(1):
        PLACES.clear()
        store = opened(memories)
        lived_in(store)
        before, home = everything(store, A), store.part_of(A)
        assert home is not None
        with killed(monkeypatch, at, after=after) as calls:
            opened(memories).move_session(A, OTHER[home])
        assert len(homes(store)) <= 1
        for each in (store, opened(memories)):
            assert everything(each, A) == before
            assert len(homes(store)) == 1
            assert each.session_ids() == [A]
        ends.add("there" if homes(store) == [OTHER[home]] else "here")
        writes_again(store, opened(memories), monkeypatch)
        if len(calls) < at:
            break
    assert at > 12
    assert ends == {"here", "there"}


@pytest.mark.parametrize("after", [False, True])
def test_who_is_killed_and_moves_again_has_moved_it(
    memories: Path, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    for at in range(1, 25):
        PLACES.clear()
        store = opened(memories)
        lived_in(store)
        before, home = everything(store, A), store.part_of(A)
        assert home is not None
        with killed(monkeypatch, at, after=after):
            opened(memories).move_session(A, OTHER[home])
        opened(memories).move_session(A, OTHER[home])
        assert homes(store) == [OTHER[home]]
        assert everything(store, A) == before
        assert store.passages() == []


def test_a_move_that_others_took_back_does_not_come_to_its_end(memories: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody stands still for minutes in the middle of a move, and then goes on."""
    store, other = opened(memories), opened(memories)
    lived_in(store)
    home, unpack = store.part_of(A), MemoryStore.unpack
    assert home is not None

    def stands_still(self: MemoryStore, *packed: Any, **how: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(moving, "PATIENCE", timedelta(seconds=-2))
            other.finish_forgetting()
        append_next(other, A)
        unpack(self, *packed, **how)

    with monkeypatch.context() as patch:
        patch.setattr(MemoryStore, "unpack", stands_still)
        with pytest.raises((StoreBusy, DatabaseDamaged)):
            store.move_session(A, OTHER[home])
    assert homes(store) == [home]
    StoreContract.is_whole(store, A, 4)
    assert store.passages() == []


# --- the command ------------------------------------------------------------------------------------------------------


def runs(path: Path, *words: str, exit_code: int = 0) -> str:
    done = CliRunner().invoke(main, ["rehome", *words], env={"LEDGER_DATABASE": str(path)})
    assert done.exit_code == exit_code, done.output
    return done.output


def test_a_shard_is_emptied_with_a_command(files: Path) -> None:
    store = opened(files)
    for number in range(8):
        lived_in(store, f"s{number}")
    away = [f"s{number}" for number in range(8) if store.part_of(f"s{number}") == "east"]
    store.close()
    assert 0 < len(away) < 8
    said = runs(files, "--from-shard", "east", "--to-shard", "west")
    assert f"moved: {len(away)}" in said
    assert all(one in said for one in away)
    assert "moved: 0" in runs(files, "--from-shard", "east", "--to-shard", "west")
    store = opened(files)
    assert {store.part_of(f"s{number}") for number in range(8)} == {"west"}
    store.close()
    assert "s3 lives in west" in runs(files, "s3", "--to-shard", "west")
    runs(files, "s3", "s4", "--to-shard", "east")
    with closing(opened(files)) as store:
        assert [store.part_of(one) for one in ("s2", "s3", "s4")] == ["west", "east", "east"]


def test_what_a_command_cannot_move_it_says(files: Path, tmp_path: Path) -> None:
    opened(files).close()
    assert "there is no such session" in runs(files, "nobody", "--to-shard", "west", exit_code=1)
    assert "has no shard 'north'; it has east, west" in runs(files, "nobody", "--to-shard", "north", exit_code=2)
    assert "either sessions, or --from-shard" in runs(files, "--to-shard", "west", exit_code=2)
    assert "either sessions, or --from-shard" in runs(
        files, "one", "--from-shard", "east", "--to-shard", "west", exit_code=2
    )
    open_store(tmp_path / "alone.db").prepare()
    assert "is one database" in runs(tmp_path / "alone.db", "nobody", "--to-shard", "west", exit_code=2)
