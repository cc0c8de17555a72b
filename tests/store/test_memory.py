"""The contract, kept by another engine than SQLite."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.store import address
from ledger.store.address import Address
from tests.store.contract import CopyContract
from tests.store.memory import ENGINE, PLACES, Contradiction, MemoryStore


class TestContract(CopyContract):
    contradiction = Contradiction

    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()

    @pytest.fixture
    def addresses(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Address]:
        monkeypatch.setitem(address.ENGINES, "memory", ENGINE)
        PLACES.clear()
        return lambda name: Address.read(f"memory://{name}")
