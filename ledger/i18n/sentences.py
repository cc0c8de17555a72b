"""Sentences for people: English texts with places, and the facts that go there. `language` renders them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any, Literal, NamedTuple

from ledger.records import Record


class Sentence(Record):
    """An English sentence with `{fact:kind}` places, and the facts.

    Kinds: `chips`, `player`, `players`, `card`, `cards`, `valued` and `all_valued` (cards with what they count),
    `column`, `suit`, `deck`, `kabu`, `event`, `events`, `numbers`, `names` (words of the notation), `sentence`, `list`
    (of sentences); none for a number or a word that is the same in every language.

    `courts` is set in a game that calls its cards by their numbers: which western courts are 10, 11 and 12 there.
    """

    text: str
    facts: Mapping[str, Any] = {}
    courts: Literal["JQK", "QJK"] | None = None

    def __str__(self) -> str:
        """Give the English text with the facts as they are, for a log."""
        parts = Formatter().parse(self.text)
        return "".join(words + ("" if fact is None else str(self.facts[fact])) for words, fact, _, _ in parts)


def say(text: str, /, **facts: object) -> Sentence:
    """Make a sentence; the catalogues are checked for every text."""
    return Sentence(text, facts)


def template(text: str, /) -> Sentence:
    """Make a sentence whose places clients fill in, with the members of an event."""
    return Sentence(text)


def snake_case(name: str) -> str:
    """Turn `CardDealt` into `card_dealt`: how a class is called on the wire."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def docline(thing: object) -> str:
    """Give the first paragraph of a docstring, on one line."""
    return " ".join((thing.__doc__ or "").split("\n\n", maxsplit=1)[0].split())


def docsentence(thing: object, **facts: object) -> Sentence:
    """Make a sentence of the first paragraph of a docstring."""
    return Sentence(docline(thing), facts)


MAX_FAULTS = 1_000
"""How many wrong fields of a request are searched."""

MAX_NAMED = 20
"""How many of them are named; the others are only counted."""

MAX_STEP = 100
"""How many characters of a name in a JSON pointer are shown: more than any valid name has."""


class Fault(NamedTuple):
    """A malformed value: its place (a JSON pointer, RFC 6901; "" is the whole), and what would be right."""

    pointer: str
    sentence: Sentence


class WrongParameter(Fault):
    """A malformed parameter of the query; its name stands in the place of the pointer."""


class Malformed(ValueError):
    """One or more fields are wrong; `errors` names them, the first twenty at most.

    The sentence above is for clients. It is a ValueError, as msgspec then adds the place of the record that raised it.
    """

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults[:MAX_FAULTS]
        super().__init__(*self.faults)

    def within(self, *path: str | int) -> Malformed:
        """Give the same faults as they stand in something larger: `path` leads there."""
        before = "".join(f"/{escaped(step)}" for step in path)
        return Malformed(*(fault._replace(pointer=before + fault.pointer) for fault in self.faults))


def escaped(step: str | int) -> str:
    """Write a step of a JSON pointer, shortened if it is longer than `MAX_STEP`."""
    name = str(step)
    shown = name if len(name) <= MAX_STEP else f"{name[:MAX_STEP]}…"
    return shown.replace("~", "~0").replace("/", "~1")
