"""The contract, kept by PostgreSQL."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

import pytest

from ledger.store import DatabaseUnusable, Store, open_store
from ledger.store.address import Address
from tests.postgres import Server
from tests.store.contract import MOMENT, StoreContract

psycopg = pytest.importorskip("psycopg")


class TestContract(StoreContract):
    contradiction = psycopg.errors.UniqueViolation

    @pytest.fixture
    def addresses(self, postgres: Server) -> Iterator[Callable[[str], Address]]:
        made: dict[str, str] = {}

        def address(name: str) -> Address:
            made.setdefault(name, f"{name}_{secrets.token_hex(6)}")
            return Address.read(postgres.schema(made[name]))

        yield address
        postgres.drop(*made.values())

    @pytest.fixture
    def store(self, addresses: Callable[[str], Address]) -> Iterator[Store]:
        store = open_store(addresses("books"))
        store.prepare()
        yield store
        store.close()

    def test_it_says_what_makes_and_brings_back_copies_of_it(
        self, store: Store, addresses: Callable[[str], Address]
    ) -> None:
        refusals: list[Callable[[], object]] = [
            lambda: store.copy(addresses("copy")),
            lambda: store.restore(addresses("copy")),
            lambda: store.note_backup(MOMENT),
        ]
        for refused in refusals:
            with pytest.raises(DatabaseUnusable, match="pg_basebackup"):
                refused()
