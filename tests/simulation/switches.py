"""Every house rule of every game, set to everything that it may be set to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

from ledger.cards import DeckName
from ledger.play import Between
from ledger.records import fields_of, is_record, replace
from ledger.simulation import GAMES


@dataclass(frozen=True)
class Set:
    """A switch, set to something that is not usual. `deck` is the one that it says something of."""

    game: str
    name: str
    value: Any
    rules: Any
    deck: DeckName

    @property
    def said(self) -> str:
        """As it is said on the command line."""
        return f"{self.name}={self.value}"


def every_switch(game: str) -> Iterator[Set]:
    """Set each switch of a game, one at a time, to all words that it knows, or to some numbers."""
    book = GAMES[game].book
    for name, value, rules, deck in settings_of(book.rules()):
        yield Set(game, name, value, rules, deck or book.decks[0])


def settings_of(usual: Any) -> Iterator[tuple[str, Any, Any, DeckName | None]]:
    for switch in fields_of(type(usual)):
        default = getattr(usual, switch.name)
        if is_record(type(default)):
            for name, value, inner, deck in settings_of(default):
                yield f"{switch.name}.{name}", value, replace(usual, **{switch.name: inner}), deck
            continue
        for value in values_of(switch.hint, default):
            yield switch.name, value, replace(usual, **{switch.name: value}), switch.extra["only_with"]


def values_of(hint: Any, usual: Any) -> list[Any]:
    """What a switch may be but for what it usually is: words, or nothing at all, twice as much and ten."""
    if get_origin(hint) is Literal:
        return [word for word in get_args(hint) if word != usual]
    if get_origin(hint) is not Annotated:
        raise TypeError(hint)
    bounds = next(note for note in get_args(hint) if isinstance(note, Between))
    numbers = [0, 2 * usual if usual > 1 else 10]
    return [number for number in numbers if bounds.least <= number <= bounds.most and number != usual]


ALL = [each for game in GAMES for each in every_switch(game)]
