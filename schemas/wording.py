"""What a member of an object means: its description, its form, examples of it.

A record says it of each of its fields, in `Meta(description=…, examples=…, extra=…)`; a switch of the house rules has
its label, its help and its row instead. A game's own event may leave it to the label that the game gives the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.codec.description import Member, type_of
from ledger.games import every_book
from ledger.play.values import Matching
from ledger.records import notes_of
from ledger.sentences import snake_case
from ledger.session.events import EVENTS

Json = dict[str, Any]

KEYWORDS = ("const", "format", "maximum", "minimum", "pattern")
"""The form of a text, or the bounds of a number, as JSON Schema has them and `Meta(extra=…)` says them."""

SETS: Mapping[str, str] = {
    "DeckName": "The decks.",
    "GameName": "The games.",
    "EventStatus": "Whether an event stands, or was corrected.",
    "Language": "The languages of the service.",
    "Role": "What a link lets its bearer do: all, record, or read.",
    "RoundStatus": "Where a round stands.",
    "WesternCourts": "Which western cards are 10, 11 and 12, in this order.",
}
"""What the sets of words are about that several members share; any other means what its member means."""


class Wording:
    """Says what a member means; it knows the words of the games in the registry.

    `known` are the words of today, by what `Meta(extra={"known": …})` calls them. A later game brings its own, so they
    are no closed sets.
    """

    def __init__(self) -> None:
        events = {kind.type: None for kind in EVENTS}
        phases = {"over": None}
        for book in every_book():
            events |= {kind.type: None for kind in (*book.between, *book.events)}
            phases |= {snake_case(phase.__name__): None for phase in book.phases}
        self.labels = {kind: book.fields for book in every_book() for kind in book.events}
        self.known = {"event types": list(events), "phases": list(phases)}

    def of_member(self, kind: type, member: Member, schema: Json) -> Json:
        """Describe a member beyond its type: what it means, its form, examples."""
        field, extra = member.field, member.field.extra
        about = {keyword: extra[keyword] for keyword in KEYWORDS if keyword in extra}
        if field.examples:
            about["examples"] = list(field.examples)
        if words := self.known.get(extra.get("known", "")):
            about["x-extensible-enum"] = words
        about = {name: value for name, value in about.items() if name not in schema}
        if "help" in extra:
            about["description"] = f"{extra['label']}. {str(extra['help']).removesuffix('.')} ({extra['row']})."
        elif field.description:
            about["description"] = field.description
        elif label := self.labels.get(kind, {}).get(member.name):
            about["description"] = f"{label}."
        return about


def form_of(hint: Any) -> Json:
    """Give the form that a type of texts has, with an example."""
    notes, form = notes_of(hint), type_of(hint)
    pattern = {"pattern": f"^(?:{form.pattern})$"} if isinstance(form, Matching) else {}
    return {**pattern, **(notes.extra or {}), "examples": list(notes.examples or ())}
