"""What fails in PostgreSQL, statement by statement, and what the service answers then."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ledger.store import StoreTrouble
from ledger.store.address import Address
from tests.postgres import Server
from tests.store.faults import FaultContract, Faults

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.slow

ERRORS = {
    "lost": psycopg.OperationalError,
    "full": psycopg.errors.DiskFull,
    "in the way": psycopg.errors.SerializationFailure,
}


def refusals(step: int) -> list[tuple[int, str]]:
    """The faults of a step in which the server answers."""
    return [(step, kind) for kind in ERRORS if kind != "lost"]


class TestPostgreSQL(FaultContract):
    one_of = 4  # which comes by every kind and moment, as there are nine of these at a step
    kinds = tuple(ERRORS)
    errors = (StoreTrouble, psycopg.Error)

    @pytest.fixture
    def faults(self, monkeypatch: pytest.MonkeyPatch) -> Faults:
        """Every statement is a step. What the server itself refuses to commit is given up, and never kept."""
        faults, execute = Faults(lambda kind: ERRORS[kind](kind)), psycopg.Connection.execute

        def executed(db: Any, statement: str, *args: Any, **named: Any) -> Any:
            with faults.step(db.close):
                refused = faults.is_watching and faults.fault and faults.fault[:2] in refusals(faults.steps)
                return execute(db, "ROLLBACK" if refused and statement == "COMMIT" else statement, *args, **named)

        monkeypatch.setattr(psycopg.Connection, "execute", executed)
        return faults

    @pytest.fixture
    def addresses(self, postgres: Server) -> Iterator[Callable[[str], Address]]:
        made: dict[str, str] = {}

        def address(name: str) -> Address:
            made.setdefault(name, f"{name}_{secrets.token_hex(6)}")
            return Address.read(postgres.schema(made[name]))

        yield address
        postgres.drop(*made.values())
