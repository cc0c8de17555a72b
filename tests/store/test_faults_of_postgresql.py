"""What fails in PostgreSQL, statement by statement, and what the service answers then: alone, and as shards."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.store import StoreTrouble
from ledger.store.address import Address
from tests.postgres import Server
from tests.store.faults import FaultContract, Faults
from tests.store.shards import listed

psycopg = pytest.importorskip("psycopg")

ERRORS = {
    "lost": psycopg.OperationalError,
    "full": psycopg.errors.DiskFull,
    "in the way": psycopg.errors.SerializationFailure,
}


def refusals(step: int) -> list[tuple[int, str]]:
    """The faults of a step in which the server answers."""
    return [(step, kind) for kind in ERRORS if kind != "lost"]


def is_a_transaction(db: Any, statement: str) -> bool:
    """Say whether a statement is written and committed in one go."""
    idle = db.pgconn.transaction_status == psycopg.pq.TransactionStatus.IDLE
    return idle and str(statement).startswith("WITH taken")


class OnPostgreSQL(FaultContract):
    fewest_steps = 1  # a plain report is one statement
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
                if refused and (statement == "COMMIT" or is_a_transaction(db, statement)):
                    return execute(db, "ROLLBACK")
                return execute(db, statement, *args, **named)

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


@pytest.mark.slow
class TestPostgreSQL(OnPostgreSQL):
    """All of it; what stands in the tests of SQLite in the quick run, shards do here."""


class TestShards(OnPostgreSQL):
    """Of three shards, each a schema."""

    one_of = 8  # there are more steps, of which most are looks at a shard that does not have the session

    @pytest.fixture
    def addresses(
        self, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[Callable[[str], Address]]:
        monkeypatch.setattr("ledger.store.sharded.shard.LEFT_ALONE_SECONDS", 0.0)
        names: list[str] = []

        def address(name: str) -> Address:
            path = tmp_path / f"{name}.toml"
            if not path.exists():
                schemas = {shard: f"{name}_{shard}_{secrets.token_hex(6)}" for shard in ("east", "south", "west")}
                names.extend(schemas.values())
                listed(path, {shard: (postgres.schema(schema), 1) for shard, schema in schemas.items()})
            return Address.read(path)

        yield address
        postgres.drop(*names)

    @pytest.mark.parametrize("apart", [29, pytest.param(5, marks=pytest.mark.crash)])
    def test_what_fails_while_a_database_is_prepared_is_done_by_the_next(
        self, addresses: Callable[[str], Address], faults: Faults, apart: int
    ) -> None:
        """Each of three is prepared as one alone, at which every step is tried."""
        super().test_what_fails_while_a_database_is_prepared_is_done_by_the_next(addresses, faults, apart)
