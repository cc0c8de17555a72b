"""What a number or a text of a record stands for, and the bounds it has."""

from __future__ import annotations

from typing import Annotated, Literal

from ledger.records import Meta, Record
from ledger.sentences import Sentence, say

POT = "pot"
BANK = "bank"
MAX_CHIPS = 10**9
"""The most chips that one entry moves, or that may lie in the pot."""


class Between(Record):
    """Bounds of a whole number, both included."""

    least: int
    most: int


class Kind(Record):
    """What a text stands for: a player's id, an account, a reason, or what somebody wrote; and its most characters.

    A name is one line; other words may have several.
    """

    name: Literal["player", "account", "reason", "name", "words"]
    most: int = 100


class Matching(Record):
    """The form of a text, as a regular expression that all of it matches, and what to say of any other."""

    pattern: str
    needed: Sentence


class CalendarDay(Record):
    """A day of the calendar, as text: `2026-11-20`."""


Chips = int
Amount = Annotated[int, Between(1, MAX_CHIPS)]
Stake = Annotated[int, Between(0, MAX_CHIPS)]
PlayerId = Annotated[str, Kind("player"), Meta(examples=["p1"])]
Account = Annotated[str, Kind("account"), Meta(examples=["p1"])]
MAX_WORDS = 500
"""How many characters a note or a reason may have."""

Words = Annotated[str, Kind("words", most=MAX_WORDS)]
"""Free text somebody wrote. It is kept and shown; no rule reads it."""

Reason = Annotated[str, Kind("reason")]
"""Why chips move: one of the words that a rule book, or the session, declares with a label."""

WORD = "^[a-z0-9_]+$"
"""The form of a word for programs."""

EventType = Annotated[str, Meta(extra={"pattern": WORD, "known": "event types"})]
"""The type of an event. A later game brings its own, as with phases: those of today are no closed set."""

PhaseName = Annotated[str, Meta(extra={"pattern": WORD, "known": "phases"})]
"""The name of a phase."""

SessionId = Annotated[str, Meta(examples=["3f6c9a52d81b7e04"], extra={"pattern": "^[0-9a-f]{16}$"})]
LinkId = Annotated[
    str, Matching(r"[0-9A-Za-z_.-]{1,40}", say("the id of a link is needed")), Meta(examples=["9b1f03ac"])
]
Token = Annotated[
    str,
    Meta(
        examples=["3f6c9a52d81b7e04.Zk3vX0m1Qw9T7cYbH2LrNfD5sJ8uAeKi6pOgV4tWxEw"],
        extra={"pattern": r"^[0-9a-f]{16}\.[0-9A-Za-z_-]{43}$"},
    ),
]
Hash = Annotated[str, Meta(extra={"pattern": "^[0-9a-f]{64}$"})]
Timestamp = Annotated[str, Meta(examples=["2026-11-21T09:00:00Z"], extra={"format": "date-time"})]
"""A time in UTC, in whole seconds."""
Day = Annotated[str, CalendarDay(), Meta(examples=["2026-11-20"])]
"""A day, wherever it was one."""
