"""The connections to PostgreSQL: which is lent to whom, and what they are told whatever is usual at the server."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator

import pytest

from ledger.store import BUSY_SECONDS, StoreBusy
from ledger.store.address import Address
from tests.postgres import Server

pytest.importorskip("psycopg")

from ledger.store.postgresql import connections
from ledger.store.postgresql.connections import Connections, ours_at

QUICK = 0.3
"""Seconds: as long as whoever waits in vain is to wait."""


@pytest.fixture
def here(postgres: Server) -> Iterator[Connections]:
    here = Connections(Address.read(postgres.address()), 20.0)
    yield here
    here.close()


def test_the_connection_that_was_used_last_is_lent_first(here: Connections) -> None:
    first, second = (here.taken(here.until()) for _ in range(2))
    here.given_back(first)
    here.given_back(second)
    for _ in range(3):
        lent = here.taken(here.until())
        assert lent is second
        here.given_back(lent)
    assert [here.taken(here.until()) for _ in range(2)] == [second, first]
    here.given_back(second)
    here.given_back(first)


def test_who_waits_gets_the_first_that_is_given_back(here: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 1)
    monkeypatch.setattr(connections, "A_TRY_SECONDS", 3_600.0)
    here.given_back(here.taken(here.until()))
    lent = here.taken(here.until())
    got: list[object] = []
    waiting = threading.Thread(target=lambda: got.append(here.taken(time.monotonic() + 3_600)), daemon=True)
    waiting.start()
    while not here.pool.get_stats().get("requests_waiting"):
        time.sleep(0.001)
    here.given_back(lent)
    waiting.join(30)
    assert got == [lent]
    with pytest.raises(StoreBusy):
        here.taken(time.monotonic() + QUICK)
    here.given_back(lent)


def test_the_pool_gets_them_back_after_a_while_and_may_renew_them(
    here: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent = [here.taken(here.until()) for _ in range(3)]
    for each in lent:
        here.given_back(each)
    before = here.pool.get_stats()["pool_available"]
    monkeypatch.setattr(connections, "AT_HAND_SECONDS", 0.0)
    here._tidy_at = 0.0
    here.given_back(here.taken(here.until()))
    assert here.pool.get_stats()["pool_available"] >= 3 > before


def test_none_is_left_open_when_all_are_closed(here: Connections) -> None:
    lent = [here.taken(here.until()) for _ in range(3)]
    for each in lent[:2]:
        here.given_back(each)
    here.close()
    here.given_back(lent[2])
    assert all(each.closed for each in lent)


def test_no_timeout_that_is_usual_at_the_server_cuts_what_the_service_does(postgres: Server) -> None:
    """A COMMIT that waits for a replica would be answered without it, and an export end where its reader stops."""
    name = f"timeouts_{secrets.token_hex(6)}"
    postgres.tells(f"CREATE ROLE {name} LOGIN SUPERUSER")
    for setting in ("statement_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"):
        postgres.tells(f"ALTER ROLE {name} SET {setting} = '50ms'")
    here = Connections(Address.read(postgres.address(user=name)), 20.0)
    try:
        assert here.tried(lambda db: db.execute("SELECT current_user, pg_sleep(0.2)").fetchone()) == (name, "")
        serving = here.tried(lambda db: db.info.backend_pid)
        time.sleep(0.2)  # as long as a quiet evening's next report takes
        assert here.tried(lambda db: db.execute("SELECT pg_backend_pid()").fetchone()) == (serving,)
        with here.at_one_moment():
            time.sleep(0.2)  # as long as a reader takes who reads slowly
            assert here.tried(lambda db: db.execute("SELECT 1").fetchone()) == (1,)
    finally:
        here.close()
        postgres.tells(f"DROP ROLE {name}")


def test_a_server_is_told_of_no_timeout_that_its_release_does_not_know() -> None:
    """It would refuse all of it; and a release that is too old is told so in a sentence, which wants a connection."""
    named = [
        {name for name in ours_at(release) if name in {"idle_session_timeout", "transaction_timeout"}}
        for release in (13_00_18, 14_00_00, 17_00_02)
    ]
    assert named == [set(), {"idle_session_timeout"}, {"idle_session_timeout", "transaction_timeout"}]


def test_what_is_committed_outlives_a_power_cut_whatever_is_usual(postgres: Server) -> None:
    for usual, ours in (("off", "on"), ("remote_apply", "remote_apply")):
        here = Connections(Address.read(postgres.address(options=f"-csynchronous_commit={usual}")), 20.0)
        assert here.tried(lambda db: db.execute("SHOW synchronous_commit").fetchone()) == (ours,)
        here.close()


def test_the_server_gives_up_a_machine_that_says_nothing_any_more(here: Connections) -> None:
    """Sooner than whoever waits for what it has taken gives up; who only reads is left alone."""
    still = "SELECT setting::int FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'"
    bound = here.tried(lambda db: db.execute(still).fetchone())
    assert bound
    assert 0 < bound[0] < BUSY_SECONDS * 1_000
    with here.at_a_short_moment():
        assert here.tried(lambda db: db.execute(still).fetchone()) == (0,)
    assert here.tried(lambda db: db.execute(still).fetchone()) == bound


@pytest.mark.slow
def test_the_server_finds_out_within_seconds_that_a_machine_is_gone() -> None:
    with Server(tcp=True) as server:
        here = Connections(Address.read(server.address(host="127.0.0.1")), 20.0)
        shown = [
            here.tried(lambda db, name=name: db.execute(f"SHOW {name}").fetchone())  # type: ignore[misc]
            for name in ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
        ]
        here.close()
    assert shown == [("10",), ("5",), ("3",), ("15000",)]


@pytest.mark.parametrize("how", ["role", "address"])
def test_names_in_any_language_are_written_whatever_encoding_is_usual(postgres: Server, how: str) -> None:
    name = f"latin_{secrets.token_hex(6)}"
    postgres.tells(f"CREATE ROLE {name} LOGIN", f"ALTER ROLE {name} SET client_encoding = 'LATIN1'")
    usual = {"client_encoding": "LATIN1"} if how == "address" else {}
    here = Connections(Address.read(postgres.address(user=name, **usual)), 20.0)
    try:
        assert here.tried(lambda db: db.execute("SELECT %s, length(%s)", ["しりんま"] * 2).fetchone()) == (
            "しりんま",
            4,
        )
    finally:
        here.close()
        postgres.tells(f"DROP ROLE {name}")
