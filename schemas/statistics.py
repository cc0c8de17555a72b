"""Which sessions are to be counted together, and who in them is one person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from ledger.records import Meta, Record, field
from ledger.session.events import PersonName
from ledger.statistics import Seat

MAX_SESSIONS = 50
MAX_PEOPLE = 1000
MAX_SEATS = 100
"""How many players one person may be: two in each session."""


class Several(Record):
    """The sessions that are to be counted together, and who in them is one person."""

    tokens: Annotated[
        tuple[str, ...], Meta(min_length=1, max_length=MAX_SESSIONS, description="A token of each session.")
    ]
    people: Annotated[
        Mapping[PersonName, Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=MAX_SEATS)]],
        Meta(
            max_length=MAX_PEOPLE,
            description="Which players of which sessions are one person, by the person's name. No other is joined.",
            examples=[{"Aki": [{"session": "3f6c9a52d81b7e04", "player": "p1"}]}],
        ),
    ] = field(default_factory=dict)
