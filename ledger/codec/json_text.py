"""How JSON text is read that comes from anywhere: strictly, and only if it says one thing.

orjson reads it, which knows neither NaN nor halves of characters nor depths that exhaust the stack. It takes the last
of two members with one name, though, and programs differ in which they take; so there may be no such two. In JSON each
member has one colon behind its name, and all other colons are within texts: where there are more of them than what was
read has members, some name was given twice.

A number beyond all that orjson can hold is JSON all the same. It is read as infinity, which no field takes, so that it
can be said which field is wrong.
"""

from __future__ import annotations

import json
from contextlib import suppress
from math import isinf
from typing import Any, NoReturn

import orjson

from ledger.budget import breathe
from ledger.sentences import Sentence, say

DEEPEST = 1_000
"""How deep orjson reads JSON; the standard parser's depth depends on the version of Python."""

PIECE = 1024 * 1024
"""How many bytes are looked through before others go first: a few milliseconds."""

PARTS = 1_000
"""After how many objects or other values others may go first."""

MOST_SHOWN = 40


class NotJSON(Exception):
    """A text is not JSON that can be read, for a reason that its sentence says; `place` is where, in characters."""

    def __init__(self, sentence: Sentence, place: int = 0) -> None:
        super().__init__()
        self.sentence = sentence
        self.place = place


class GivenTwice(NotJSON):
    """An object has two members of one name."""


def read_json(text: bytes) -> Any:
    """Read JSON text in UTF-8. Raises NotJSON, also for NaN, for depths that exhaust the stack and for names twice."""
    try:
        read = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        say_where = say(
            "the body is not JSON that can be read, from line {line}, column {column} on",
            line=error.lineno,
            column=error.colno,
        )
        return _with_numbers_beyond(text, NotJSON(say_where, error.pos))
    members = _members(read)
    if text.count(b":") != members and _count_outside_texts(text, b":") != members:
        with suppress(RecursionError):  # the standard parser does not go as deep everywhere
            _read_slowly(text)
        raise _given_twice("…")
    return read


def _members(read: Any) -> int:
    """Count the members of all objects in what was read."""
    count, waiting, turn = 0, [read], 0
    while waiting:
        part = waiting.pop()
        if part.__class__ is dict:
            count += len(part)
            waiting += [each for each in part.values() if each.__class__ is dict or each.__class__ is list]
        elif part.__class__ is list:
            waiting += part
        turn += 1
        if not turn % PARTS:
            breathe()
    return count


def count_objects(text: bytes, most: int) -> int:
    """Count the objects and lists in JSON text before it is read; no closer than it takes to see they are so many."""
    count = text.count(b"{") + text.count(b"[")
    return count if count <= most else _count_outside_texts(text, b"{", b"[")


def _count_outside_texts(text: bytes, *signs: bytes) -> int:
    """Count signs that are no part of a text, in JSON. Between quotes every other part is outside."""
    without_escapes = text.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in text else text
    count, within = 0, 0
    for at in range(0, len(without_escapes), PIECE):
        breathe()
        parts = without_escapes[at : at + PIECE].split(b'"')
        outside = b"".join(parts[within::2])
        count += sum(map(outside.count, signs))
        within ^= (len(parts) - 1) & 1
    return count


def _refuse_twice(members: list[tuple[str, Any]]) -> None:
    """Name the first that is there for the second time. Raises GivenTwice."""
    seen = set[str]()
    for name, _ in members:
        if name in seen:
            raise _given_twice(name)
        seen.add(name)


def _given_twice(name: str) -> GivenTwice:
    return GivenTwice(say("an object has the name {name} twice", name=repr(name[:MOST_SHOWN])))


def _with_numbers_beyond(text: bytes, refusal: NotJSON) -> Any:
    """Read text that orjson refuses, if all that is wrong with it are numbers too large. Raises NotJSON."""
    if text.count(b"[") + text.count(b"{") > DEEPEST:
        raise refusal
    beyond: list[str] = []
    try:
        read = _read_slowly(text, beyond)
        json.dumps(read, ensure_ascii=False).encode()  # halves of characters cannot be
    except (ValueError, RecursionError):
        raise refusal from None
    if not beyond:
        raise refusal
    return read


def _read_slowly(text: bytes, beyond: list[str] | None = None) -> Any:
    """Read JSON text by the standard parser, and note numbers beyond. Raises GivenTwice, ValueError, RecursionError."""

    def number(digits: str) -> float:
        breathe()
        read = float(digits)
        if isinf(read) and beyond is not None:
            beyond.append(digits)
        return read

    def whole(digits: str) -> float:
        breathe()
        return int(digits) if len(digits) <= 19 else number(digits)

    def constant(name: str) -> NoReturn:
        raise ValueError(name)

    def named_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
        breathe()
        read = dict(members)
        if len(read) < len(members):
            _refuse_twice(members)
        return read

    return json.loads(
        text.decode(), parse_int=whole, parse_float=number, parse_constant=constant, object_pairs_hook=named_once
    )
