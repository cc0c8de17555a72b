"""Events: what was seen at the table, and how a scorekeeper writes it on one line."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from ledger.i18n.sentences import Sentence, say, snake_case
from ledger.records import Record, doc
from ledger.rulebook.refusal import Refused
from ledger.rulebook.values import Words

LABELS: dict[str, Sentence] = {}
"""How every kind of event is called on a button, by its name on the wire."""


class Event(Record, kw_only=True, omit_defaults=True, tag_field="type", tag=snake_case):
    """Something seen at the table: a fact in the log.

    A kind of event is a subclass: its name is the `type` on the wire, its docstring says what happened, `label` stands
    on its button, and `told` has the sentences of a log. Of these templates, which name the event's own fields, the
    first applies of which every field holds something: none is null, empty or 0.

    JSON leaves out what is None; a default that it shows is made by a `default_factory`.
    """

    type: ClassVar[str]
    label: ClassVar[Sentence]
    told: ClassVar[tuple[Sentence, ...]] = ()

    note: Annotated[Words | None, doc("A note in the log, which no rule reads.")] = None
    overrule: Annotated[
        Words | None, doc("Why the table recorded the event against turn order, bid order or sequence.")
    ] = None

    def __init_subclass__(cls) -> None:
        """Name a kind of event on the wire, `CardDealt` as `card_dealt`, and note its label for sentences."""
        cls.type = snake_case(cls.__name__)
        if "label" in vars(cls):
            LABELS[cls.type] = cls.label


if TYPE_CHECKING:
    AnyEvent = Event
else:

    class AnyEvent(ABC):  # noqa: B024 - it only stands for what is registered
        """An event of the game within something larger: `ledger.codec` reads it by its type."""

    AnyEvent.register(Event)


FIELDS: Mapping[str, Sentence] = {
    "player": say("Player"),
    "card": say("Card"),
    "cards": say("Cards"),
    "amount": say("Amount"),
    "note": say("Note"),
    "overrule": say("Why the table played it so"),
}
"""How the fields are called that events of several games have."""


def refuse(event: Event, refusal: Refused) -> None:
    """Refuse an event, unless the table overruled and this refusal gives way."""
    if event.overrule is None or not refusal.overrulable:
        raise refusal


class Form(Record):
    """One way to begin a line, and what a line that begins so says.

    In the template `<field:kind>` is a field and what it may hold (`<card>`: they are called alike), `[…]` may be left
    out, and `…` at the end means that more such events may follow in the line. `[<player>=]` is left out where the
    rules expect this event of one player, and behind it `[(bid …)]` stands for the events of lines that begin with
    `bid`. `always` are fields that go without saying. A template that begins with a field begins with whatever that
    is, a player. Where an event has several forms, it is written in the first that says it all.
    """

    event: type[Event]
    template: str
    always: Mapping[str, str | bool] = {}

    @property
    def type(self) -> str:
        return self.event.type

    @property
    def goes_round(self) -> bool:
        """Whether its player need not be named if the rules say whose turn it is."""
        return ">=]" in self.template
