"""A process that moves a session between shards and is killed (-9) at a statement: one shard has it, and all of it."""

from __future__ import annotations

import os
import secrets
import signal
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import pytest

from ledger.store import DividedStore, open_store
from ledger.store.sharded import ShardedStore
from tests.postgres import Server
from tests.store.contract import A, everything
from tests.store.shards import OTHER, homes, listed, lived_in, opened, writes_again

Listed = Callable[[int], Path]
"""A list of two shards that have nothing in them, each time."""


@pytest.fixture(params=["sqlite sqlite", "postgresql postgresql", "sqlite postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Listed]:
    server: Server | None = request.getfixturevalue("postgres") if "postgresql" in request.param else None
    run, schemas = secrets.token_hex(4), list[str]()

    def made(name: str, engine: str, number: int) -> object:
        if engine == "sqlite":
            return tmp_path / f"{name}{number}.db"
        assert server is not None
        schemas.append(f"{name}_{run}_{number}")
        return server.schema(schemas[-1])

    def lists(number: int) -> Path:
        if server is not None:
            server.drop(*schemas)
            schemas.clear()
        engines = dict(zip(OTHER, request.param.split(), strict=True))
        places = {name: (made(name, engine, number), 1) for name, engine in engines.items()}
        return listed(tmp_path / "shards.toml", places)

    yield lists
    if server is not None:
        server.drop(*schemas)


class Statements(sqlite3.Connection):
    """A connection whose process is killed at a statement."""

    left: int = 0

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        one_less()
        return super().execute(sql, *parameters)

    def executemany(self, sql: str, parameters: Any, /) -> sqlite3.Cursor:
        one_less()
        return super().executemany(sql, parameters)


def one_less() -> None:
    Statements.left -= 1
    if Statements.left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


def counted(verb: Callable[..., Any]) -> Callable[..., Any]:
    def done(*given: Any, **named: Any) -> Any:
        one_less()
        return verb(*given, **named)

    return done


def moves_and_is_killed(path: Path, there: str, at: int) -> bool:
    """Let a process move a session, and kill it at a statement; False if it came to its end before."""
    child = os.fork()
    if child == 0:
        move_in_the_child(path, there, at)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def move_in_the_child(path: Path, there: str, at: int) -> NoReturn:
    try:
        count_statements()
        store = open_store(path)
        assert isinstance(store, DividedStore)
        Statements.left = at
        store.move_session(A, there)
    finally:
        os._exit(0)


def count_statements() -> None:
    """Have each statement counted, of whatever engine, as far as it can be had."""
    sqlite3.connect = partial(sqlite3.connect, factory=Statements)  # type: ignore[assignment]
    try:
        from psycopg import Cursor  # noqa: PLC0415 - only where it is
    except ImportError:
        return
    for name in ("execute", "executemany", "copy"):
        setattr(Cursor, name, counted(getattr(Cursor, name)))


@pytest.mark.parametrize("is_quick", [True, pytest.param(False, marks=pytest.mark.crash)])
@pytest.mark.timeout(1_800)
def test_a_process_that_is_killed_at_any_statement_leaves_one_home(
    fresh: Listed,
    monkeypatch: pytest.MonkeyPatch,
    figures: Callable[..., None],
    request: pytest.FixtureRequest,
    *,
    is_quick: bool,
) -> None:
    """At one in 17, or in 3; at each with `--kills=15`."""
    ends, apart = {"here": 0, "there": 0}, 17 if is_quick else max(1, 15 // request.config.getoption("--kills"))
    for at in count(1, apart):
        is_killed, end = is_killed_at(at, fresh(at), monkeypatch)
        ends[end] += 1
        if not is_killed:
            break
    figures(kills=sum(ends.values()) - 1, **ends)
    assert min(ends.values()) > 0


def is_killed_at(at: int, path: Path, patch: pytest.MonkeyPatch) -> tuple[bool, str]:
    """Have a process killed at a statement, and say whether it was, and where the session is then."""
    store = opened(path)
    lived_in(store)
    before, home = everything(store, A), home_in(store)
    store.close()
    is_killed = moves_and_is_killed(path, OTHER[home], at)
    store, other = opened(path), opened(path)
    assert len(homes(store)) <= 1
    for each in (store, other):
        assert everything(each, A) == before
        assert len(homes(store)) == 1
    end = "there" if homes(store) == [OTHER[home]] else "here"
    writes_again(store, other, patch)
    for each in (store, other):
        assert list(each.damage()) == []
        each.close()
    return is_killed, end


def home_in(store: ShardedStore) -> str:
    home = store.part_of(A)
    assert home is not None
    return home
