"""Shards for tests: lists of them, and databases in memory that can be put out of reach.

What stands at `memory://name` is out of reach while its name is in `AWAY`, for every store that is opened there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ledger.store import Damage, DatabaseUnusable, Figures
from ledger.store.address import Address, Engine
from tests.store.memory import MemoryStore, _Place, name_of

ENGINE = Engine("tests.store.shards", re.compile(r"memory://(.+@)?[a-z]+[0-9]*"), "memory://name")

AWAY: set[str] = set()
"""The addresses that are out of reach."""


class FlakyStore(MemoryStore):
    """A store in memory that is out of reach at times; as others, it does not say so whatever it is asked."""

    @property
    def _place(self) -> _Place:
        if self._name in AWAY or not self.exists():
            raise DatabaseUnusable(f"{self.address} is away")
        return super()._place

    def exists(self) -> bool:
        return self._name not in AWAY and super().exists()

    def prepare(self, *, for_children: bool = False) -> None:
        if self._name in AWAY:
            raise DatabaseUnusable(f"{self.address} is away")
        super().prepare(for_children=for_children)

    def is_ready(self) -> bool:
        return self._name not in AWAY and super().is_ready()

    def figures(self) -> Figures:
        return Figures(None, None, None, None) if self._name in AWAY else super().figures()

    def damage(self) -> Sequence[Damage]:
        return [] if self._place else super().damage()


def open_at(address: Address, *, busy_seconds: float) -> FlakyStore:
    assert busy_seconds > 0
    assert name_of(address)
    return FlakyStore(address)


def listed(path: Path, shards: Mapping[str, tuple[object, int]]) -> Path:
    """Write a list of shards: by name, the address and the weight of each."""
    path.write_text(
        "\n".join(
            f'[[shard]]\nname = "{name}"\naddress = "{address}"\nweight = {weight}\n'
            for name, (address, weight) in shards.items()
        ),
        "utf-8",
    )
    return path
