"""What is noted of an evening, and the figures that are told of many: how much of one thing there was for each other.

Everything is noted in whole numbers, under names: how many rounds there were, how many of them were forfeited, how many
chips lay in the pots that were won. A `Figure` is one such sum divided by another.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from ledger.play import Chips
from ledger.records import Record
from ledger.sentences import Sentence, say

Unit = Literal["share", "chips", "number"]
"""What a figure counts: how many in a hundred, chips, or anything else."""


class Figure(Record):
    """How much is noted under `name` for each that is noted under `of`.

    A share may be of things that happen or not each by itself (`alone`), as a round is forfeited whatever became of the
    others. What hangs together (the bets of one round, the pots of one evening) does so within an evening only.
    """

    name: str
    of: str
    label: Sentence
    unit: Unit
    alone: bool = False


class Most(Record):
    """The most that was seen of something at once. It grows with the number of rounds, so it has no interval."""

    name: str
    label: Sentence
    unit: Unit


class Notes:
    """What one evening came to."""

    __slots__ = ("most", "sums", "waited")

    def __init__(self) -> None:
        self.sums, self.most, self.waited = Counter[str](), dict[str, int](), 0

    def add(self, name: str, amount: int = 1) -> None:
        """Add to what is noted under a name."""
        self.sums[name] += amount

    def reach(self, name: str, amount: int) -> None:
        """Note the most that there was at once."""
        if amount > self.most.get(name, -1):
            self.most[name] = amount


# --- what every game with a pot has ---------------------------------------------------------------------------------

LONG = 3
"""Pots carried so many times, and more, are counted together."""

POT_FIGURES: tuple[Figure | Most, ...] = (
    Figure("pot", "pots", say("Chips in a pot that is won"), "chips"),
    Most("pot", say("The largest pot that was won"), "chips"),
    Figure("waited", "pots", say("Times a pot is carried over until it is won"), "number"),
    Figure("waited_0", "pots", say("Pots won in their first round"), "share"),
    Figure("waited_1", "pots", say("Pots carried over once"), "share"),
    Figure("waited_2", "pots", say("Pots carried over twice"), "share"),
    Figure("waited_3", "pots", say("Pots carried over three times or more"), "share"),
    Most("waited", say("The most times that a pot was carried over"), "number"),
    Figure("left_over", "evenings", say("Evenings that end with chips in the pot"), "share", alone=True),
)
"""How large pots get and how long they are carried. What an evening leaves is played for until it is won."""


def note_pot(notes: Notes, paid_out: Chips, stays: Chips) -> None:
    """Note a pot that was won, or one that waits for the next round."""
    if paid_out:
        notes.add("pots")
        notes.add("pot", paid_out)
        notes.reach("pot", paid_out)
        notes.add("waited", notes.waited)
        notes.add(f"waited_{min(notes.waited, LONG)}")
        notes.reach("waited", notes.waited)
        notes.waited = 0
    elif stays:
        notes.waited += 1
