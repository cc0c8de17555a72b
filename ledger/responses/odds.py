"""Chances: what a round may come to, and what each event of it has changed about that."""

from __future__ import annotations

from typing import Annotated, Any

from ledger import chances, history
from ledger.play.events import AnyEvent
from ledger.play.rule_book import RuleBook
from ledger.records import UNSET, Meta, Record, UnsetType, convert, replace
from ledger.responses.shared import EventSeq, InWords, OddsOfTheGame, PartNumber, in_words
from ledger.session.table import Round
from ledger.statistics import DearRide, dear_rides, weighed

WhyNoOdds = Annotated[InWords | UnsetType, Meta(description="Why `odds` is null, where it is.")]


class OddsStep(Record, kw_only=True):
    """An event of a round, and the chances after it."""

    event: Annotated[AnyEvent, Meta(description="The event.")]
    seq: EventSeq
    part: Annotated[PartNumber | UnsetType, Meta(description="The part that inserted the event, if one did.")] = UNSET
    odds: Annotated[OddsOfTheGame | None, Meta(description="The chances after the event; null where none are known.")]


class Odds(Record, kw_only=True):
    """The chances in a round; of one that is named by its number also after each of its events."""

    round: Annotated[int | None, Meta(description="The number of the round; null if none is open.")]
    odds: Annotated[OddsOfTheGame | None, Meta(description="The chances in the round; null where none are known.")]
    why_no_odds: WhyNoOdds = UNSET
    steps: Annotated[tuple[OddsStep, ...] | UnsetType, Meta(description="The events of the round, in order.")] = UNSET
    dear_rides: Annotated[
        tuple[DearRide, ...] | UnsetType,
        Meta(description="The back-rides that cost more than they were worth, once the round is over."),
    ] = UNSET


def odds_answer(book: RuleBook[Any], done: Round | None, what_if: chances.Asked = None) -> Odds:
    """Give the chances in a round, if there is one."""
    found = chances.chances(book, done, what_if)
    why = in_words(found.why_none) if found.why_none else UNSET
    return Odds(round=done.number if done else None, odds=found.odds, why_no_odds=why)


def past_odds_answer(state: history.SessionState, done: Round) -> Odds:
    """Give the chances in a round as it stands or ended, and after each of its events; then, who paid too much."""
    steps = list(state.steps(done.number))
    return replace(
        odds_answer(done.book, done),
        steps=tuple(
            convert(OddsStep, slot, part=slot.logged.part or UNSET, odds=odds)
            for slot, odds in chances.stands(state, done.number)
        ),
        dear_rides=UNSET if done.is_open else tuple(dear_rides(weighed(done, steps), done, steps)),
    )
