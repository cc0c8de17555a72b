"""Texts in the round notation with what is expected on the way, in lines that begin with `=`.

`= about words key=value`: what comes after the events above it. The service passes over such lines.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ledger.notation import parse

Json = Mapping[str, Any]


class Check(NamedTuple):
    """What is expected once the first `after` events are recorded."""

    after: int
    about: str
    words: tuple[Any, ...]
    facts: Json
    line: int


class Score(NamedTuple):
    opening: Json
    events: tuple[Json, ...]
    lines: tuple[int, ...]
    checks: tuple[Check, ...]


def read_score(text: str) -> Score:
    parsed = parse(text)
    return Score(*parsed, tuple(_checks(text, parsed.lines)))


def _checks(text: str, lines: tuple[int, ...]) -> Iterator[Check]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("="):
            lexer = shlex.shlex(line[1:], posix=True)
            lexer.whitespace_split, lexer.commenters = True, ";"
            about, *said = lexer
            facts = {key: _value(value) for key, equals, value in (each.partition("=") for each in said) if equals}
            words = tuple(_value(each) for each in said if "=" not in each)
            yield Check(sum(each < number for each in lines), about, words, facts, number)


def _value(text: str) -> Any:
    """Tell a number, yes or no, and a text apart."""
    return {"true": True, "false": False}.get(text, int(text) if text.lstrip("-").isdecimal() else text)
