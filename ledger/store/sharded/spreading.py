"""Where new sessions go: by weight, at random or by the hash of a key.

A key's shard is the one of the highest score: each shard has a score of its own for each key, from a hash of both and
its weight. So what a key says changes only for those keys for which a shard that is added, or weighs more now, has
become the highest; all others stay where they were.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence

from ledger.store import Packed
from ledger.store.sharded.shard import Shard

HASHES = 2**64
"""How many hashes there are that a score is made of."""


def by_weight(shards: Sequence[Shard]) -> Shard | None:
    """Choose a shard that can be reached; None if there is none."""
    able = [shard for shard in shards if shard.weight and not shard.is_missing]
    return random.choices(able, [shard.weight for shard in able])[0] if able else None  # noqa: S311 - no secret


def by_key(shards: Sequence[Shard], key: bytes) -> Shard:
    """Give the shard that a key's hash says, whether it can be reached or not."""
    return max((shard for shard in shards if shard.weight), key=lambda shard: score(shard.name, shard.weight, key))


def by_opening(shards: Sequence[Shard], packed: Packed) -> Shard | None:
    """Choose where whoever repeats a session's opening looks for it; by weight, if no key of that is known any more.

    Its owner's link was made with the opening, and so with the same key.
    """
    first = packed.links[0].id if packed.links else None
    keys = [made.key for made in packed.made if made.link == first]
    return by_key(shards, keys[0]) if keys else by_weight(shards)


def score(name: str, weight: int, key: bytes) -> float:
    """Give a shard's score for a key: as often the highest of all as its weight is a part of all weights."""
    found = int.from_bytes(hashlib.sha256(b"%b\n%b" % (name.encode(), key)).digest()[:8])
    return weight / -math.log((found + 0.5) / HASHES)
