"""What is said to people: English sentences with places, and the facts that go there; `language` makes words of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English sentence with `{fact:kind}` places, and the facts: `language` says it in the reader's words.

    Kinds: `chips`, `player`, `players`, `card`, `cards`, `suit`, `kabu`, `numbers`, `names` (of events), `sentence`,
    `list` (of sentences); none for a number or a word that is the same in every language.
    """

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def say(text: str, /, **facts: object) -> Sentence:
    """Make a sentence; the catalogues are checked for every text that is said."""
    return Sentence(text, facts)


def snake_case(name: str) -> str:
    """Turn `CardDealt` into `card_dealt`: how a class is called on the wire."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def docline(thing: object) -> str:
    """Give the first paragraph of a docstring, on one line."""
    return " ".join((thing.__doc__ or "").split("\n\n", maxsplit=1)[0].split())
