"""PostgreSQL lost in the middle: what was kept is told so, what was not is done once more, nothing is kept twice."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

import pytest

from ledger.app import create_app
from ledger.store import Head, NothingKept, Store, StoreBusy, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.scorekeeper import Scorekeeper, event
from tests.store.contract import FIRST, A, B, StoreContract, append_next, link, opening

psycopg = pytest.importorskip("psycopg")

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = 'fuda-ledger' AND pid <> pg_backend_pid()"
)


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"lost_{secrets.token_hex(6)}"
    yield Address.read(postgres.schema(name))
    postgres.drop(name)


@pytest.fixture
def store(address: Address) -> Iterator[Store]:
    store = open_store(address)
    store.prepare()
    for session in (A, B):
        store.open_session(opening(session), FIRST, link())
    yield store
    store.close()


def is_called(commit: Callable[[object], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have something else done than a COMMIT, the first time that a connection of ours is to do one."""
    execute, instead = psycopg.Connection.execute, [commit]

    def executed(db: object, query: object, *args: object, **how: object) -> object:
        if query == "COMMIT" and instead:
            return instead.pop()(db)
        return execute(db, query, *args, **how)

    monkeypatch.setattr(psycopg.Connection, "execute", executed)


def lost(*, after_it: bool) -> Callable[[object], object]:
    """Lose the connection with a COMMIT, before or after it was done."""

    def commit(db: object) -> object:
        assert isinstance(db, psycopg.Connection)
        if after_it:
            db.cursor().execute("COMMIT")
        db.close()
        raise psycopg.OperationalError("the connection is lost")

    return commit


def test_a_commit_whose_answer_was_lost_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    is_called(lost(after_it=True), monkeypatch)
    append_next(store, A)
    append_next(store, A)
    StoreContract.is_whole(store, A, 2)


def test_a_commit_that_was_lost_kept_nothing_and_may_be_done_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_called(lost(after_it=False), monkeypatch)
    with pytest.raises(NothingKept):
        append_next(store, A)
    assert store.head(A) == Head(0, FIRST)
    append_next(store, A)
    StoreContract.is_whole(store, A, 1)


def test_who_cannot_look_does_not_say_what_became_of_it(
    store: Store, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    gives_up = open_store(address, busy_seconds=5)
    with psycopg.connect(address.whole) as other:

        def commit(db: object) -> object:
            lost_one = lost(after_it=False)
            with pytest.raises(psycopg.OperationalError):
                lost_one(db)
            other.execute("SELECT 1 FROM sessions FOR UPDATE")  # as a COMMIT that is still under way would
            raise psycopg.OperationalError

        is_called(commit, monkeypatch)
        with pytest.raises(StoreBusy) as busy:
            append_next(gives_up, A)
        assert not isinstance(busy.value, NothingKept)
    append_next(store, A)
    StoreContract.is_whole(store, A, 1)
    gives_up.close()


def test_a_connection_that_was_ended_is_replaced(store: Store, postgres: Server) -> None:
    for _ in range(3):
        postgres.tells(END_ALL)
        assert store.head(A) is not None
        append_next(store, A)
    StoreContract.is_whole(store, A, 3)


def test_a_report_whose_transaction_is_ended_is_recorded_once(
    address: Address, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app({"LEDGER_DATABASE": address.whole})
    table = Scorekeeper(app.test_client())
    table.opens("shippin")
    execute, ended = psycopg.Connection.execute, list[object]()

    def executed(db: object, query: object, *args: object, **how: object) -> object:
        if str(query).startswith("WITH taken") and not ended:  # what appends
            assert isinstance(db, psycopg.Connection)
            ended.append(postgres.tells(f"SELECT pg_terminate_backend({db.info.backend_pid})"))
        return execute(db, query, *args, **how)

    monkeypatch.setattr(psycopg.Connection, "execute", executed)
    answered = table.tries(event("chips_moved", **{"from": "bank", "to": "p1", "amount": 5}))
    assert (answered.status_code, len(ended)) == (201, 1)
    assert table.client.get(f"{table.address}/events", headers=table.headers()).get_json()["events"][-1]["seq"] == 1
    app.extensions["desk"].store.close()
