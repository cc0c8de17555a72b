"""The forms of the notation: each is one way to begin a line, and says what follows and which event that is.

A game's forms stand in its rule book and those of any game in `session`; here are those of the opening, and what
reads and writes by all of them. `forms_for(game)` has that game's own first.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from ledger.games import GAMES, from_shelf, newest
from ledger.i18n.sentences import Sentence, say
from ledger.notation.kinds import A_PLAYER, CARD, KINDS, Json, Kind, card_or, one_of
from ledger.notation.tokens import REMARKS, NotationSyntaxError, TokenStream, quoted, with_suggestion
from ledger.records import members_of
from ledger.rulebook.cards import words_of
from ledger.rulebook.event import Event, Form
from ledger.session.corrections import Correction, CorrectionsMade
from ledger.session.events import FORMS

JSON_EVENT = "event"
"""What a line begins with that has an event as JSON."""

CORRECTIONS = frozenset(kind.type for kind in get_args(Correction))
SINGLE_CORRECTIONS = CORRECTIONS - {CorrectionsMade.type}

_TEMPLATE = re.compile(r"^([\w-]*) ?(.*?)(?: ?\[\((\w+) …\)\])?( …)?$")
_PART = re.compile(r"<(\w+):?(\w*)>|([^][<>=]+)")


class Slot(NamedTuple):
    """A place in a line, perhaps with another one and `=` before it: a field and what it may hold, or a word.

    It may be left out, or, where it `goes_round`, only the player before the `=` who is next by the rules.
    """

    field: str
    kind: Kind
    word: str = ""
    key: Slot | None = None
    is_optional: bool = False
    goes_round: bool = False

    def read(self, line: TokenStream, event_type: str, *, is_key: bool = False) -> dict[str, Any]:
        """Read what stands in this place, by the name of its field."""
        if self.is_optional and (line.next is None or (self.key or self).word not in ("", line.next.text)):
            return {}
        token, before = None, dict[str, Any]()
        if self.key and self.goes_round and not (line.next and line.next.group == "key"):
            token, before = line.next, {self.key.field: line.next_player(event_type)}
        elif self.key:
            before = self.key.read(line, event_type, is_key=True)
        value = self.kind.read(line, is_key=is_key)
        if token and None in before.values():
            why = say("whose is `{word}`? Write `p1={word}`, or whoever it is", word=token.shown)
            raise line.error(why, token.column)
        return {**before, self.field: value} if self.field else before

    def write(self, event: Json) -> str:
        """Write a field and its key. Raises LookupError for an event without that field."""
        if self.is_optional and self.field not in event:
            return ""
        value = self.kind.write(event[self.field] if self.field else self.word)
        return f"{self.key.write(event)}={value}" if self.key else value


class Pattern:
    """A form made ready: what its lines begin with (nothing: with a field), and the slots that follow.

    `inner` is the word of the events that may follow one of these in parentheses; if a form `repeats`, a line may have
    several events. `always` are the fields that every such event has.
    """

    def __init__(self, template: str, form: Form | None = None, kinds: Mapping[str, Kind] = KINDS) -> None:
        ((self.word, slots, self.inner, repeats),) = _TEMPLATE.findall(template)
        self.template, self.type, self.repeats = template, form.type if form else "", bool(repeats)
        self.always = {"type": form.type, **form.always} if form else {}
        self.remarks = REMARKS if form else ()
        self.slots = [_slot(text, form.event if form else None, kinds) for text in slots.split()]

    def read(self, line: TokenStream) -> dict[str, Any]:
        """Read a line behind the word it begins with. Raises NotationSyntaxError."""
        line.form = self.template
        event: dict[str, Any] = {**self.always}
        for slot in self.slots:
            event |= slot.read(line, self.type)
        return event

    def write(self, event: Json) -> str:
        """Write a line. Raises LookupError for an event without a field that the form has."""
        remarks = [f"{remark}={quoted(event[remark])}" for remark in self.remarks if remark in event]
        return " ".join(filter(None, (self.word, *(slot.write(event) for slot in self.slots), *remarks)))


def _slot(text: str, event: type[Event] | None, kinds: Mapping[str, Kind]) -> Slot:
    *keys, slot = (
        Slot(field, _kind(kind, field, word, event, kinds), word) for field, kind, word in _PART.findall(text)
    )
    goes_round = ">=]" in text
    is_optional = text.startswith("[") and not goes_round
    return slot._replace(key=keys[0] if keys else None, is_optional=is_optional, goes_round=goes_round)


def _kind(name: str, field: str, word: str, event: type[Event] | None, kinds: Mapping[str, Kind]) -> Kind:
    """Find a kind by its name or the field's. Without one, or for a card, the words of the field may stand there."""
    if word:
        return one_of((word,), say("`{word}`", word=word))
    words = next((words_of(each) for each in members_of(event) if each.name == field), ()) if event else ()
    kind = kinds.get(name or field)
    return one_of(words) if kind is None else card_or(words) if words and kind is CARD else kind


_OPENING_FORMS = """\
game <game>
name <name:text>
deck <deck>
players <players:names>
dealer <dealer>
rules <rules:switches>
carried <carried:number>
chip-value <chip_value>
odds <odds:on_or_off>
overrule <overrule:text>
played_on <played_on:day>
"""
OPENING: Mapping[str, Pattern] = {each.word: each for each in map(Pattern, _OPENING_FORMS.splitlines())}
"""What a session is opened with, before its first event."""


class Forms:
    """All forms that the events of a text may have, and the `words` with which their lines begin."""

    def __init__(self, forms: Sequence[Form]) -> None:
        at_table = {form.event.type for form in forms} - CORRECTIONS
        no_correction = say("an event of the table is wanted here, not a correction")
        no_single_correction = say("a correction of one event is wanted here")
        kinds = {
            **KINDS,
            "event": Kind(
                several=lambda line: self._read_one(line, at_table, no_correction),
                write=lambda event: self._write_one(event, at_table),
            ),
            "corrections": Kind(
                several=lambda line: [
                    self._read_one(part, SINGLE_CORRECTIONS, no_single_correction) for part in line.parts("&")
                ],
                write=lambda parts: " & ".join(self._write_one(part, SINGLE_CORRECTIONS) for part in parts),
            ),
        }
        ready = [Pattern(form.template, form, kinds) for form in forms]
        self.patterns = tuple(each for each in ready if each.word not in (*OPENING, JSON_EVENT))
        self._by_word: dict[str, list[Pattern]] = {}
        self._by_type: dict[str, list[Pattern]] = {}
        for each in self.patterns:
            self._by_word.setdefault(each.word, []).append(each)
            self._by_type.setdefault(each.type, []).append(each)
        self.words = tuple(filter(None, self._by_word))

    def read(self, line: TokenStream) -> Iterator[dict[str, Any]]:
        """Read the events of a line one by one: who is next after one is asked once the next one is read."""
        remarks = line.take_remarks()
        for event in self._events(line):
            yield event | remarks
            if remarks and line.next:
                why = say("a note or overrule is for one event, and here is another: write them on lines of their own")
                raise line.error(why)

    def _events(self, line: TokenStream) -> Iterator[dict[str, Any]]:
        """Read the events of a line, which all begin with the same word."""
        candidates = self._beginning(line)
        more = True
        while more:
            chosen, event = _first_that_fits(candidates, line)
            yield event
            if chosen.inner and line.accept("("):
                while more:
                    yield _first_that_fits(self._by_word[chosen.inner], line)[1]
                    more = not line.accept(")")
            more = chosen.repeats and line.next is not None
        line.expect_end()

    def _beginning(self, line: TokenStream) -> list[Pattern]:
        """Read the word that a line begins with, and give the forms that begin so."""
        first = line.expect(say("a word"))
        if first.text in self._by_word:
            return self._by_word[first.text]
        if A_PLAYER.fullmatch(first.text):
            line.at -= 1
            return self._by_word[""]
        words = (*OPENING, *self.words, JSON_EVENT)
        why = say("no line begins with `{word}`", word=first.shown)
        guess = with_suggestion(why, first.text, words)
        if guess is why:
            guess = say("{why:sentence}; lines begin with a player or with {words:names}", why=why, words=words)
        raise line.error(guess, first.column)

    def format_event(self, event: Json) -> str | None:
        """Write an event in the first form that reads as the same event; None if there is no such form."""
        kind = event.get("type")
        for each in self._by_type.get(kind, ()) if isinstance(kind, str) else ():
            try:
                text = each.write(event)
                if list(self.read(TokenStream(0, text))) == [event]:
                    return text
            except (LookupError, TypeError, AttributeError, NotationSyntaxError):
                continue  # it lacks fields that the form says, or they are not of the kinds that the contract says
        return None

    def _read_one(self, line: TokenStream, allowed: Container[str], why: Sentence) -> Json:
        """Read an event within another one, of an allowed type."""
        column, line.next_player = line.column, lambda _type: None
        if any(each.type not in allowed for each in self._by_word.get(line.next.text if line.next else "", ())):
            raise line.error(why)
        event, *others = self._events(line)
        if others:
            raise line.error(say("one event is wanted here"), column)
        return event

    def _write_one(self, event: Json, allowed: Container[str]) -> str:
        text = self.format_event(event) if event["type"] in allowed else None
        if text is None:
            raise LookupError("only an event with a form stands within another")
        return text


def _first_that_fits(candidates: list[Pattern], line: TokenStream) -> tuple[Pattern, dict[str, Any]]:
    """Read an event in the first form that fits. Raises the NotationSyntaxError of the form that came furthest."""
    start, errors = line.at, list[NotationSyntaxError]()
    for each in candidates:
        line.at = start
        try:
            event = each.read(line)
            if not each.repeats:
                line.expect_end()
        except NotationSyntaxError as error:
            errors.append(error)
        else:
            return each, event
    raise max(errors, key=lambda error: error.column)


@from_shelf
def _forms_by_game() -> dict[object, Forms]:
    own: dict[object, Sequence[Form]] = {None: (), **{game: newest(game).forms for game in GAMES}}
    others = {game: [form for other in own if other != game for form in own[other]] for game in own}
    return {game: Forms([*FORMS, *own[game], *others[game]]) for game in own}


def forms_for(game: object) -> Forms:
    """Give the forms for a text about a game, or about any."""
    return _forms_by_game()[game if game in GAMES else None]
