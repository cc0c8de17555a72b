"""What evenings came to. Those of one session are told as they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.statistics import PlayerStatistics


@dataclass(frozen=True, slots=True)
class Together:
    """What several evenings came to, by player name."""

    sessions: int
    players: Mapping[str, PlayerStatistics]
