"""Databases for tests of the store, on both engines."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.storage.store import Store
from tests.postgres import Server
from tests.storage.contract import prepared

SQLITE = pytest.param("sqlite", marks=pytest.mark.sqlite("PostgreSQL passes it beside"))
POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.integration)

Addresses = Callable[[str], str]


@pytest.fixture
def addresses(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Addresses]:
    """Addresses at which nothing is yet, by an engine and a name: `sqlite:here`."""
    schemas: dict[str, str] = {}

    def address(name: str) -> str:
        engine, _, rest = name.partition(":")
        if engine == "sqlite":
            return f"sqlite:///{tmp_path}/{rest}.db"
        server: Server = request.getfixturevalue("postgres")
        return server.schema(schemas.setdefault(rest, f"{rest}_{secrets.token_hex(6)}"))

    yield address
    if schemas:
        request.getfixturevalue("postgres").drop(*schemas.values())


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def engine(request: pytest.FixtureRequest) -> str:
    """The engine that is tried."""
    return str(request.param)


@pytest.fixture
def store(addresses: Addresses, engine: str) -> Iterator[Store]:
    """A store with two sessions in which nothing has happened yet."""
    with prepared(addresses(f"{engine}:books")) as made:
        yield made
