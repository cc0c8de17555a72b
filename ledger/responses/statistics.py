"""What evenings came to. Those of one session are told as they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from ledger.records import Meta, Record
from ledger.statistics import PersonStatistics


class Together(Record):
    """What several sessions came to, per person."""

    sessions: Annotated[int, Meta(description="How many sessions were counted.")]
    players: Annotated[
        Mapping[str, PersonStatistics],
        Meta(description="The people of the request's `people` by name, and everyone else as `session/player`."),
    ]
