"""The contract, kept by another engine than SQLite."""

from __future__ import annotations

import pytest

from tests.store.contract import StoreContract
from tests.store.memory import Contradiction, MemoryStore


class TestContract(StoreContract):
    contradiction = Contradiction

    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
