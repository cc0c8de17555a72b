"""What a number or a text of a record stands for, and the bounds it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ledger.sentences import Sentence

POT = "pot"
BANK = "bank"
MOST_CHIPS = 10**9
"""The most chips that one entry moves, or that may lie in the pot."""


@dataclass(frozen=True, slots=True)
class Between:
    """Bounds of a whole number, both included."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Kind:
    """What a text stands for: a player's id, an account, or somebody's words of at most `most` characters."""

    name: Literal["player", "account", "words"]
    most: int = 100


@dataclass(frozen=True, slots=True)
class Matching:
    """The form of a text, as a regular expression that all of it matches, and what to say of any other."""

    pattern: str
    needed: Sentence


Chips = int
Amount = Annotated[int, Between(1, MOST_CHIPS)]
Stake = Annotated[int, Between(0, MOST_CHIPS)]
PlayerId = Annotated[str, Kind("player")]
Account = Annotated[str, Kind("account")]
Words = Annotated[str, Kind("words", most=500)]
"""Free text somebody wrote. It is kept and shown; no rule reads it."""

Reason = Literal[
    "ante",
    "dragon_payment",
    "maid_payment",
    "horse_payment",
    "king_payment",
    "winning_bid",
    "pot_won",
    "half_rights",
    "odd_chip",
    "bet",
    "bet_returned",
    "bet_won",
    "bet_lost",
    "empty_turn",
    "share",
    "guri_share",
    "three_ones_share",
    "round_voided",
    "buy_in",
    "cash_out",
    "gift",
    "pot_split",
    "pot_refund",
    "pot_to_bank",
    "settlement_paid",
    "brought_forward",
    "entered_payment",
    "entered_payout",
]
