"""What a number or a text of a record stands for, and the bounds it has."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Annotated

from ledger.i18n.sentences import Sentence, say
from ledger.records import Meta

FIRST_DAY, LAST_DAY = "1900-01-01", "9998-12-31"
POT = "pot"
BANK = "bank"
MAX_CHIPS = 10**9
"""The most chips that one entry moves, or that may lie in the pot."""


class InChips(Fraction):
    """An amount in chips that need not be whole; JSON has it with two decimals, as text."""


class ExactlyInChips(Fraction):
    """An amount in chips that may be too small for two decimals; JSON has it as a fraction, too."""


def is_day(text: str) -> bool:
    """Say whether a text is a day of the calendar that books can carry."""
    try:
        return date.fromisoformat(text).isoformat() == text and FIRST_DAY <= text <= LAST_DAY
    except ValueError:
        return False


def text(kind: str, most: int = 100) -> Meta:
    """Say what a text stands for: a `player`, an `account`, a `reason`, or a `name` or `words` that a person wrote.

    A name is one line; other words may have several.
    """
    return Meta(min_length=1, max_length=most, extra={"kind": kind})


def matching(pattern: str, needed: Sentence) -> Meta:
    """Give the form of a text, as a regular expression that all of it matches, and what to say of any other."""
    return Meta(pattern=f"^(?:{pattern})$", extra={"needed": needed})


Chips = int
Seq = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""A number that counts from 1: of an event, an entry or a round in its session."""
Amount = Annotated[int, Meta(ge=1, le=MAX_CHIPS)]
Stake = Annotated[int, Meta(ge=0, le=MAX_CHIPS)]
PlayerId = Annotated[str, text("player"), Meta(examples=["p1"])]
Account = Annotated[str, text("account"), Meta(examples=["p1"])]
MAX_WORDS = 500
"""How many characters a note or a reason may have."""

Words = Annotated[str, text("words", most=MAX_WORDS)]
"""Free text that a person wrote. It is stored and shown; no rule reads it."""

Reason = Annotated[str, text("reason")]
"""Why chips move: one of the words that a rule book, or the session, declares with a label."""

WORD = "^[a-z0-9_]+$"
"""The form of a word for programs."""

EventType = Annotated[str, Meta(pattern=WORD)]
"""The type of an event. A later game brings its own, as with phases: those of today are no closed set."""

PhaseName = Annotated[str, Meta(pattern=WORD)]
"""The name of a phase."""

SessionId = Annotated[str, Meta(examples=["3f6c9a52d81b7e04"], pattern="^[0-9a-f]{16}$")]
LinkId = Annotated[
    str, matching(r"[0-9A-Za-z_.-]{1,40}", say("the id of a link is needed")), Meta(examples=["9b1f03ac"])
]
Token = Annotated[
    str,
    Meta(
        examples=["3f6c9a52d81b7e04.Zk3vX0m1Qw9T7cYbH2LrNfD5sJ8uAeKi6pOgV4tWxEw"],
        pattern=r"^[0-9a-f]{16}\.[0-9A-Za-z_-]{43}$",
    ),
]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Timestamp = Annotated[
    str, Meta(examples=["2026-11-21T09:00:00Z"], extra={"kind": "moment"}, extra_json_schema={"format": "date-time"})
]
"""A time in UTC, in whole seconds."""
Day = Annotated[str, Meta(examples=["2026-11-20"], extra={"kind": "day"}, extra_json_schema={"format": "date"})]
"""A day, wherever it was one."""
