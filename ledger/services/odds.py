"""What a round may come to, as its rule book counts it.

What was counted is kept by what lies on the table, since many look at the same: phones, the scoreboard, and who goes
through a round that is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from ledger.cards import CardOrPlain
from ledger.history import SessionState, Slot
from ledger.play.rule_book import RuleBook
from ledger.sentences import Sentence, say
from ledger.session.table import Round

KEPT = 512
"""So many positions are kept as they were counted, each some kB: a few rounds of many players, event by event."""

Asked = CardOrPlain | None
"""A card that may come next, if that is asked."""


class Told(NamedTuple):
    """The chances in a round as its rule book has them; without any, why there are none."""

    odds: Any = None
    why_none: Sentence | None = None


def chances(book: RuleBook[Any], done: Round | None, what_if: Asked = None) -> Told:
    """Give the chances in a round, or those that there would be if the next card was this one, which may be refused.

    `book` is the game's, `done` a round of it that may be over, or None where none is open.
    """
    if book.odds is None:
        why = say("Nobody counts the chances at {game:sentence}, so there are none to tell.", game=book.title)
        return Told(why_none=book.why_no_odds or why)
    if done is None:
        return Told(why_none=say("No round is open, so there are no chances to tell."))
    odds = _of(done, what_if)
    if odds is None:
        return Told(why_none=say("This round did not end as the game has it, so there are no chances to tell."))
    return Told(odds)


def stands(state: SessionState, number: int) -> Iterator[tuple[Slot, Any]]:
    """Go through a round, event by event, with the chances after each; None where the game knows none."""
    for step in state.steps(number):
        yield step.slot, _of(step.after.round) if step.after.round else None


def _of(done: Round, what_if: Asked = None) -> Any:
    return done.book.odds and _counted(done.book.odds, done.phase, what_if)


@lru_cache(KEPT)
def _counted(odds: Callable[[Any, Any], Any], phase: Any, what_if: Asked) -> Any:
    return odds(phase, what_if)
