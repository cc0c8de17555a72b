"""What several answers have: members that recur, each with its sentence, and places where any game's record stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from ledger.language import LANGUAGES, Language, render
from ledger.play.values import Chips, PlayerId
from ledger.records import Meta
from ledger.sentences import Sentence


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

EventSeq = Annotated[int, Meta(description="The event's number in its session, counted from 1.")]
RoundNumber = Annotated[int, Meta(description="The number of the round.")]
DealerId = Annotated[PlayerId, Meta(description="The dealer's id.")]
Pot = Annotated[Chips, Meta(description="The chips in the pot.")]
PartNumber = Annotated[int, Meta(ge=1, description="The part that inserted the event, counted from 1.")]
Next = Annotated[str | None, Meta(description="The address of what follows; null at the end.")]


def in_words(text: Sentence, names: Mapping[PlayerId, str] | None = None) -> InWords:
    """Say a text in every language; `names` says what the players are called."""
    return {language: render(text, language, names or {}) for language in LANGUAGES}
