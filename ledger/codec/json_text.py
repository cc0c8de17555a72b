"""JSON text from outside: read only if it has one meaning, by the standard parser with its hooks.

There are no two members of one name, no NaN, no halves of characters, and no more levels than any Python's stack can
hold. A number beyond all that a float can hold is read as infinity, which no field takes, so that the field is named.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from itertools import repeat
from typing import Any

import msgspec

from ledger.cooperation import yielding
from ledger.i18n.sentences import Sentence, say

MAX_DEPTH = 500
"""How many objects and lists may lie in one another."""

MAX_SHOWN = 40
MAX_DIGITS = 19


class NotJSON(Exception):
    """A text is not JSON that can be read, for a reason that its sentence says; `place` is where, in characters."""

    def __init__(self, sentence: Sentence, place: int = 0) -> None:
        super().__init__()
        self.sentence, self.place = sentence, place


class GivenTwice(NotJSON):
    """An object has two members of one name."""


def read_json(text: bytes) -> Any:
    """Read JSON text in UTF-8, with its mark or without. Raises NotJSON."""
    pause = partial(next, yielding(repeat(None)))

    def named_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
        pause()
        read = dict(members)
        if len(read) < len(members):
            twice = next(name for name, count in Counter(name for name, _ in members).items() if count > 1)
            raise GivenTwice(say("an object has the name {name} twice", name=repr(twice[:MAX_SHOWN])))
        return read

    try:
        decoded = text.decode("utf-8-sig")
        # the constants are NaN and infinities, which `int` refuses
        read = json.loads(decoded, object_pairs_hook=named_once, parse_int=_whole, parse_constant=int)
        if b"\\u" in text:
            msgspec.json.encode(read)  # refuses halves of characters
        if text.count(b"[") + text.count(b"{") > MAX_DEPTH:
            _need_few_levels(read)
    except RecursionError:
        raise NotJSON(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise _unreadable(error.doc[: error.pos]) from None
    except UnicodeDecodeError as error:
        raise _unreadable(error.object[: error.start].decode()) from None
    except ValueError:  # of what the standard parser takes and JSON has not, msgspec knows the place
        raise _unreadable(text[: _place(text)].decode(errors="replace")) from None
    return read


def _place(text: bytes) -> int:
    """Give the byte from which on text is no JSON."""
    try:
        msgspec.json.decode(text)
    except ValueError as error:
        if place := re.search(r"\(byte (\d+)\)$", str(error)):
            return int(place[1])
    return 0


def _whole(digits: str) -> float:
    return int(digits) if len(digits) <= MAX_DIGITS else float(digits)


def _unreadable(before: str) -> NotJSON:
    """Say from where on text cannot be read, after this much of it."""
    *above, last = before.split("\n")
    line, column = len(above) + 1, len(last) + 1
    why = say("the body is not JSON that can be read, from line {line}, column {column} on", line=line, column=column)
    return NotJSON(why, len(before))


TOO_DEEP = say("the JSON has objects and lists deeper in one another than {most} levels", most=MAX_DEPTH)


def _need_few_levels(read: Any) -> None:
    """Look through what was read level by level. Raises NotJSON if the levels are too many."""
    level = [read]
    for _ in range(MAX_DEPTH):
        parts = (part.values() if type(part) is dict else part for part in yielding(level))
        level = [each for inner in parts for each in inner if type(each) in (dict, list)]
        if not level:
            return
    raise NotJSON(TOO_DEEP)


def count_objects(text: bytes, most: int) -> int:
    """Count the objects and lists in JSON text before it is read, no closer than it takes to see they are so many."""
    count = text.count(b"{") + text.count(b"[")
    if count <= most:
        return count
    outside = text.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')[::2]
    return sum(part.count(b"{") + part.count(b"[") for part in yielding(outside))
