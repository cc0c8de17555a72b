"""Tallies: what statistics may count of a round, game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ledger.play.rounds import Over
from ledger.play.values import Account, Chips, PlayerId, Reason
from ledger.records import Record
from ledger.sentences import Sentence


class Moved(Protocol):
    """Chips that moved from one account to another, however they are kept."""

    @property
    def payer(self) -> Account:
        """Who gave them."""

    @property
    def payee(self) -> Account:
        """Who got them."""

    @property
    def amount(self) -> Chips:
        """How many."""

    @property
    def reason(self) -> Reason:
        """Why."""


Count = Callable[[Over, Sequence[Moved]], Mapping[PlayerId, int]]
"""What a round that is over, and the chips that moved in it, come to for each player; nothing said is 0."""


class Tally(Record):
    """Something that is counted over the rounds of an evening: its name on the wire, its label, what a round adds."""

    name: str
    label: Sentence
    count: Count


def times_paid(reason: Reason) -> Count:
    """Count how often each player paid for a reason."""
    return lambda _over, moved: Counter(move.payer for move in moved if move.reason == reason)


def chips_paid(reason: Reason) -> Count:
    """Count the chips that each player paid for a reason."""

    def count(_over: Over, moved: Sequence[Moved]) -> Mapping[PlayerId, Chips]:
        paid = Counter[PlayerId]()
        for move in moved:
            if move.reason == reason:
                paid[move.payer] += move.amount
        return paid

    return count
