"""Chances: what a round may come to, and what each event of it has changed about that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any

from ledger import chances, history
from ledger.answers.encoding import ABSENT, Absent
from ledger.codec.fractions import Chance
from ledger.language import LANGUAGES, Language, render
from ledger.play import Event, RuleBook, record
from ledger.sentences import Sentence
from ledger.session import Round
from ledger.statistics import DearRide, dear_rides

OddsOfTheGame = Annotated[object, "the chances in a round, as the rule book of the game has them"]
NONE_TOLD = {"description": "why there are none, where `odds` is null"}

__all__ = ["Chance", "Odds", "OddsOfTheGame", "OddsStep", "odds_answer", "past_odds_answer", "why_no_odds"]


@record(kw_only=True)
class OddsStep:
    """An event of a round, and the chances after it: null where the game knows none."""

    event: Event
    seq: int
    part: int | Absent = field(
        default=ABSENT, metadata={"description": "of corrections made together, the one that it is"}
    )
    odds: OddsOfTheGame | None


@record(kw_only=True)
class Odds:
    """The chances in a round; of one that is asked for by its number, also after each of its events."""

    round: int | None = field(metadata={"description": "the number of the round; null where none is open"})
    odds: OddsOfTheGame | None
    why_no_odds: Mapping[Language, str] | Absent = field(default=ABSENT, metadata=NONE_TOLD)
    steps: tuple[OddsStep, ...] | Absent = field(
        default=ABSENT, metadata={"description": "each event of the round, in order"}
    )
    dear_rides: tuple[DearRide, ...] | Absent = field(
        default=ABSENT, metadata={"description": "of a round that is over, rides that cost more than they were worth"}
    )


def odds_answer(book: RuleBook[Any], done: Round | None, what_if: chances.Asked) -> Odds:
    """Give the chances in the open round, if one is."""
    told = chances.chances(book, done, what_if)
    return Odds(round=done.number if done else None, odds=told.odds, why_no_odds=why_no_odds(told.why_none))


def past_odds_answer(state: history.SessionState, done: Round) -> Odds:
    """Give the chances in a round as it stands or ended, and after each of its events; then, who paid too much.

    Raises TakesTooLong.
    """
    told = chances.chances(done.book, done)
    return Odds(
        round=done.number,
        odds=told.odds,
        why_no_odds=why_no_odds(told.why_none),
        steps=tuple(
            OddsStep(event=point.event, seq=point.seq, part=point.at.part or ABSENT, odds=odds)
            for point, odds in chances.stands(state, done.number)
        ),
        dear_rides=ABSENT if done.is_open else dear_rides(state, done),
    )


def why_no_odds(why: Sentence | None) -> Mapping[Language, str] | Absent:
    """Say in every language why there are no chances to tell."""
    return {language: render(why, language, {}) for language in LANGUAGES} if why else ABSENT
