"""Rounds that are worked out without a session, or anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from ledger.play.values import Stake
from ledger.records import Meta, Record
from ledger.session.table import Opening
from schemas.events import Reported
from schemas.sessions import Players, TableForm, usual_opening


class Calculate(TableForm, kw_only=True):
    """A round to be worked out, and what it is played on."""

    players: Players
    carried: Annotated[Stake, Meta(description="Chips that lay in the pot when the round opened.")] = 0
    events: Reported

    def opening(self, game: str) -> Opening:
        """Make the opening of a session of this game. Raises Malformed."""
        return self.at_table(usual_opening(game), carried=self.carried)


class Recalculate(Record):
    """House rules to pay a recorded round under; what is not named is as it was."""

    rules: Annotated[Mapping[str, Any], Meta(description="House rules; what is not named is as it was.")]
