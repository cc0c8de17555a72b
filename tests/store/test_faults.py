"""What fails in an engine, step by step, and what the service answers then."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ledger.store import StoreBusy, StoreFull, StoreTrouble, address
from ledger.store.address import Address
from tests.store import memory
from tests.store.faults import FaultContract, Faults

CODES = {"full": sqlite3.SQLITE_FULL, "busy": sqlite3.SQLITE_BUSY, "ioerr": sqlite3.SQLITE_IOERR}


def sqlite_error(kind: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(kind)
    error.sqlite_errorcode = CODES[kind]
    return error


class Statements(sqlite3.Connection):
    """A connection of which every statement is a step."""

    def __init__(self, *args: Any, faults: Faults, **named: Any) -> None:
        super().__init__(*args, **named)
        self._faults = faults

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        with self._faults.step(self.rollback):
            return super().execute(sql, *parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        with self._faults.step(self.rollback):
            return super().executemany(sql, parameters)


class TestSQLite(FaultContract):
    kinds = ("full", "busy", "ioerr")
    errors = (StoreTrouble, sqlite3.OperationalError)

    @pytest.fixture
    def faults(self, monkeypatch: pytest.MonkeyPatch) -> Faults:
        faults, connect = Faults(sqlite_error), sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", partial(connect, factory=partial(Statements, faults=faults)))
        return faults

    @pytest.fixture
    def addresses(self, tmp_path: Path) -> Callable[[str], Address]:
        return lambda name: Address.read(tmp_path / f"{name}.db")


class TestMemory(FaultContract):
    kinds = ("StoreFull", "StoreBusy", "OSError")
    errors = (StoreFull, StoreBusy, OSError)

    @pytest.fixture
    def faults(self, monkeypatch: pytest.MonkeyPatch) -> Faults:
        faults = Faults(lambda kind: {error.__name__: error for error in self.errors}[kind]())
        monkeypatch.setattr(memory, "step", lambda: faults.step(give_up=lambda: None))
        return faults

    @pytest.fixture
    def addresses(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Address]:
        monkeypatch.setitem(address.ENGINES, "memory", memory.ENGINE)
        memory.PLACES.clear()
        return lambda name: Address.read(f"memory://{name}")
