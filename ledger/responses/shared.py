"""Members that recur in answers, each with its sentence; places of any game's records; pages of lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from msgspec import Struct, defstruct

from ledger.i18n.language import LANGUAGES, Language, render
from ledger.i18n.sentences import Sentence
from ledger.records import Meta, doc
from ledger.rulebook.values import Chips, PlayerId


def component(name: str) -> Meta:
    """Name the component of the OpenAPI document that has the records of every game which may stand in a place."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


HouseRules = Annotated[Any, component("HouseRules")]
OnTheTable = Annotated[Any, component("Table")]
OddsOfTheGame = Annotated[Any, component("OddsOfTheGame")]
PlainOutcome = Annotated[Any, component("PlainOutcome")]
ExplainedOutcome = Annotated[Any, component("Outcome")]
EventInLog = Annotated[Any, component("StoredEvent")]

InWords = Mapping[Language, str]
"""A text in every language."""

EventSeq = Annotated[int, doc("The event's number in its session, counted from 1.")]
RoundNumber = Annotated[int, doc("The number of the round.")]
DealerId = Annotated[PlayerId, doc("The dealer's id.")]
Pot = Annotated[Chips, doc("The chips in the pot.")]
PartNumber = Annotated[int, doc("The part that inserted the event, counted from 1.", ge=1)]
Next = Annotated[str | None, doc("The address of what follows; null at the end.")]


def in_words(text: Sentence, names: Mapping[PlayerId, str] | None = None) -> InWords:
    """Say a text in every language; `names` says what the players are called."""
    return {language: render(text, language, names or {}) for language in LANGUAGES}


Page = dict[str, Any]
"""Some of a list, under the name that the list has, and `next`: the address where it goes on, None at its end."""


class Listing(NamedTuple):
    """What a list has: how a page of it is called, the member that its elements are in, what an element is."""

    name: str
    member: str
    of: Any

    def record(self) -> type[Struct]:
        elements = Annotated[tuple[self.of, ...], doc("The elements, oldest first.")]  # type: ignore[name-defined]
        return defstruct(
            self.name, [(self.member, elements), ("next", Next)], namespace={"__doc__": "Some of a list, oldest first."}
        )
