"""Who waits for sessions in PostgreSQL that others have: how long, and with how many of the connections."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from ledger.store import BUSY_SECONDS, Head, Store, StoreBusy, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.store.contract import FIRST, A, B, StoreContract, append_next, append_next_expected, link, opening

psycopg = pytest.importorskip("psycopg")

from ledger.store.postgresql import connections  # noqa: E402 - only where psycopg is
from ledger.store.postgresql.turns import Places  # noqa: E402 - (as above)

QUICK = 0.2
"""Seconds: as long as whoever waits in vain is to wait."""


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"waits_{secrets.token_hex(6)}"
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


def test_who_waits_for_sessions_that_others_have_leaves_connections_to_those_who_write_another(
    store: Store, address: Address
) -> None:
    """As many sessions as a process has connections, and more: of those who wait half of the connections are kept."""
    held = [f"held{number}" for number in range(connections.MOST_CONNECTIONS + 8)]
    for session in held:
        store.open_session(opening(session), FIRST, link())
    expected = {session: store.head(session) for session in held}
    waiters = [
        threading.Thread(target=append_next_expected, args=(store, session, expected[session] if number % 2 else None))
        for number, session in enumerate(held)
    ]
    with psycopg.connect(address.whole) as other:
        other.execute("SELECT 1 FROM sessions WHERE id LIKE 'held%' FOR UPDATE")
        for waiter in waiters:
            waiter.start()
        began = time.monotonic()
        for _ in range(5):
            append_next(store, B)
        took = time.monotonic() - began
        assert all(waiter.is_alive() for waiter in waiters)
        other.rollback()
    for waiter in waiters:
        waiter.join()
    assert took < BUSY_SECONDS / 2
    for session in held:
        StoreContract.is_whole(store, session, 1)
    StoreContract.is_whole(store, B, 5)


@pytest.mark.slow
def test_a_turn_and_the_row_are_waited_for_no_longer_together_than_either(store: Store, address: Address) -> None:
    busy_seconds = 2.0
    patient = open_store(address, busy_seconds=busy_seconds)
    took = []

    def waits() -> None:
        began = time.monotonic()
        with suppress(StoreBusy):
            append_next(patient, A)
        took.append(time.monotonic() - began)

    with psycopg.connect(address.whole) as other:
        other.execute("SELECT 1 FROM sessions WHERE id = %s FOR UPDATE", [A])
        first = threading.Thread(target=waits)
        first.start()
        time.sleep(busy_seconds / 2)  # so that the second has half its time left when it has its turn
        second = threading.Thread(target=waits)
        second.start()
        first.join()
        second.join()
        other.rollback()
    patient.close()
    assert len(took) == 2
    assert max(took) < busy_seconds * 1.4
    assert store.head(A) == Head(0, FIRST)


def test_who_gives_a_place_up_and_wants_it_again_comes_after_those_who_wait() -> None:
    places, had = Places(1), []

    def waits() -> None:
        with places.place(time.monotonic() + 60):
            had.append("other")

    other = threading.Thread(target=waits)
    with places.place(time.monotonic()):
        other.start()
        while not places._line:
            time.sleep(0.001)
    with places.place(time.monotonic() + 60):
        had.append("again")
    other.join()
    assert had == ["other", "again"]


def test_who_has_waited_in_vain_is_not_kept_a_place() -> None:
    places = Places(1)
    with places.place(time.monotonic()), pytest.raises(StoreBusy), places.place(time.monotonic() + QUICK):
        pass
    with places.place(time.monotonic()):
        pass
