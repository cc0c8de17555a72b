"""What a rule book is: one game's rules, as pure functions over frozen records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal

from ledger.play.events import Event
from ledger.play.forms import Form
from ledger.play.rounds import Expected, Ground, Outcome, Over, Phase, R, Seats, Step
from ledger.play.values import PlayerId
from ledger.sentences import Sentence


def switch(default: Any, row: str) -> Any:
    """Declare a house-rule switch: its default and the row of the rule book it belongs to."""
    make = {"default_factory": default} if isinstance(default, type) else {"default": default}
    return field(**make, metadata={"row": row})


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where and who deals, between rounds. `drawing` is a draw for seats that is not finished."""

    seats: Seats
    dealer: PlayerId
    drawing: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook(Generic[R]):
    """One game's rules, as pure functions over frozen records.

    `row_prefix` is how its rows begin (`SH`), `rules` the record of its house-rule switches, `seats` the possible
    numbers of players. `written` gives an event with its cards as the session's deck writes them, and refuses foreign
    ones. `board` gives what lies on the table, `explain` says what happened in a round that is over. `arrange` is for
    the events in `between`, which are reported between rounds and seat people anew. `deal_passes` says how the deal
    goes on after a round that is known only by its totals. `forms` are the short forms of its events in the notation.
    """

    name: str
    row_prefix: str
    version: int
    title: tuple[str, str]
    seats: range
    decks: tuple[Any, ...]
    rules: type[R]
    events: tuple[type[Event], ...]
    between: tuple[type[Event], ...] = ()
    forms: tuple[Form, ...]
    open_round: Callable[[Ground[R]], Step]
    play: Callable[[Phase, Event], Step]
    expected: Callable[[Phase], tuple[Expected, ...]]
    written: Callable[[Event, Any, R], Event]
    board: Callable[[Phase], Any]
    outcomes: tuple[type[Outcome], ...]
    explain: Callable[[Over], tuple[Sentence, ...]]
    arrange: Callable[[Seating, Event, R], Seating] | None = None
    deal_passes: Literal["right", "winner", "stays"] = "stays"
