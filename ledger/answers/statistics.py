"""What evenings came to. Those of one session are told as they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.statistics import PersonStatistics


@dataclass(frozen=True, slots=True)
class Together:
    """What several sessions came to, per person."""

    sessions: int
    players: Mapping[str, PersonStatistics] = field(
        metadata={"description": "each person of the request's `people` by name, and everyone else as `session/player`"}
    )
