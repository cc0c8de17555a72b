"""Shards for tests: lists of them, and databases in memory that can be put out of reach.

What stands at `memory://name` is out of reach while its name is in `AWAY`, for every store that is opened there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.store import Damage, DatabaseUnusable, Figures, Store, open_store
from ledger.store.address import Address, Engine
from ledger.store.sharded import ShardedStore, moving
from tests.store.contract import FIRST, A, StoreContract, append_next, link, opening
from tests.store.memory import MemoryStore, _Place, name_of

ENGINE = Engine("tests.store.shards", re.compile(r"memory://(.+@)?[a-z]+[0-9]*"), "memory://name")

AWAY: set[str] = set()
"""The addresses that are out of reach."""

OTHER = {"east": "west", "west": "east"}
"""Of two shards, the other."""


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


def opened(path: Path) -> ShardedStore:
    store = open_store(path)
    assert isinstance(store, ShardedStore)
    store.prepare()
    return store


def lived_in(store: Store, session_id: str = A) -> None:
    """Open a session and record in it."""
    store.open_session(opening(session_id), FIRST, link())
    for _ in range(3):
        append_next(store, session_id)
    store.add_link(session_id, link(2))


def homes(store: ShardedStore, session_id: str = A) -> list[str]:
    """Say in which shards a session is found."""
    return [one.name for one in store.shards if one.store.head(session_id) is not None]


def writes_again(store: ShardedStore, other: ShardedStore, patch: pytest.MonkeyPatch) -> None:
    """Make sure that a session can be written again once a move is overdue, at the latest, and has left nothing."""
    with patch.context() as inner:
        inner.setattr(moving, "PATIENCE", timedelta(seconds=-2))
        other.finish_forgetting()
    assert store.passages() == []
    append_next(store, A)
    append_next(other, A)
    StoreContract.is_whole(store, A, 5)
    assert len(homes(store)) == 1
    store.finish_forgetting()
    assert not store.forgetting_is_pending()
