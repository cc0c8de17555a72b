"""The service as a later release may be, for gunicorn: `tests.clients.later:app`.

It has a game whose events, phase and outcomes no client was made for; one of them has a result that no game has today.
"""

from __future__ import annotations

from typing import Any, Literal, cast

from ledger import games, language
from ledger.play.chips import Payout
from ledger.play.events import Event
from ledger.play.rounds import RESULTS, Outcome, Over, Phase, Step
from ledger.records import replace
from ledger.sentences import Sentence, say
from tests.games.test_fourth_game import BOOK, JAPANESE, TakafudaForfeited

SHARED = "shared"
cast("dict[str, Sentence]", RESULTS)[SHARED] = say("Shared")  # before anything is made of them


class TakafudaShared(Outcome, kw_only=True):
    """Nobody showed a card, and everyone is content."""

    result: Literal["shared"] = "shared"  # type: ignore[assignment]  # a word of a later release
    payouts: tuple[Payout, ...] = ()


def play(phase: Phase, event: Event) -> Step:
    """Play as the game does; but where nobody showed a card, the round is shared."""
    step = BOOK.play(phase, event)
    if isinstance(step.phase, Over) and isinstance(step.phase.outcome, TakafudaForfeited):
        shared = TakafudaShared(next_dealer=step.phase.outcome.next_dealer)
        return Step(replace(step.phase, outcome=shared), step.transfers)
    return step


def explain(over: Over) -> tuple[Sentence, ...]:
    """Say how a round ended."""
    return (say("Everybody is content."),) if isinstance(over.outcome, TakafudaShared) else BOOK.explain(over)


later: Any = replace(BOOK, play=play, explain=explain, outcomes=(*BOOK.outcomes, TakafudaShared))
games.register(later)
language.learn("ja", {**JAPANESE, "Shared": "分けた局", "Everybody is content.": "みんな満足です。"})

from ledger.app import create_app  # noqa: E402 - the words of results are complete only now

app = create_app()
