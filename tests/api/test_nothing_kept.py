"""A database that is lost before anything was kept, at any verb of the store: it is done once more, or told as busy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from ledger.app import create_app
from ledger.store import NothingKept, Store
from ledger.store.address import ENGINES
from tests.api.documented import DocumentedClient
from tests.databases import kept_at
from tests.scorekeeper import Json, event
from tests.store.faults import WRITES, Table
from tests.store.memory import PLACES
from tests.store.shards import ENGINE, FlakyStore, listed

NEVER_LOST = {"forgetting_is_pending", "finish_forgetting", "is_ready", "figures", "exists", "close", "lose"}
"""Verbs that answer something whatever happens to the database."""

VERBS = [name for name, verb in vars(Store).items() if isfunction(verb) and name[0] != "_" and name not in NEVER_LOST]

READS: Mapping[str, Callable[[Table], TestResponse]] = {
    "look": lambda table: table.asks("GET"),
    "read the log": lambda table: table.asks("GET", "/events"),
    "read the books": lambda table: table.asks("GET", "/ledger"),
    "read what an event changed": lambda table: table.asks("GET", "/events/1/changes"),
    "list links": lambda table: table.asks("GET", "/links"),
    "settle": lambda table: table.asks("GET", "/settlement"),
    "verify": lambda table: table.asks("GET", "/verify"),
    "export": lambda table: table.asks("GET", "/export.csv"),
    "try": lambda table: table.keeper.tries(event("round_opened"), query="?dry_run=true"),
    "count": lambda table: table.keeper.client.get("/metrics"),
    "is ready": lambda table: table.keeper.client.get("/readyz"),
}
ASKED = {**READS, **WRITES}


class Lost:
    """Counts the calls of a store's verbs, and loses the database at one of them."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.at: Callable[[int, str], bool] = lambda _number, _verb: False
        self.is_watching = False

    def comes(self, verb: str) -> bool:
        """Say whether the database is lost at this call."""
        if not self.is_watching:
            return False
        self.calls.append(verb)
        return self.at(len(self.calls), verb)

    @contextmanager
    def watching(self, at: Callable[[int, str], bool] = lambda _number, _verb: False) -> Iterator[None]:
        """Count the calls of a block from 1, and lose the database at some of them."""
        self.calls, self.at, self.is_watching = [], at, True
        try:
            yield
        finally:
            self.is_watching = False


def losing(lost: Lost, name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    """Make a verb that may be lost: what is a block, when it ends; all others, before they begin."""

    def tried(*given: Any, **named: Any) -> Any:
        comes = lost.comes(name)
        if name in {"writing", "pack", "at_one_moment"}:
            return lost_at_its_end(verb(*given, **named)) if comes else verb(*given, **named)
        if comes:
            raise NothingKept
        return verb(*given, **named)

    return tried


@contextmanager
def lost_at_its_end(block: AbstractContextManager[object]) -> Iterator[object]:
    with block as begun:
        yield begun
        raise NothingKept


@pytest.fixture(params=["one database", "shards"])
def app(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    where: Any = kept_at(tmp_path / "ledger.db")
    if request.param == "shards":
        monkeypatch.setitem(ENGINES, "memory", ENGINE)
        monkeypatch.setattr("ledger.store.sharded.shard.LEFT_ALONE_SECONDS", 0.0)
        PLACES.clear()
        where = listed(tmp_path / "shards.toml", {name: (f"memory://{name}", 1) for name in ("east", "west")})
    made = create_app({"LEDGER_DATABASE": where})
    made.test_client_class = DocumentedClient
    yield made
    made.extensions["desk"].store.close()


@pytest.fixture
def lost(app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Lost:
    found, store = Lost(), app.extensions["desk"].store
    kind = FlakyStore if hasattr(store, "shards") else type(store)
    for name in VERBS:
        monkeypatch.setattr(kind, name, losing(found, name, getattr(kind, name)))
    caplog.set_level(logging.CRITICAL)
    return found


def is_told_as_busy(answer: TestResponse) -> bool:
    problem: Json = answer.get_json(silent=True) or {}
    return (answer.status_code, answer.headers.get("Retry-After"), problem.get("code")) == (503, "1", "store_busy")


@pytest.mark.parametrize("asked", ASKED)
def test_who_asks_while_the_database_is_lost_again_and_again_is_told_to_come_back(
    app: Flask, lost: Lost, asked: str
) -> None:
    """Each verb that a request needs is lost, whenever it is tried."""
    ask, calm = ASKED[asked], Table(app)
    with lost.watching():
        assert ask(calm).status_code < 300
    told = {}
    for verb in set(lost.calls):
        table = Table(app)
        with lost.watching(lambda _number, called, verb=verb: called == verb):  # type: ignore[misc]
            told[verb] = ask(table)
    wrong = {verb: answer.text for verb, answer in told.items() if answer.status_code >= 300}
    wrong = {verb: text for verb, text in wrong.items() if not is_told_as_busy(told[verb])}
    assert not wrong


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_lost_once_is_done_once_or_told_as_busy_and_not_kept(app: Flask, lost: Lost, asked: str) -> None:
    """Each call of a request is lost, one at a time."""
    ask, calm = ASKED[asked], Table(app)
    with lost.watching():
        ask(calm)
    wanted = calm.stands()
    for at in range(1, len(lost.calls) + 1):
        table = Table(app)
        before = table.stands()
        with lost.watching(lambda number, _verb, at=at: number == at):  # type: ignore[misc]
            answer = ask(table)
        where = f"{lost.calls[at - 1]}, call {at} of {lost.calls}"
        assert answer.status_code < 300 or is_told_as_busy(answer), (where, answer.text)
        assert table.stands() == (wanted if answer.status_code < 300 else before), where
        table.is_as_it_is_shown()
