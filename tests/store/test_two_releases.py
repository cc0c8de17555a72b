"""Two releases at once on one PostgreSQL: the one that comes has brought the schema up to date, the other goes on."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial

import pytest

from ledger.store import Store, StoreIsNewer, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.store.contract import FIRST, A, B, StoreContract, append_next, in_threads, link, opening

psycopg = pytest.importorskip("psycopg")

from ledger.store.postgresql import migrations  # noqa: E402 - only where psycopg is

NEXT = migrations.Migration("m999_of_the_next_release", "ALTER TABLE events ADD COLUMN heard_by text")
"""A change that the release before need know nothing of."""


@pytest.fixture
def address(postgres: Server) -> Iterator[Address]:
    name = f"releases_{secrets.token_hex(6)}"
    yield Address.read(postgres.schema(name))
    postgres.drop(name)


def records(store: Store) -> None:
    for _ in range(20):
        append_next(store, A)


def test_the_release_before_goes_on_while_the_next_one_takes_over(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = open_store(address), open_store(address)
    before.prepare()
    for session in (A, B):
        before.open_session(opening(session), FIRST, link())
        append_next(before, session)
    with monkeypatch.context() as of_the_next_release:
        of_the_next_release.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, NEXT))
        assert not after.is_ready()
        in_threads(after.prepare, partial(records, before), partial(records, before))
        assert after.is_ready()
    in_threads(partial(records, before), partial(records, after))
    assert before.is_ready()
    for store in (before, after):
        StoreContract.is_whole(store, A, 81)
    with pytest.raises(StoreIsNewer, match=NEXT.name):
        before.prepare()
    before.close()
    after.close()
