"""Odds: what a round may come to, as its rule book counts it, cached by position for all who ask for the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ledger.i18n.sentences import say
from ledger.records import UNSET, convert, replace
from ledger.responses.reports import Odds, OddsStep
from ledger.responses.shared import in_words
from ledger.rulebook.cards import CardOrPlain
from ledger.rulebook.rule_book import RuleBook
from ledger.session.history import SessionState
from ledger.session.statistics import dear_rides, weighed
from ledger.session.table import Round

MAX_CACHED = 512
"""How many positions are cached, each some kB: a few rounds of many players, event by event."""


class OddsNotWanted(Exception):
    """This table has not asked to be told the chances; its owner can switch them on."""


def odds_of(book: RuleBook[Any], round_: Round | None, what_if: CardOrPlain | None = None) -> Odds:
    """Give the odds in a round of a game, or those that there would be if the next card was this one.

    The round may be over, or None where none is open. Raises Refused for a card that cannot come.
    """
    odds, why = None, None
    if book.odds is None:
        why = say("Nobody counts the chances at {game:sentence}, so there are none to tell.", game=book.title)
        why = book.why_no_odds or why
    elif round_ is None:
        why = say("No round is open, so there are no chances to tell.")
    elif (odds := _odds(round_, what_if)) is None:
        why = say("This round did not end as the game has it, so there are no chances to tell.")
    return Odds(round=round_.number if round_ else None, odds=odds, why_no_odds=in_words(why) if why else UNSET)


def odds_by_step(state: SessionState, round_: Round) -> Odds:
    """Give the odds in a round as it stands or ended, and after each of its events; then the dear back-rides."""
    steps = list(state.steps(round_.number))
    each = [
        convert(OddsStep, slot, part=slot.part or UNSET, odds=slot.table.round and _odds(slot.table.round))
        for slot, *_ in steps
    ]
    return replace(
        odds_of(round_.book, round_),
        steps=tuple(each),
        dear_rides=UNSET if round_.is_open else tuple(dear_rides(weighed(round_, steps), round_, steps)),
    )


def _odds(round_: Round, what_if: CardOrPlain | None = None) -> Any:
    return round_.book.odds and _counted(round_.book.odds, round_.phase, what_if)


@lru_cache(MAX_CACHED)
def _counted(odds: Callable[[Any, Any], Any], phase: Any, what_if: CardOrPlain | None) -> Any:
    return odds(phase, what_if)
