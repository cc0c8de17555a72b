"""Whoever writes in PostgreSQL gets along with the one connection that they have, however many others write."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from ledger.app import create_app
from ledger.desk import Desk
from ledger.hash_chain import SaltedText
from ledger.records import replace
from ledger.session_cache import SessionCache
from ledger.store import open_store
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.store.contract import FIRST, A, B, in_threads, link, opening

pytest.importorskip("psycopg")

from ledger.store.postgresql import connections
from ledger.store.postgresql import store as engine


@pytest.fixture
def address(postgres: Server) -> Iterator[str]:
    name = f"few_{secrets.token_hex(6)}"
    yield postgres.schema(name)
    postgres.drop(name)


@pytest.fixture
def keeper(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scorekeeper]:
    """Who keeps books at a worker with one connection, as the last of many has that all write at once."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 1)
    app = create_app({"LEDGER_DATABASE": address, "LEDGER_BUSY_SECONDS": 1})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin", players=["Zwetschge", "Ben", "Chie"])
    yield keeper
    app.extensions["desk"].store.close()


def moved() -> dict[str, object]:
    return event("chips_moved", from_="bank", to="p1", amount=1)


def test_who_erases_somebody_needs_no_second_connection(keeper: Scorekeeper) -> None:
    answer = keeper.tries(event("player_erased", player="p1"))
    assert answer.status_code == 201, answer.text
    assert "Zwetschge" not in keeper.client.get(keeper.address, headers=keeper.headers()).text


def test_who_records_in_a_session_that_is_in_nobodys_memory_by_then_needs_no_second_connection(
    keeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = SessionCache.look

    def looked(self: SessionCache, session_id: str) -> object:
        found = look(self, session_id)
        self.drop(session_id)  # as others do who need the room
        return found

    desk: Desk = keeper.client.application.extensions["desk"]
    desk._cache.drop(keeper.session_id)
    monkeypatch.setattr(SessionCache, "look", looked)
    answer = keeper.tries(moved())
    assert answer.status_code == 201, answer.text


def test_one_at_a_time_has_a_connection_to_clear_away_with(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others would wait at the server for the same tables, each with a connection beside the worker's sixteen."""
    two, met = threading.Barrier(2), []

    def meets(_db: object) -> bool:
        try:
            met.append(two.wait(0.5))
        except threading.BrokenBarrierError:
            return True
        return False

    monkeypatch.setattr(engine, "clear_away", meets)
    with closing(open_store(address)) as store:
        store.prepare()
        for session in (A, B):
            store.open_session(replace(opening(session), words={"note": SaltedText(b"1", "said")}), FIRST, link())

        def forgets(session: str) -> None:
            with store.writing(session) as log:
                log.forget({(0, "note"): "gone"}, {})

        in_threads(lambda: forgets(A), lambda: forgets(B))
    assert met == []
