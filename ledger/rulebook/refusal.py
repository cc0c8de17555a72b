"""Refusals: what was reported is not possible at this table now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from ledger.i18n.sentences import Sentence, docline, snake_case
from ledger.rulebook.cards import Courts, Pack

if TYPE_CHECKING:
    from ledger.rulebook.phase import Expected


class Refused(Exception):
    """What was reported is not possible at this table now.

    A kind of refusal is a subclass, `class BidTooLow(Refused, rule="SH-7", overrulable=True)`: its name is the stable
    code, its docstring the sentence, `rule` the row of the rule book. Facts are the numbers the user needs to mend it.
    `overrulable` ones give way when the table says that it was played so. `courts` is that of its sentence.
    """

    code: str
    rule: str | None = None
    overrulable: ClassVar[bool] = False
    courts: Courts | None = None

    def __init_subclass__(cls, *, rule: str | None = None, overrulable: bool = False) -> None:
        cls.code = snake_case(cls.__name__)
        cls.rule, cls.overrulable = rule or cls.rule, overrulable or cls.overrulable

    def __init__(self, *, rule: str | None = None, **facts: object) -> None:
        super().__init__(self.code)
        self.rule = rule or self.rule
        self.facts = facts

    @property
    def sentence(self) -> Sentence:
        return Sentence(docline(type(self)), self.facts, self.courts)


class RefusedAt(Refused):
    """A refusal, and what was learnt about it on the way up; code, rule and sentence are those of `refusal`.

    Learnt is which event of a batch it is about (`index`), in which `line` of a text that stands, where a card was
    first seen.
    """

    def __init__(self, refusal: Refused, **learnt: object) -> None:
        self.refusal: Refused = refusal.refusal if isinstance(refusal, RefusedAt) else refusal
        self.code = self.refusal.code
        super().__init__(rule=refusal.rule, **{**refusal.facts, **learnt})

    @property
    def sentence(self) -> Sentence:
        return self.refusal.sentence


class OutOfPlace(Refused):
    """That cannot be reported now. What can be: {expected:events}."""

    def __init__(self, expected: Iterable[Expected]) -> None:
        super().__init__(expected=tuple(dict.fromkeys(event.type for event in expected)))


class OutOfTurn(Refused, overrulable=True):
    """It's {expected:player}'s turn, not {player:player}'s."""


class UnknownPlayer(Refused):
    """{player:player} does not sit in this round. Those who do: {players:players}."""


class ForeignCard(Refused):
    """{card:card} is not one of the cards this game is played with here: {why:sentence}."""


class CardAlreadySeen(Refused):
    """{card:card} was already seen: {where:sentence}."""


class TooManyChips(Refused):
    """That would move {amount:chips} at once, and no more than {at_most:chips} can be recorded."""


def written_in(pack: Callable[[Any, Any], Pack], rule: str) -> Callable[[Any, Any, Any], Any]:
    """Give what writes an event with its cards as a game's pack has them (by deck and rules), and refuses others."""
    return lambda event, deck, rules: pack(deck, rules).written(event, foreign=partial(ForeignCard, rule=rule))
