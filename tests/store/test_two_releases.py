"""Two releases at once on one PostgreSQL: the one that comes has brought the schema up to date, the other goes on.

So does a service whose workers are killed meanwhile, or while the database is away.
"""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from ledger.store import Store, StoreIsNewer, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.service import Service, is_alive
from tests.store.contract import FIRST, A, B, StoreContract, append_next, in_threads, link, opening

psycopg = pytest.importorskip("psycopg")

from ledger.store.postgresql import appending, migrations  # noqa: E402 - only where psycopg is

NEXT = migrations.Migration("m999_of_the_next_release", "ALTER TABLE events ADD COLUMN heard_by text")
"""A change that the release before need know nothing of."""


class OfTheReleaseBefore(appending.Table):
    """The events as a release adds them that knows no nonce."""

    def values(self, rows: Sequence[Sequence[object]]) -> Iterable[object]:
        return super().values([row[:-1] for row in rows])


def adds_no_nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    events, *others = appending.APPENDED
    columns = {name: kind for name, kind in events.columns.items() if name != "nonce"}
    monkeypatch.setattr(appending, "APPENDED", (OfTheReleaseBefore(events.name, columns), *others))
    appending.appending.cache_clear()


@pytest.fixture(autouse=True)
def statements_are_forgotten() -> Iterator[None]:
    yield
    appending.appending.cache_clear()


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"releases_{secrets.token_hex(6)}"
    yield Address.read(postgres.schema(name))
    postgres.drop(name)


def records(store: Store) -> None:
    for _ in range(20):
        append_next(store, A)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (migrations.MIGRATIONS, (*migrations.MIGRATIONS, NEXT)),
        (migrations.MIGRATIONS[:-1], migrations.MIGRATIONS),
    ],
    ids=["of the next release", "of this release"],
)
def test_the_release_before_goes_on_while_the_next_one_takes_over(
    address: Address,
    monkeypatch: pytest.MonkeyPatch,
    older: tuple[migrations.Migration, ...],
    newer: tuple[migrations.Migration, ...],
) -> None:
    if older != migrations.MIGRATIONS:
        adds_no_nonces(monkeypatch)
    monkeypatch.setattr(migrations, "MIGRATIONS", older)
    before, after = open_store(address), open_store(address)
    before.prepare()
    for session in (A, B):
        before.open_session(opening(session), FIRST, link())
        append_next(before, session)
    with monkeypatch.context() as of_the_next_release:
        of_the_next_release.setattr(migrations, "MIGRATIONS", newer)
        assert not after.is_ready()
        in_threads(after.prepare, partial(records, before), partial(records, before))
        assert after.is_ready()
    in_threads(partial(records, before), partial(records, after))
    assert before.is_ready()
    for store in (before, after):
        StoreContract.is_whole(store, A, 81)
    with pytest.raises(StoreIsNewer, match=newer[-1].name):
        before.prepare()
    before.close()
    after.close()


def killed(service: Service) -> None:
    """Kill a service's only worker, and wait until another one has come in its place and the service is ready."""
    (worker,) = service.workers
    os.kill(worker, signal.SIGKILL)
    within(60, lambda: worker not in service.workers and len(service.workers) == 1, service)


def within(seconds: float, is_so: Callable[[], bool], service: Service) -> None:
    """Wait until something is so, as long as the service runs."""
    until = time.monotonic() + seconds
    while not is_so():
        assert is_alive(service.processes[-1]), service.said
        assert time.monotonic() < until, service.said
        time.sleep(0.02)


def lives(service: Service) -> bool:
    """Say whether a worker answers, however the database is."""
    with suppress(OSError), service.client() as client:
        return client.asks("GET", "/livez").status == 200
    return False


def test_a_worker_of_the_release_before_that_is_killed_is_replaced(address: Address, tmp_path: Path) -> None:
    with Service(tmp_path / "service", address=address.whole, workers=1) as service, service.client() as client:
        client.opens()
        with psycopg.connect(address.whole, autocommit=True) as db:
            db.execute("INSERT INTO migrations VALUES (%s, now())", [NEXT.name])
        killed(service)
        within(60, service.is_ready, service)
        with service.client() as another:
            another.opens()


@pytest.mark.slow
def test_a_worker_that_is_killed_while_the_database_is_away_is_replaced(tmp_path: Path) -> None:
    with Server() as server:
        address = server.schema("books")
        with Service(tmp_path / "service", address=address, workers=1, busy_seconds=1) as service:
            server.kill()
            killed(service)
            within(60, lambda: lives(service), service)
            server.start()
            within(60, service.is_ready, service)
            with service.client() as client:
                client.opens()
