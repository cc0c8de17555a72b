"""JSON text from outside: read strictly, and only if it has one meaning.

msgspec reads it, which knows neither NaN nor halves of characters. It takes the last of two members with one name,
though, and programs differ in which they take; so there may be no such two. In JSON each member has one colon behind
its name, and all other colons are within texts: where there are more of them than what was read has members, some name
was given twice.

A number beyond all that a float can hold is JSON all the same. It is read as infinity, which no field takes, so that it
can be said which field is wrong.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from functools import partial
from itertools import repeat
from typing import Any, NoReturn

import msgspec

from ledger.cooperation import yielding
from ledger.sentences import Sentence, say

DEEPEST = 500
"""How many objects and lists may lie in one another: fewer than any Python's parser can hold on its stack."""

TOO_DEEP = say("the JSON has objects and lists deeper in one another than {most} levels", most=DEEPEST)

PIECE = 1024 * 1024
"""How many bytes are looked through before others go first: a few milliseconds."""

MAX_SHOWN = 40
MAX_DIGITS = 19


class NotJSON(Exception):
    """A text is not JSON that can be read, for a reason that its sentence says; `place` is where, in characters."""

    def __init__(self, sentence: Sentence, place: int = 0) -> None:
        super().__init__()
        self.sentence = sentence
        self.place = place


class GivenTwice(NotJSON):
    """An object has two members of one name."""


def read_json(text: bytes) -> Any:
    """Read JSON text in UTF-8, with its mark or without.

    Raises NotJSON, also for NaN, for too many levels and for names that stand twice.
    """
    text = text.removeprefix(BOM_UTF8)
    read = parse_json(text)
    members = _members(read)
    if text.count(b":") != members and _count_outside_texts(text, b":") != members:
        _read_slowly(text)
        raise _given_twice("…")
    return read


def parse_json(text: bytes) -> Any:
    """Read JSON text of our own writing: levels and names that stand twice are not counted. Raises NotJSON."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        place = BYTE.search(str(error))
        return _read_slowly(text, int(place[1]) if place else 0)


BYTE = re.compile(r"\(byte (\d+)\)$")
"""Where msgspec says that text is malformed."""


def _unreadable(before: str) -> NotJSON:
    """Say from where on text cannot be read, after this much of it."""
    *above, last = before.split("\n")
    why = say(
        "the body is not JSON that can be read, from line {line}, column {column} on",
        line=len(above) + 1,
        column=len(last) + 1,
    )
    return NotJSON(why, len(before))


def _members(read: Any) -> int:
    """Count the members of all objects in what was read, level by level. Raises NotJSON if the levels are too many."""
    count, level = 0, [read]
    for _ in range(DEEPEST):
        below = []
        for part in yielding(level):
            inner = part.values() if part.__class__ is dict else part if part.__class__ is list else ()
            count += len(part) if part.__class__ is dict else 0
            below += [each for each in inner if each.__class__ is dict or each.__class__ is list]
        if not below:
            return count
        level = below
    raise NotJSON(TOO_DEEP)


def count_objects(text: bytes, most: int) -> int:
    """Count the objects and lists in JSON text before it is read; no closer than it takes to see they are so many."""
    count = text.count(b"{") + text.count(b"[")
    return count if count <= most else _count_outside_texts(text, b"{", b"[")


def _count_outside_texts(text: bytes, *signs: bytes) -> int:
    """Count signs that are no part of a text, in JSON. Between quotes every other part is outside."""
    without_escapes = text.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in text else text
    count, within = 0, 0
    for at in yielding(range(0, len(without_escapes), PIECE)):
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
    return GivenTwice(say("an object has the name {name} twice", name=repr(name[:MAX_SHOWN])))


def _read_slowly(text: bytes, place: int = 0) -> Any:
    """Read JSON text by the standard parser: numbers too large as infinity. Raises NotJSON with the place.

    That is `place`, in bytes, for what the standard parser takes and JSON has not: NaN, halves of characters.
    """
    step = partial(next, yielding(repeat(None)))

    def number(digits: str) -> float:
        step()
        return float(digits)

    def whole(digits: str) -> float:
        return int(digits) if len(digits) <= MAX_DIGITS else number(digits)

    def constant(name: str) -> NoReturn:
        raise ValueError(name)

    def named_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
        step()
        read = dict(members)
        if len(read) < len(members):
            _refuse_twice(members)
        return read

    hooks: dict[str, Any] = {"parse_int": whole, "parse_float": number, "parse_constant": constant}
    try:
        read = json.loads(text.decode(), object_pairs_hook=named_once, **hooks)
        json.dumps(read, ensure_ascii=False).encode()  # halves of characters cannot be
    except RecursionError:
        raise NotJSON(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise _unreadable(error.doc[: error.pos]) from None
    except UnicodeDecodeError as error:
        raise _unreadable(text[: error.start].decode()) from None
    except ValueError:
        raise _unreadable(text[:place].decode(errors="replace")) from None
    return read
