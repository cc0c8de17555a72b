"""What is said to people: English sentences with places, and the facts that go there; `language` makes words of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any, Literal, NamedTuple

from ledger.records import Record, field


class Sentence(Record):
    """An English sentence with `{fact:kind}` places, and the facts: `language` says it in the reader's words.

    Kinds: `chips`, `player`, `players`, `card`, `cards`, `valued` and `all_valued` (cards with what they count),
    `column`, `suit`, `deck`, `kabu`, `event`, `events`, `numbers`, `names` (words of the notation), `sentence`, `list`
    (of sentences); none for a number or a word that is the same in every language.

    `courts` is set in a game that calls its cards by their numbers: which western courts are 10, 11 and 12 there.
    """

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    courts: Literal["JQK", "QJK"] | None = None

    def __str__(self) -> str:
        """Say it in English with the facts as they are, for a log."""
        return "".join(
            words + (str(self.facts[fact]) if fact is not None else "")
            for words, fact, _, _ in Formatter().parse(self.text)
        )


def say(text: str, /, **facts: object) -> Sentence:
    """Make a sentence; the catalogues are checked for every text that is said."""
    return Sentence(text, facts)


def by_numbers(said: Sentence, courts: Literal["JQK", "QJK"] | None) -> Sentence:
    """Give a sentence that calls its cards by their numbers; without `courts` by their names."""
    return Sentence(said.text, said.facts, courts)


def template(text: str, /) -> Sentence:
    """Make a sentence whose places somebody else fills in, with the members of what is told by it."""
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
"""How many wrong fields are looked for in one request; whoever has found so many stops there."""

MAX_TOLD = 20
"""How many of them are named; the others are only counted."""

LONGEST_STEP = 100
"""Of a longer name in a JSON pointer only so many characters are told: longer than any that belongs anywhere."""


class Fault(NamedTuple):
    """Something malformed: where it stands (a JSON pointer, RFC 6901; "" is the whole), and what would be right."""

    pointer: str
    sentence: Sentence


class WrongParameter(Fault):
    """A parameter of the query that is wrong: in the place of the pointer stands its name."""


class Malformed(ValueError):
    """One or more fields are wrong; `errors` names them, the first twenty at most.

    It is a ValueError, as msgspec then adds the place of the record that raised it.
    """

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*faults[:MAX_FAULTS])
        self.faults = faults[:MAX_FAULTS]

    def within(self, *path: str | int) -> Malformed:
        """Give the same faults as they stand in something larger: `path` leads there."""
        before = "".join(f"/{escaped(step)}" for step in path)
        return Malformed(*(fault._replace(pointer=before + fault.pointer) for fault in self.faults))


def escaped(step: str | int) -> str:
    """Write a step of a JSON pointer, shortened if it is longer than any name that there is."""
    name = str(step)
    shown = name if len(name) <= LONGEST_STEP else f"{name[:LONGEST_STEP]}…"
    return shown.replace("~", "~0").replace("/", "~1")
