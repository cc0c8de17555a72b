"""Reading a text in the notation: the opening and the events as the JSON that a client would send.

So whoever records them, and the rules, have the last word on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ledger.codec.json_text import GivenTwice, NotJSON, read_json
from ledger.cooperation import yielding
from ledger.notation.forms import JSON_EVENT, OPENING, forms_for
from ledger.notation.kinds import VALUE, Json
from ledger.notation.tokens import Line, perhaps
from ledger.notation.turns import Turns
from ledger.sentences import say

_JSON_FOLLOWS = re.compile(rf"\s*{JSON_EVENT}(?![^\s;])\s*")


@dataclass(frozen=True, slots=True)
class Check:
    """What is expected once the first `after` events are recorded. The service does not look at it; tests do."""

    after: int
    about: str
    words: tuple[Any, ...] = ()
    facts: Json = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """A text as JSON: what the session is opened with, its events, and what is expected on the way.

    `lines` has the line in which each event stands, for whoever has to say where something is wrong.
    """

    opening: Json
    events: tuple[Json, ...]
    checks: tuple[Check, ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False)


class Sheet:
    """What is known once the opening is: the forms of the lines that follow, and whose turn it is."""

    def __init__(self, opening: Json) -> None:
        self.forms, self.turns = forms_for(opening.get("game")), Turns(opening)

    def read(self, line: Line) -> Iterator[Json]:
        """Read the events of a line."""
        for event in self.forms.read(line, self.turns.next):
            self.turns.follow(event)  # now, since the next of the line may be a card without a player
            yield event


def parse(text: str, game: str | None = None) -> Score:
    """Read a text in the notation, by default about this game. Raises Misread."""
    opening: dict[str, Any] = {}
    events: list[Json] = []
    checks: list[Check] = []
    lines: list[int] = []
    sheet: Sheet | None = None
    for number, written in enumerate(yielding(text.removeprefix("\ufeff").split("\n")), 1):
        if written.lstrip().startswith("="):
            checks.append(_read_check(Line(number, written, written.index("=") + 1), len(events)))
            continue
        follows = _JSON_FOLLOWS.match(written)
        line = Line(number, written, len(written) if follows else 0)
        if line.next and line.next.text in OPENING:
            opening |= _read_opening(line, opening, sheet)
        elif follows or line.next:
            sheet = sheet or Sheet({"game": game, **opening})
            events += [_read_json(line, follows.end(), sheet)] if follows else sheet.read(line)
        lines += [number] * (len(events) - len(lines))
    return Score(opening, tuple(events), tuple(checks), tuple(lines))


def _read_opening(line: Line, opening: Json, sheet: Sheet | None) -> dict[str, Any]:
    """Read a line of the opening, each of which is there once, before the first event."""
    first = line.take(say("a word"))
    if sheet:
        why = say("`{word}` is for the opening, before the first event", word=first.text)
        raise line.misread(perhaps(why, f"new-{first.text}", sheet.forms.words), first.column)
    said = OPENING[first.text].read(line)
    line.end()
    if said.keys() & opening.keys():
        raise line.misread(say("`{word}` is said twice", word=first.text), first.column)
    return said


def _read_check(line: Line, after: int) -> Check:
    """Read what is expected: what it is about, then words, and facts such as `p1=-30`."""
    line.form = "= about words key=value"
    about, words, facts = line.take(say("what is expected")).text, list[Any](), dict[str, Any]()
    while line.next:
        if line.next_is_key:
            key = line.take(say("a key"), is_key=True)
            if key.text in facts:
                raise line.misread(say("`{word}` is said twice", word=key.shown), key.column)
            facts[key.text] = VALUE.read(line)
        else:
            words.append(VALUE.read(line))
    return Check(after, about, tuple(words), facts, line.number)


def _read_json(line: Line, begin: int, sheet: Sheet) -> Json:
    """Read an event as JSON, which goes on to the end of the line."""
    line.form = JSON_EVENT + ' {"type": …}'
    try:
        event = read_json(line.text[begin:].encode("utf-8", "surrogatepass"))
    except NotJSON as error:
        why = error.sentence if isinstance(error, GivenTwice) else say("this is not JSON")
        raise line.misread(why, begin + error.place + 1) from None
    if not isinstance(event, dict):
        raise line.misread(say("an event is a JSON object"), begin + 1)
    sheet.turns.follow(event)
    return event
