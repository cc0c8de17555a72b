"""House rules, and whatever else of a request only the rule book of its game can check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ledger.play.events import Event
from ledger.play.rule_book import RuleBook
from ledger.records import replace
from ledger.sentences import Malformed
from ledger.session.corrections import CorrectionsMade, EventAmended, EventInserted
from ledger.session.events import RulesChanged
from schemas.records import loaded_partly

T = TypeVar("T")
Made = TypeVar("Made")
E = TypeVar("E", bound=Event)

CHECKED_BY_THE_GAME = frozenset({RulesChanged, EventAmended, EventInserted, CorrectionsMade})
"""Events of whose form there is more to check than their schemas can, and what holds such events."""


def load_rules(changes: Mapping[str, Any], book: RuleBook[Any]) -> dict[str, Any]:
    """Check some switches of a rule book and give them in their plain form. Raises Malformed."""
    return loaded_partly(book.rules, changes)


def checked(event: E, book: RuleBook[Any]) -> E:
    """Check what only the game can tell of an event's form. Raises Malformed."""
    match event:
        case RulesChanged(rules=switches):
            return replace(event, rules=below("rules", load_rules, switches, book))
        case EventAmended(event=inner) | EventInserted(event=inner):
            return replace(event, event=below("event", checked, inner, book))
        case CorrectionsMade(corrections=parts):
            return replace(event, corrections=below("corrections", checked_all, parts, book))
    return event


def checked_all(events: Sequence[E], book: RuleBook[Any]) -> tuple[E, ...]:
    """Check what only the game can tell of some events. Raises Malformed, by their places."""
    return tuple(below(place, checked, event, book) for place, event in enumerate(events))


def below(place: str | int, check: Callable[[T, RuleBook[Any]], Made], value: T, book: RuleBook[Any]) -> Made:
    """Check what stands at a place of a body. Raises Malformed."""
    try:
        return check(value, book)
    except Malformed as error:
        raise error.within(place) from None
